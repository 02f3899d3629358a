import type { ModelContent } from '@parley/host/models'
import { CappedText, createLoadable, Loaded, Media, Note } from '@parley/page/parts'
import { memo, type ReactElement } from 'react'

import { visible } from '../visible.ts'
import { isSameItem, type ThreadItem } from './read-thread.ts'
import { ToolCard } from './tool-card.tsx'
import { fencedData } from './turn-content.ts'

const markdown = createLoadable(async () => (await import('@parley/page/markdown')).Markdown)

/** One thing in a thread. All are read anew with each piece of text; one is drawn again only when it changed. */
export const ThreadItemView = memo(ItemView, (before, after) => isSameItem(before.item, after.item))

function ItemView({ item }: { readonly item: ThreadItem }): ReactElement | null {
  switch (item.kind) {
    case 'user':
      return <UserMessage content={item.content} attachments={item.attachments} />
    case 'text':
      return (
        <div className="answer" aria-label="Answer" role="article" aria-busy={item.isStreaming}>
          <Loaded part={markdown} name="The answer">
            {(Markdown) => <Markdown text={visible(item.text)} top={2} />}
          </Loaded>
        </div>
      )
    case 'reasoning':
      return (
        <details className="reasoning">
          <summary>Reasoning</summary>
          <CappedText text={visible(item.text)} className="quiet" />
        </details>
      )
    case 'call':
      return <ToolCard call={item.call} />
    case 'notice':
      return <Notice code={item.code} message={item.message} server={item.server} />
    case 'end':
      if (item.reason === 'cancelled') {
        return <p className="thread-notice quiet">You stopped this answer.</p>
      }
      return (
        <Note tone="warning" title={endWords(item.reason)}>
          {item.message !== undefined && <span className="wrap">{visible(item.message)}</span>}
        </Note>
      )
  }
}

function UserMessage({
  content,
  attachments,
}: {
  readonly content: readonly ModelContent[]
  readonly attachments: readonly { readonly server: string; readonly uri: string }[]
}): ReactElement {
  return (
    <div className="said" role="article" aria-label="You">
      {content.map((part, at) => (
        // Parts have no identity but their place.
        <UserPart key={at} part={part} />
      ))}
      {attachments.map(({ server, uri }) => (
        <div key={`${server} ${uri}`} className="quiet wrap">
          Attached: {visible(uri)} of {visible(server)}
        </div>
      ))}
    </div>
  )
}

function UserPart({ part }: { readonly part: ModelContent }): ReactElement {
  if (part.type !== 'text') {
    return <Media data={part.data} mimeType={part.mimeType} name={part.type} />
  }
  const [, label, data] = fencedData.exec(part.text) ?? []
  if (label === undefined || data === undefined) {
    return <CappedText text={visible(part.text)} className="said-text" />
  }
  return (
    <details className="said-data">
      <summary>{visible(label)}</summary>
      <CappedText text={visible(data)} />
    </details>
  )
}

const loud = new Set(['definition-changed', 'hidden-characters', 'look-alike', 'warning', 'limit'])

function Notice(props: {
  readonly code: string
  readonly message: string
  readonly server?: string | undefined
}): ReactElement {
  const { code, message, server } = props
  const words = `${server === undefined ? '' : `${visible(server)}: `}${visible(message)}`
  if (!loud.has(code)) return <p className="thread-notice quiet wrap">{words}</p>
  return (
    <Note tone="warning">
      <span className="wrap">{words}</span>
    </Note>
  )
}

const ends: { readonly [reason: string]: string } = {
  limit: 'A limit ended the turn',
  'model-error': 'The model did not answer',
  'tool-error': 'A tool failed, and the model said nothing more',
  unanswered: 'A question stayed unanswered',
}

function endWords(reason: string): string {
  return ends[reason] ?? reason
}

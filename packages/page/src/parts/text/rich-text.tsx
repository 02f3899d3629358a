import { Button } from '@mantine/core'
import { useState, type ReactElement } from 'react'

import { looksLikeMarkdown } from '../../markdown/looks-like-markdown.ts'
import { createLoadable, useLoadable } from '../loadable.ts'
import { CappedText } from './capped-text.tsx'

import '../../markdown/markdown.css'

const markdown = createLoadable(async () => (await import('../../markdown/markdown.tsx')).Markdown)
const sourceKey = 'parley-markdown-source'

export interface RichTextProps {
  readonly text: string
  /**
   * Whether it is Markdown: `yes` where the server says so, `guess` where nobody says anything, `ask` where it is said to
   * be plain text, which can be shown as Markdown on request.
   */
  readonly isMarkdown?: 'yes' | 'guess' | 'ask'
  /** How much is shown at first. */
  readonly limit?: number
  readonly className?: string
}

/** Text of a server: Markdown rendered, with its source one press away; everything else as it came. */
export function RichText({ text, isMarkdown = 'guess', ...capped }: RichTextProps): ReactElement {
  const [isSource, setIsSource] = useState(() => isMarkdown === 'ask' || prefersSource())
  if (isMarkdown !== 'yes' && !looksLikeMarkdown(text))
    return <CappedText text={text} {...capped} />

  function toggle() {
    setIsSource(!isSource)
    if (isMarkdown !== 'ask') rememberSource(!isSource)
  }

  return (
    <div className="rich-text">
      {isSource ? <CappedText text={text} {...capped} /> : <Rendered text={text} {...capped} />}
      <Button variant="subtle" size="compact-xs" ml={-7} onClick={toggle}>
        {isSource ? 'Show rendered' : 'Show source'}
      </Button>
    </div>
  )
}

function Rendered({ text, limit = 6000, className }: Omit<RichTextProps, 'isMarkdown'>) {
  const [isAll, setIsAll] = useState(false)
  const loading = useLoadable(markdown)
  if (loading.state !== 'ready') {
    return <CappedText text={text} limit={limit} {...(className !== undefined && { className })} />
  }
  const { value: Markdown } = loading
  // What hangs over a little is not worth a press.
  const isCut = !isAll && text.length > limit * 1.2
  return (
    <>
      <Markdown text={isCut ? cutAtLine(text, limit) : text} />
      {isCut && (
        <Button variant="subtle" size="compact-xs" ml={-7} onClick={() => setIsAll(true)}>
          Show more ({(text.length - limit).toLocaleString('en')} characters left)
        </Button>
      )}
    </>
  )
}

/** Not in the middle of a line, if there are any. */
function cutAtLine(text: string, limit: number): string {
  const end = text.lastIndexOf('\n', limit)
  return text.slice(0, end > limit / 2 ? end : limit)
}

function prefersSource(): boolean {
  try {
    return localStorage.getItem(sourceKey) === 'true'
  } catch {
    return false
  }
}

function rememberSource(isSource: boolean) {
  try {
    localStorage.setItem(sourceKey, String(isSource))
  } catch {
    // Without storage it holds for this text.
  }
}

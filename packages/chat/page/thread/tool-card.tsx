import { UnstyledButton } from '@mantine/core'
import { Icon } from '@parley/page/icons'
import { createLoadable, formatMs, Loaded, Media, Tag } from '@parley/page/parts'
import { useId, useState, type ReactElement } from 'react'

import { useStore } from '../store.ts'
import { visible } from '../visible.ts'
import { callDuration, callState } from './call-state.ts'
import type { CallView } from './read-thread.ts'

const detail = createLoadable(async () => (await import('./call-detail.tsx')).CallDetail)
const appPlace = createLoadable(async () => (await import('./app-place.tsx')).AppLocation)

/** A call: one line, and on demand everything about it. */
export function ToolCard({ call }: { readonly call: CallView }): ReactElement {
  const [isOpen, setIsOpen] = useState(false)
  const id = useId()
  const { server, tool, progress, result } = call
  const state = callState(call)
  const tookMs = callDuration(call)
  const pictures = result?.content.filter((block) => block.type === 'image') ?? []
  const hasApp = useStore(({ servers }) =>
    servers
      .find(({ name }) => name === server)
      ?.tools.some(({ name, appUri }) => name === tool && appUri !== undefined),
  )
  return (
    <section className="tool-card" aria-label={`Call of ${visible(tool)}`}>
      <UnstyledButton
        className="tool-card-line"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setIsOpen(!isOpen)}
      >
        {state.isRunning ? (
          <Icon name="refresh" size={15} className="spin" />
        ) : (
          <Icon name={state.icon} size={15} className={`tone-${state.tone}`} />
        )}
        <span className="tool-card-name cut">
          {server !== '' && <span className="quiet">{visible(server)} · </span>}
          <span className="tool-card-tool">{visible(tool)}</span>
        </span>
        <span className="grow cut quiet mono">{shortArguments(call)}</span>
        {state.word === 'done' ? (
          <span className="visually-hidden">{state.word}</span>
        ) : (
          <Tag tone={state.tone}>{state.word}</Tag>
        )}
        {tookMs !== undefined && <span className="quiet tabular">{formatMs(tookMs)}</span>}
        <Icon name={isOpen ? 'chevronDown' : 'chevronRight'} size={14} />
      </UnstyledButton>
      {state.isRunning && <CallProgress progress={progress} />}
      {hasApp === true && (
        <Loaded part={appPlace} name="The app">
          {(AppLocation) => <AppLocation call={call} />}
        </Loaded>
      )}
      {!isOpen && pictures.length > 0 && (
        <div className="tool-card-pictures">
          {pictures.map(({ data, mimeType }, at) => (
            // Blocks have no identity but their place.
            <Media key={at} data={data} mimeType={mimeType} name="picture" />
          ))}
        </div>
      )}
      <div id={id} hidden={!isOpen}>
        {isOpen && (
          <Loaded part={detail} name="The call">
            {(CallDetail) => <CallDetail call={call} />}
          </Loaded>
        )}
      </div>
    </section>
  )
}

/** What a call reports while it runs: its words, and how far it is if it says so. */
function CallProgress({ progress }: Pick<CallView, 'progress'>): ReactElement | null {
  if (progress === undefined) return null
  const { total, message = '' } = progress
  const part =
    total !== undefined && total > 0
      ? Math.min(1, Math.max(0, progress.progress / total))
      : undefined
  return (
    <div className="tool-card-progress row quiet">
      <span className="grow cut">{visible(message)}</span>
      <span className="tabular">
        {part === undefined ? progress.progress : `${Math.round(part * 100)} %`}
      </span>
    </div>
  )
}

function shortArguments({ arguments: args, decision }: CallView): string {
  const text = JSON.stringify(decision?.arguments ?? args)
  return visible(text === '{}' ? '' : text.slice(0, 200))
}

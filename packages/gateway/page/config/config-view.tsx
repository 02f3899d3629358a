import { Button } from '@mantine/core'
import { CodeBlock } from '@parley/page/markdown'
import { Empty, Note, Tag } from '@parley/page/parts'
import { useState, type ReactElement } from 'react'

import type { ConfigPreview } from '../../src/page-service/protocol.ts'
import { openChannel } from '../channel.ts'
import { Answer, useAsked } from '../parts/asked.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { Differences } from '../parts/differences.tsx'
import { useStore } from '../store.ts'

/** The file that the gateway runs with, and what reading it again would change. */
export function ConfigView(): ReactElement {
  const hasReload = useStore((store) => store.state?.has.reload ?? false)
  const asked = useAsked(() => openChannel().ask('config/get', {}), [])
  const preview = useAsked(
    () => (hasReload ? openChannel().ask('config/preview', {}) : Promise.resolve(undefined)),
    [hasReload],
  )
  const readAgain = () => {
    if (preview.state !== 'loading') preview.retry()
    if (asked.state !== 'loading') asked.retry()
  }
  return (
    <div className="view">
      {hasReload && (
        <section className="card" aria-label="The file now">
          <div className="card-head wrap-row">
            <h2>The file now</h2>
            <span className="grow" />
            <Button size="compact-sm" variant="default" onClick={readAgain}>
              Check for changes
            </Button>
          </div>
          <div className="pad">
            <Answer asked={preview} name="The difference">
              {(found) =>
                found ? (
                  <Preview preview={found} onApplied={readAgain} />
                ) : (
                  <Empty icon="gear" title="No file" />
                )
              }
            </Answer>
          </div>
        </section>
      )}
      <Answer asked={asked} name="The configuration">
        {({ file, text, files }) => (
          <section className="card" aria-label="In use">
            <div className="card-head wrap-row">
              <h2>In use</h2>
              <span className="mono quiet cut">{file}</span>
              {files.length > 1 && <Tag>{files.length - 1} imported</Tag>}
            </div>
            <CodeBlock text={text} language="yaml" />
          </section>
        )}
      </Answer>
    </div>
  )
}

function Preview(props: {
  readonly preview: ConfigPreview
  readonly onApplied: () => void
}): ReactElement {
  const { problems, servers, differences, needRestart } = props.preview
  const [isAsking, setIsAsking] = useState(false)
  const errors = problems.filter(({ level }) => level === 'error')
  const isSame = differences.length === 0
  return (
    <div className="stack">
      {problems.map(({ level, file, line, key, message, fix }, index) => (
        <Note
          // Problems have no identity but their place.
          key={index}
          tone={level === 'error' ? 'bad' : 'warning'}
          title={`${file.split('/').at(-1) ?? file}${line === undefined ? '' : `:${line}`} ${key ?? ''}`}
        >
          <div className="wrap">{message}</div>
          {fix !== undefined && <div className="hint wrap">{fix}</div>}
        </Note>
      ))}
      {isSame && errors.length === 0 && (
        <Note tone="good">In sync: the file is as the gateway uses it.</Note>
      )}
      {!isSame && (
        <>
          <dl className="facts">
            <dt>Added</dt>
            <dd>{servers.added.join(', ') || 'none'}</dd>
            <dt>Removed</dt>
            <dd>{servers.removed.join(', ') || 'none'}</dd>
            <dt>Started anew</dt>
            <dd>{servers.changed.join(', ') || 'none'}</dd>
          </dl>
          {needRestart.length > 0 && (
            <Note tone="warning">
              {needRestart.join(', ')} changed: that needs a new start of the gateway.
            </Note>
          )}
          <Differences differences={differences} />
          <div>
            <Button disabled={errors.length > 0} onClick={() => setIsAsking(true)}>
              Apply
            </Button>
            {errors.length > 0 && (
              <span className="quiet"> A file with errors changes nothing.</span>
            )}
          </div>
        </>
      )}
      {isAsking && (
        <Confirm
          title="Apply the file"
          word="Apply"
          onConfirm={async () => {
            await openChannel().ask('config/apply', {})
            props.onApplied()
          }}
          onClose={() => setIsAsking(false)}
        >
          Servers that are new or different are started; calls to those that go may finish for ten
          seconds.
        </Confirm>
      )}
    </div>
  )
}

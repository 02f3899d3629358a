import { Button, Loader, SegmentedControl } from '@mantine/core'
import { Messages } from '@parley/page/content'
import { JsonTree, leadToError } from '@parley/page/form'
import { Icon } from '@parley/page/icons'
import { recordOf } from '@parley/page/json'
import { ArgumentField, formatMs, ItemTitle, RichText } from '@parley/page/parts'
import { LoadPeerIcon, PeerIcon } from '@parley/page/peer-icons'
import { useEffect, useRef, useState, type ReactElement } from 'react'

import type { ServerView } from '../../src/protocol/index.ts'
import { completeBy } from '../complete.ts'
import { isConnected } from '../lists.ts'
import { metaFor, RequestMeta } from '../parts/request-meta.tsx'
import { RunQuestions } from '../requests/run-questions.tsx'
import { resourceActions } from '../resources/resource-actions.ts'
import { startRun, useRuns } from '../runs.ts'
import { useDraft } from '../tools/drafts.ts'
import { RunErrorView } from '../tools/run-error.tsx'

/** A prompt as the panel needs it. */
export interface PromptItem {
  readonly name: string
  readonly title: string | undefined
  readonly description: string | undefined
  /** As the server sent them. */
  readonly icons: unknown
  readonly args: readonly {
    readonly name: string
    readonly title: string | undefined
    readonly description: string | undefined
    readonly isRequired: boolean
  }[]
}

export interface PromptViewProps {
  readonly server: ServerView
  readonly prompt: PromptItem
}

/** A prompt's arguments, completed by the server, and the messages it makes of them. */
export function PromptView({ server, prompt }: PromptViewProps): ReactElement {
  const [draft, setValues] = useDraft(`prompt\n${server.name}\n${prompt.name}`, () => ({}))
  const values = textsOf(draft)
  const [mode, setMode] = useState<'messages' | 'raw'>('messages')
  const run = useRuns(({ runs }) =>
    runs.find(
      (candidate) =>
        candidate.server === server.name &&
        candidate.method === 'prompts/get' &&
        candidate.subject === prompt.name,
    ),
  )
  const canComplete = server.session?.server.capabilities['completions'] !== undefined
  const filled = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))
  const outcome = run?.outcome
  const missing = prompt.args.filter(({ name, isRequired }) => isRequired && !(name in filled))
  const [attempt, setAttempt] = useState(0)
  const isBlocked = attempt > 0 && missing.length > 0
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (attempt > 0) leadToError(form.current)
  }, [attempt])

  /** What the server says it needs is asked for first; who wants to see what it says without insists. */
  function check() {
    if (missing.length > 0) {
      setAttempt(attempt + 1)
      return
    }
    setAttempt(0)
    get()
  }

  function get() {
    void startRun({
      server: server.name,
      method: 'prompts/get',
      params: { name: prompt.name, arguments: filled, ...metaFor(server.name) },
      subject: prompt.name,
    })
  }

  return (
    <>
      <form
        className="template-form"
        onSubmit={(event) => {
          event.preventDefault()
          check()
        }}
        noValidate
        ref={form}
      >
        <div className="tool-title">
          <PeerIcon server={server.name} icons={prompt.icons} size={22} />
          <h2 className="cut">
            <ItemTitle title={prompt.title} name={prompt.name} />
          </h2>
          <LoadPeerIcon server={server.name} icons={prompt.icons} />
        </div>
        {prompt.description !== undefined && (
          <RichText text={prompt.description} limit={600} className="prose" />
        )}
        {prompt.args.length === 0 && <p className="quiet">Takes no arguments.</p>}
        {prompt.args.length > 0 && (
          <div className="template-fields">
            {prompt.args.map(({ name, title, description, isRequired }) => (
              <ArgumentField
                key={name}
                complete={(params) => completeBy(server.name, params)}
                reference={{ type: 'ref/prompt', name: prompt.name }}
                canComplete={canComplete}
                name={name}
                label={title ?? name}
                description={description}
                required={isRequired}
                error={
                  isBlocked && missing.some((candidate) => candidate.name === name)
                    ? 'The prompt requires it.'
                    : undefined
                }
                value={values[name] ?? ''}
                onChange={(value) => setValues({ ...values, [name]: value })}
                others={Object.fromEntries(Object.entries(filled).filter(([key]) => key !== name))}
              />
            ))}
          </div>
        )}
        <RequestMeta server={server.name} />
        <div className="row wrap-row">
          <Button
            type="submit"
            data-run
            disabled={!isConnected(server)}
            leftSection={<Icon name="play" size={14} />}
          >
            Get messages
          </Button>
          {!isConnected(server) && <span className="quiet">Not connected</span>}
          {isBlocked && isConnected(server) && (
            <>
              <span className="field-error">
                Not sent: {missing.length === 1 ? 'an argument is' : 'arguments are'} missing
              </span>
              <Button variant="default" size="compact-sm" onClick={get}>
                Send anyway
              </Button>
            </>
          )}
          {run?.state === 'running' && (
            <Loader size={14} role="status" aria-label="Waiting for the messages" />
          )}
          {outcome && <span className="quiet">{formatMs(outcome.durationMs)}</span>}
          <span className="grow" />
          {outcome?.result && (
            <SegmentedControl
              aria-label="How to show the messages"
              value={mode}
              onChange={setMode}
              data={[
                { value: 'messages', label: 'Messages' },
                { value: 'raw', label: 'Raw' },
              ]}
            />
          )}
        </div>
      </form>
      <div className="column-scroll">
        {run && <RunQuestions run={run} />}
        {outcome?.error && <RunErrorView error={outcome.error} />}
        {outcome?.result && mode === 'messages' && (
          <Messages messages={outcome.result['messages']} resources={resourceActions(server)} />
        )}
        {outcome?.result && mode === 'raw' && (
          <JsonTree value={outcome.result} label="Result as it came" />
        )}
      </div>
    </>
  )
}

function textsOf(draft: unknown): { readonly [name: string]: string } {
  const pairs = Object.entries(recordOf(draft)).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' ? [[name, value]] : [],
  )
  return Object.fromEntries(pairs)
}

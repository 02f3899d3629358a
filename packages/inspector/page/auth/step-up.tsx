import { Autocomplete, Button, TextInput } from '@mantine/core'
import { isJsonObject } from '@parley/mcp/json'
import { JsonEditor, JsonTree } from '@parley/page/form'
import { Icon } from '@parley/page/icons'
import { jsonOf, textOf } from '@parley/page/json'
import { ProblemNote, problemOf, Tag, type Tone } from '@parley/page/parts'
import { useState, type ReactElement } from 'react'

import type { AuthView, ServerView, StepUpStage } from '../../src/protocol/index.ts'
import { openChannel } from '../channel.ts'
import { useList } from '../lists.ts'
import { SignInLink } from './sign-in-link.tsx'

const titles: Readonly<Record<StepUpStage['stage'], string>> = {
  token: 'Before',
  challenge: 'The challenge',
  consent: 'The question',
  grant: 'The new token',
  call: 'The call again',
}

const looks: Readonly<
  Record<StepUpStage['verdict'], { readonly word: string; readonly tone: Tone }>
> = {
  right: { word: 'right', tone: 'good' },
  wrong: { word: 'wrong', tone: 'bad' },
  note: { word: 'note', tone: 'plain' },
}

export interface StepUpTestProps {
  readonly server: ServerView
  readonly view: AuthView | undefined
}

/** Calls a tool with too few scopes, and shows how the client gets those that are missing. */
export function StepUpTest({ server, view }: StepUpTestProps): ReactElement {
  const { items } = useList(server, 'tools')
  const [tool, setTool] = useState('')
  const [args, setArgs] = useState<{ [name: string]: unknown }>({})
  const [scope, setScope] = useState('')
  const [error, setError] = useState<unknown>()
  const [isBusy, setIsBusy] = useState(false)
  const { stepUp } = view ?? {}

  async function run() {
    setIsBusy(true)
    setError(undefined)
    try {
      await openChannel().ask('auth/step-up', {
        server: server.name,
        tool: tool.trim(),
        arguments: args,
        ...(scope.trim() !== '' && { scope: scope.trim() }),
      })
    } catch (problem) {
      setError(problem)
    } finally {
      setIsBusy(false)
    }
  }

  return (
    <section className="card" aria-label="Step-up">
      <div className="card-head">
        <h2>A call that needs more scopes</h2>
      </div>
      <div className="card-body stack">
        <p className="quiet">
          Signs in with few scopes, calls a tool that needs more, and shows what happens: the server
          refuses and names the missing scopes, the user allows them, and the call is sent again.
        </p>
        <form
          className="auth-form"
          onSubmit={(event) => {
            event.preventDefault()
            void run()
          }}
        >
          <Autocomplete
            label="Tool"
            description="A tool that needs more scopes"
            value={tool}
            onChange={setTool}
            data={[...new Set(items.map((item) => textOf(item['name']) ?? ''))]}
          />
          <TextInput
            label="Start with these scopes"
            description="Empty: with the current token"
            value={scope}
            onChange={(event) => setScope(event.currentTarget.value)}
          />
          <Button
            type="submit"
            variant="default"
            loading={isBusy}
            disabled={tool.trim() === ''}
            leftSection={<Icon name="play" size={13} />}
          >
            Try it
          </Button>
        </form>
        <details className="claims">
          <summary>Arguments of the call</summary>
          <JsonEditor
            isSmall
            label="Arguments of the call"
            value={jsonOf(args)}
            onChange={(value) => setArgs(isJsonObject(value) ? value : {})}
          />
        </details>
        {error !== undefined && (
          <ProblemNote problem={problemOf(error)} title="The test could not be run" />
        )}
        {stepUp !== undefined && <Stages stepUp={stepUp} />}
        {isBusy && view?.openUrl !== undefined && <SignInLink url={view.openUrl} />}
      </div>
    </section>
  )
}

function Stages({ stepUp }: { readonly stepUp: NonNullable<AuthView['stepUp']> }) {
  const { stages, isRunning, outcome, tool } = stepUp
  return (
    <>
      <ol className="stages" aria-label={`What happened with ${tool}`}>
        {stages.map(({ stage, verdict, text, scopes }, index) => (
          // Stages are only added at the end.
          <li key={index}>
            <span className="stage-name">{titles[stage]}</span>
            <Tag tone={looks[verdict].tone}>{looks[verdict].word}</Tag>
            <span className="wrap">
              {text}
              {scopes !== undefined && <Scopes scopes={scopes} />}
            </span>
          </li>
        ))}
        {isRunning && (
          <li aria-live="polite">
            <span className="stage-name quiet">…</span>
            <span className="quiet">under way</span>
          </li>
        )}
      </ol>
      {outcome !== undefined && (
        <details className="claims">
          <summary>What was answered</summary>
          <JsonTree value={outcome.error ?? outcome.result ?? null} label="What was answered" />
        </details>
      )}
    </>
  )
}

/** Scopes as they are written, each on its own. */
export function Scopes({ scopes }: { readonly scopes: readonly string[] }): ReactElement {
  if (scopes.length === 0) return <span className="quiet"> no scopes</span>
  return (
    <>
      {scopes.map((scope) => (
        <code key={scope} className="code-inline scope">
          {scope}
        </code>
      ))}
    </>
  )
}

import { SegmentedControl, useComputedColorScheme } from '@mantine/core'
import type { JsonObject } from '@parley/mcp'
import { isToolFor } from '@parley/mcp/apps'
import { AppFrame } from '@parley/page/app-frame'
import { recordOf } from '@parley/page/json'
import { problemOf, ProblemNote } from '@parley/page/parts'
import { useCallback, useEffect, useId, useState, type ReactElement } from 'react'

import type { AppView as LoadedApp, Problem, ServerView } from '../../src/protocol/index.ts'
import { openChannel } from '../channel.ts'
import { useList } from '../lists.ts'
import { useStore } from '../store.ts'
import { AppFindings } from './app-findings.tsx'

import './apps.css'

export interface AppViewProps {
  readonly server: ServerView
  readonly uri: string
  /** The call it is shown for: the tool as listed, its arguments and its result. */
  readonly call?:
    | { readonly tool: JsonObject; readonly input: JsonObject; readonly result: JsonObject }
    | undefined
}

/** The app of a tool or a resource, live: its policy, its page in a frame, and a choice of themes. */
export function AppView({ server, uri, call }: AppViewProps): ReactElement {
  const { name } = server
  const frame = useId()
  const scheme = useComputedColorScheme('light')
  const [theme, setTheme] = useState<'page' | 'light' | 'dark'>('page')
  const { loaded, problem, load } = useApp(name, uri)
  const sandboxPort = useStore((store) => store.sandboxPort)
  const version = useStore((store) => store.version)
  const tools = useList(server, 'tools')

  const onMessage = useCallback(
    (direction: 'in' | 'out', message: JsonObject) => {
      openChannel()
        .ask('apps/trace', { server: name, frame: `${frame} ${uri}`, app: uri, direction, message })
        .catch(() => undefined) // the trace lacks a line, the app goes on
    },
    [name, frame, uri],
  )
  const callTool = (tool: string, args: JsonObject, signal: AbortSignal) => {
    const listed = tools.items.find((item) => item['name'] === tool)
    if (listed === undefined) return Promise.reject(new Error(`${name} lists no tool ${tool}`))
    if (!isToolFor('app', { _meta: recordOf(listed['_meta']) }))
      return Promise.reject(new Error(`${tool} is not for apps`))
    return request(name, 'tools/call', { name: tool, arguments: args }, signal)
  }

  if (problem)
    return (
      <ProblemNote problem={problem} title="This is not an app that can be shown" retry={load} />
    )
  if (loaded === undefined) return <p className="quiet">Reading the page of the app</p>
  return (
    <div className="stack-tight">
      <AppFindings findings={loaded.findings} />
      <SegmentedControl
        aria-label="Theme of the app"
        value={theme}
        onChange={setTheme}
        data={[
          { value: 'page', label: 'Theme of this page' },
          { value: 'light', label: 'Light' },
          { value: 'dark', label: 'Dark' },
        ]}
        className="app-theme"
      />
      <AppFrame
        sandboxPort={sandboxPort}
        app={loaded.page}
        server={name}
        host={{ name: 'parley-inspector', version }}
        theme={theme === 'page' ? scheme : theme}
        tool={call?.tool}
        input={call?.input}
        result={call?.result}
        callTool={callTool}
        readResource={(address) => request(name, 'resources/read', { uri: address })}
        onMessage={onMessage}
      />
    </div>
  )
}

function useApp(server: string, uri: string) {
  const [loaded, setLoaded] = useState<LoadedApp>()
  const [problem, setProblem] = useState<Problem>()
  const load = useCallback(() => {
    setProblem(undefined)
    openChannel()
      .ask('apps/read', { server, uri })
      .then(setLoaded, (error: unknown) => setProblem(problemOf(error)))
  }, [server, uri])
  useEffect(load, [load])
  return { loaded, problem, load }
}

/** Not among the runs of the page: those are what its user asked for. */
async function request(
  server: string,
  method: string,
  params: JsonObject,
  signal?: AbortSignal,
): Promise<JsonObject> {
  const run = crypto.randomUUID()
  const cancel = () =>
    void openChannel()
      .ask('runs/cancel', { run })
      .catch(() => undefined) // it has ended
  signal?.addEventListener('abort', cancel, { once: true })
  const started = openChannel().ask('runs/start', { server, run, method, params })
  const { result, error } = await started.finally(() =>
    signal?.removeEventListener('abort', cancel),
  )
  if (result !== undefined) return result as JsonObject // came as JSON
  throw new Error(error?.message ?? 'There was no answer.')
}

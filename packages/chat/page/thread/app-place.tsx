import { Button, useComputedColorScheme } from '@mantine/core'
import type { ModelContent } from '@parley/host/models'
import type { JsonObject } from '@parley/mcp'
import type { AppPage } from '@parley/mcp/apps'
import { AppFrame } from '@parley/page/app-frame'
import { problemOf, ProblemNote } from '@parley/page/parts'
import { useEffect, useState, type ReactElement } from 'react'

import { channel } from '../channel.ts'
import { useStore } from '../store.ts'
import type { CallView } from './read-thread.ts'

/** Apps of calls that ended longer ago are shown when asked for. */
const recentMs = 60_000

/** Where the app that belongs to a tool is shown, in the card of its call. Tools without one show nothing here. */
export function AppLocation({ call }: { readonly call: CallView }): ReactElement | null {
  const { server, tool, result, endedAt = 0 } = call
  const uri = useStore(
    ({ servers }) =>
      servers.find(({ name }) => name === server)?.tools.find(({ name }) => name === tool)?.appUri,
  )
  const [isRequested, setIsAsked] = useState(false)
  if (uri === undefined || result?.wasCalled !== true || result.isError) return null
  if (isRequested || Date.now() - endedAt < recentMs) {
    return <ShownApp call={call} uri={uri} result={result} onShown={() => setIsAsked(true)} />
  }
  return (
    <Button size="compact-sm" variant="default" onClick={() => setIsAsked(true)}>
      Show the app
    </Button>
  )
}

interface ShownAppProps {
  readonly call: CallView
  readonly uri: string
  readonly result: NonNullable<CallView['result']>
  readonly onShown: () => void
}

function ShownApp({ call, uri, result, onShown }: ShownAppProps): ReactElement | null {
  const { server } = call
  const [app, setApp] = useState<AppPage>()
  const [problem, setProblem] = useState<unknown>()
  const theme = useComputedColorScheme('light')
  const version = useStore((store) => store.version)
  const sandboxPort = useStore((store) => store.sandboxPort)
  const conversation = useStore((store) => store.shown?.id)
  useEffect(() => {
    onShown()
    channel.ask('apps/read', { server, uri }).then(setApp, setProblem)
    // Once: the page of a server changes with the server.
  }, [server, uri])
  if (problem !== undefined) {
    return <ProblemNote problem={problemOf(problem)} title="The app cannot be shown" />
  }
  if (app === undefined) return null
  const { content, structuredContent } = result
  const parts: object = { content, ...(structuredContent !== undefined && { structuredContent }) }
  const shown = parts as JsonObject // came as JSON
  return (
    <AppFrame
      sandboxPort={sandboxPort}
      app={app}
      server={server}
      host={{ name: 'parley-chat', version }}
      theme={theme}
      input={call.decision?.arguments ?? call.arguments}
      result={shown}
      consent="caller"
      callTool={(name, args, signal) => callTool(server, name, args, signal)}
      readResource={
        (address) => channel.ask('apps/resource', { server, uri: address }) as Promise<JsonObject> // comes as JSON
      }
      sendMessage={async (text) => {
        if (conversation === undefined) throw new Error('no conversation is shown')
        await channel.ask('turns/say', { conversation, input: text })
      }}
      updateContext={async ({ content: blocks = [], structuredContent: value }) => {
        if (conversation === undefined) throw new Error('no conversation is shown')
        const note = { content: blocks.map(readable), ...(value && { structuredContent: value }) }
        await channel.ask('apps/context', { conversation, server, app: uri, ...note })
      }}
    />
  )
}

/** A block as models read it; what they have no form for as its JSON. */
function readable(block: JsonObject): ModelContent {
  const { type, text, mimeType, data } = block
  if (type === 'text' && typeof text === 'string') return { type, text }
  const isMedia = type === 'image' || type === 'audio'
  if (isMedia && typeof mimeType === 'string' && typeof data === 'string') {
    return { type, mimeType, data }
  }
  return { type: 'text', text: JSON.stringify(block) }
}

/** What the service calls each app that is shown, by the signal that aborts when it no longer is. */
const ids = new WeakMap<AbortSignal, string>()

/** Calls a tool for an app. The service asks a person, and forgets what was allowed when the app is no longer shown. */
async function callTool(
  server: string,
  tool: string,
  args: JsonObject,
  signal: AbortSignal,
): Promise<JsonObject> {
  signal.throwIfAborted()
  const app = ids.get(signal) ?? register(signal)
  const result = await channel.ask('apps/call', { app, server, tool, arguments: args })
  return result as JsonObject // came as JSON
}

function register(signal: AbortSignal): string {
  const app = crypto.randomUUID()
  ids.set(signal, app)
  const end = () => void channel.ask('apps/end', { app }).catch(() => undefined) // the service has gone, too
  signal.addEventListener('abort', end, { once: true })
  return app
}

/**
 * Shows an app of a server in a sandboxed frame, and answers its requests with what the page allows. Leaves the sandbox's own page and its
 * policy to the service, and questions to the user to the page that shows the frame. Used by the chat and the Inspector.
 */

import { Button } from '@mantine/core'
import type { JsonObject } from '@parley/mcp'
import type { AppHostContext, AppPage } from '@parley/mcp/apps'
import { isJsonObject } from '@parley/mcp/json'
import { useEffect, useRef, useState, type ReactElement } from 'react'

import { Note } from '../parts/problem.tsx'
import { createAppBridge, type AppBridge } from './app-bridge.ts'
import { AppQuestion } from './app-question.tsx'
import { AppReach } from './app-reach.tsx'
import { AppRejection, type AppContext, type AppRequest } from './app-request.ts'
import { styleVariables } from './style-variables.ts'
import { maxQuestions, useConsent } from './use-consent.ts'

import './app-frame.css'

export interface AppFrameProps {
  /** Of `startAppSandbox`; undefined where the program has none. */
  readonly sandboxPort: number | undefined
  /** As `readApp` gives it. */
  readonly app: AppPage
  /** Whose app it is, for questions. */
  readonly server: string
  /** Of the host, for the app. */
  readonly host: { readonly name: string; readonly version: string }
  readonly theme: 'light' | 'dark'
  /** The tool that the app is shown for, as listed. */
  readonly tool?: JsonObject | undefined
  readonly input?: JsonObject | undefined
  /** Told to the app as soon as it is there. */
  readonly result?: JsonObject | undefined
  readonly cancelled?: string | undefined
  /**
   * Calls a tool of the app's own server; rejects with the reason if it must not be called by apps. The signal aborts
   * when the app is no longer shown.
   */
  readonly callTool: (name: string, args: JsonObject, signal: AbortSignal) => Promise<JsonObject>
  /** Reads a resource of the app's own server; apps cannot without it. */
  readonly readResource?: ((uri: string) => Promise<JsonObject>) | undefined
  /** Puts words of the user into the conversation; apps cannot without it. */
  readonly sendMessage?: ((text: string) => Promise<void>) | undefined
  /** Tells the model; apps cannot without it. */
  readonly updateContext?: ((context: AppContext) => Promise<void>) | undefined
  /** Who asks a person before a tool is called: this component, or `callTool` itself. @defaultValue 'frame' */
  readonly consent?: 'frame' | 'caller' | undefined
  /** Every message, in the order it came or went. */
  readonly onMessage?: ((direction: 'in' | 'out', message: JsonObject) => void) | undefined
}

/** Between these an app chooses its height. */
const minHeight = 40
/** Until it has said how high it is. */
const firstHeight = 300
const maxHeight = 1_200
/** A sandbox that is not there by then is not there. */
const sandboxMs = 30_000

type Phase =
  | { readonly kind: 'loading' | 'shown' }
  | { readonly kind: 'over'; readonly why: string; readonly isFailure: boolean }

/**
 * An app of a server in a frame of another origin. It reaches what it declared, and asks a person for everything else. A
 * change of `app` shows the new one; a change of theme, input or result is told to the one that is shown.
 */
export function AppFrame(props: AppFrameProps): ReactElement {
  const { sandboxPort, app, server, theme, input, result, cancelled } = props
  const frame = useRef<HTMLIFrameElement>(null)
  const bridge = useRef<AppBridge>(undefined)
  const ending = useRef<() => void>(undefined)
  const current = useRef(props)
  const [phase, setPhase] = useState<Phase>({ kind: 'loading' })
  const [height, setHeight] = useState(firstHeight)
  const [shows, setShows] = useState(0)
  const { question, ask, withdraw } = useConsent()
  current.current = props

  useEffect(() => {
    const element = frame.current
    if (element === null || sandboxPort === undefined) return undefined
    const address = sandboxAddress(location.origin, sandboxPort, app.csp)
    const post = (message: object) => element.contentWindow?.postMessage(message, address.origin)
    const aborted = new AbortController()
    const end = () => {
      made.close()
      withdraw()
      aborted.abort(new Error('the app is no longer shown'))
    }
    ending.current = end
    const over = (why: string, isFailure: boolean) => {
      end()
      setPhase({ kind: 'over', why, isFailure })
    }
    const shown: ShownApp = { ask, signal: aborted.signal, calls: 0 }
    const made = createAppBridge({
      host: current.current.host,
      capabilities: capabilitiesOf(current.current),
      context: contextOf(current.current, element),
      send: post,
      answer: (request) => answer(request, current.current, shown),
      onReady: () => setPhase({ kind: 'shown' }),
      onSize: (size) => {
        if (size.height !== undefined)
          setHeight(Math.min(maxHeight, Math.max(minHeight, Math.ceil(size.height))))
      },
      onMessage: (direction, message) => current.current.onMessage?.(direction, message),
    })
    const missing = setTimeout(
      () => over(`the sandbox at ${address.origin} cannot be reached`, true),
      sandboxMs,
    )
    const receive = ({ source, origin, data }: MessageEvent<unknown>) => {
      if (source === null || source !== element.contentWindow || origin !== address.origin) return
      const method = isJsonObject(data) ? data['method'] : undefined
      if (method === 'ui/notifications/sandbox-proxy-ready') {
        clearTimeout(missing)
        const params = { html: current.current.app.html }
        post({ jsonrpc: '2.0', method: 'ui/notifications/sandbox-resource-ready', params })
      } else if (method === 'ui/notifications/sandbox-stopped') {
        over(reasonIn(data), true)
      } else made.receive(data)
    }
    window.addEventListener('message', receive)
    bridge.current = made
    setPhase({ kind: 'loading' })
    element.src = address.href
    const { input: args, result: previousResult, cancelled: why } = current.current
    if (args !== undefined) made.toolInput(args)
    if (previousResult !== undefined) made.toolResult(previousResult)
    else if (why !== undefined) made.toolCancelled(why)
    return () => {
      clearTimeout(missing)
      window.removeEventListener('message', receive)
      void made.teardown('the host shows something else') // the frame goes at once
      end()
    }
  }, [app.uri, app.html, sandboxPort, shows, ask, withdraw])

  useChange(result, (now) => bridge.current?.toolResult(now))
  useChange(input, (now) => bridge.current?.toolInput(now))
  useChange(cancelled, (now) => bridge.current?.toolCancelled(now))
  useChange(theme, () => {
    const element = frame.current
    if (element) bridge.current?.changeContext(lookOf(current.current, element))
  })

  if (sandboxPort === undefined) {
    return <Note tone="info" title="This program cannot show apps" />
  }
  return (
    <div className="app-frame" data-app={app.uri} data-border={app.prefersBorder !== false}>
      <AppReach app={app} />
      {question && (
        <AppQuestion request={question.request} server={server} onAnswer={question.answer} />
      )}
      {phase.kind === 'over' && (
        <Note
          tone={phase.isFailure ? 'bad' : 'info'}
          title={phase.isFailure ? 'The app was stopped' : 'The app is closed'}
          action={
            <Button size="xs" variant="default" onClick={() => setShows((count) => count + 1)}>
              Show it again
            </Button>
          }
        >
          {phase.why}
        </Note>
      )}
      <iframe
        key={`${app.uri} ${shows}`}
        ref={frame}
        title={`App of ${server}`}
        sandbox="allow-scripts allow-same-origin allow-forms"
        referrerPolicy="no-referrer"
        hidden={phase.kind === 'over'}
        data-phase={phase.kind}
        style={{ height }}
      />
      {phase.kind === 'shown' && (
        <div className="row">
          <Button size="compact-xs" variant="subtle" onClick={() => void closeApp()}>
            Close the app
          </Button>
        </div>
      )}
    </div>
  )

  async function closeApp() {
    await bridge.current?.teardown('the user closed it')
    ending.current?.()
    const element = frame.current
    if (element) element.src = 'about:blank'
    setPhase({ kind: 'over', why: 'You closed it.', isFailure: false })
  }
}

/** Where the sandbox is: on the machine of the page, at a port of its own. What the app may reach becomes its policy. */
function sandboxAddress(page: string, port: number, csp: AppPage['csp']): URL {
  const address = new URL('/', page)
  address.port = String(port)
  address.searchParams.set('csp', JSON.stringify(csp))
  return address
}

/** An app while it is in its frame. */
interface ShownApp {
  readonly ask: (request: AppRequest) => Promise<void>
  readonly signal: AbortSignal
  /** Those that `callTool` has not answered. */
  calls: number
}

async function answer(
  request: AppRequest,
  props: AppFrameProps,
  shown: ShownApp,
): Promise<JsonObject> {
  const { ask, signal } = shown
  const { callTool, readResource, sendMessage, updateContext, consent = 'frame' } = props
  switch (request.kind) {
    case 'call':
      if (consent === 'frame') await ask(request)
      else if (shown.calls >= maxQuestions) throw new AppRejection('too many questions are open')
      shown.calls += 1
      return callTool(request.name, request.args, signal).finally(() => (shown.calls -= 1))
    case 'read':
      if (readResource === undefined) throw notOffered('resources/read')
      await ask(request)
      return readResource(request.uri)
    case 'link':
      await ask(request)
      window.open(request.url, '_blank', 'noopener,noreferrer')
      return {}
    case 'message':
      if (sendMessage === undefined) throw notOffered('ui/message')
      await ask(request)
      await sendMessage(request.text)
      return {}
    case 'context':
      if (updateContext === undefined) throw notOffered('ui/update-model-context')
      await ask(request)
      await updateContext(request.context)
      return {}
  }
}

function notOffered(method: string): AppRejection {
  return new AppRejection(`${method} is not offered here`, -32601)
}

function capabilitiesOf({ app, readResource, sendMessage, updateContext }: AppFrameProps) {
  return {
    openLinks: {},
    serverTools: {},
    ...(readResource && { serverResources: {} }),
    ...(sendMessage && { message: {} }),
    ...(updateContext && { updateModelContext: {} }),
    logging: {},
    sandbox: { permissions: {}, csp: app.csp },
  }
}

function contextOf(props: AppFrameProps, element: HTMLElement): AppHostContext {
  return {
    ...lookOf(props, element),
    ...(props.tool && { toolInfo: { tool: props.tool } }),
    displayMode: 'inline',
    availableDisplayModes: ['inline'],
    containerDimensions: { width: element.clientWidth, maxHeight: maxHeight },
    locale: navigator.language,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    userAgent: `${props.host.name}/${props.host.version}`,
    platform: 'web',
  }
}

/** The colours of the page belong to its own scheme; an app that is shown in the other one has its own. */
function lookOf({ theme }: AppFrameProps, element: HTMLElement): AppHostContext {
  const own = document.documentElement.dataset['mantineColorScheme']
  const variables = own === undefined || own === theme ? styleVariables(element) : {}
  return { theme, styles: { variables } }
}

function reasonIn(data: unknown): string {
  const params = isJsonObject(data) ? data['params'] : undefined
  const reason = isJsonObject(params) ? params['reason'] : undefined
  return typeof reason === 'string' ? `${reason}.` : 'It did what it must not.'
}

/** Calls back with each later value, not with the first. */
function useChange<T>(value: T, changed: (value: NonNullable<T>) => void): void {
  const before = useRef(value)
  useEffect(() => {
    if (before.current === value) return
    before.current = value
    if (value !== undefined && value !== null) changed(value)
  })
}

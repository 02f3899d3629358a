/**
 * The page's side of MCP Apps: an app in a frame talks with its host by messages of the window. `connectApp` begins with
 * `ui/initialize`, keeps the context of the host, and sends calls, messages and sizes to it.
 *
 * The function contains everything it needs, because its text is put into pages (`app-script.ts`); so it imports nothing at run
 * time. The host's side is the app frame of `@parley/page`.
 */

import type {
  AppDisplayMode,
  AppHostCapabilities,
  AppHostContext,
  AppInitializeResult,
} from '../../schema/apps/app-messages.ts'
import type { ContentBlock } from '../../schema/content.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { LoggingLevel } from '../../schema/logging.ts'
import type { Implementation } from '../../schema/metadata.ts'
import type { ReadResourceResult } from '../../schema/resources.ts'
import type { CallToolResult } from '../../schema/tools.ts'

/** The description of a page, and its handlers. */
export interface ConnectAppOptions {
  /** The name of the page, for programs. */
  readonly name: string
  /** The version of the page. */
  readonly version: string
  /** @defaultValue inline only */
  readonly displayModes?: readonly AppDisplayMode[] | undefined
  /** Tells the host whenever the page has another size. @defaultValue true */
  readonly autoResize?: boolean | undefined
  /** Gives the page the colours of the host: `color-scheme`, `data-theme` and the variables of the specification. @defaultValue true */
  readonly followTheme?: boolean | undefined
  /** How long the host may take for an answer; people may be asked. @defaultValue 300_000 */
  readonly timeoutMs?: number | undefined
  /** The arguments of the call that the page is shown for. */
  readonly onToolInput?: ((input: JsonObject) => void) | undefined
  /** The same while they are written; may change in every way. */
  readonly onToolInputPartial?: ((input: JsonObject) => void) | undefined
  /** Called with the result of the call. */
  readonly onToolResult?: ((result: CallToolResult) => void) | undefined
  /** The call was cancelled: there will be no result. */
  readonly onToolCancelled?: ((reason: string | undefined) => void) | undefined
  /** The whole context, after each change. */
  readonly onContext?: ((context: AppHostContext) => void) | undefined
  /** The page is about to go; the host waits for a moment. */
  readonly onTeardown?: ((reason: string | undefined) => void | Promise<void>) | undefined
  /** The way to the host. @defaultValue the window around this one */
  readonly port?: AppPort | undefined
}

/** Carries messages to a host and back. */
export interface AppPort {
  /** Sends a message to the host. */
  send(message: JsonObject): void
  /** Returns what stops listening. */
  listen(receive: (message: unknown) => void): () => void
}

/** A page with its host. */
export interface App {
  /** The host by name and version. */
  readonly host: Implementation
  /** The capabilities of the host. */
  readonly capabilities: AppHostCapabilities
  /** The latest context of the host. */
  readonly context: AppHostContext
  /** Calls a tool of the page's own server. The host may ask a person first. */
  callTool(name: string, args?: JsonObject): Promise<CallToolResult>
  /** Reads a resource of the page's own server. */
  readResource(uri: string): Promise<ReadResourceResult>
  /** Puts words of the user into the conversation. */
  sendMessage(content: string | readonly ContentBlock[]): Promise<void>
  /** Sets the context of the page for the model. Replaces the one before. */
  updateContext(context: {
    readonly content?: readonly ContentBlock[]
    readonly structuredContent?: JsonObject
  }): Promise<void>
  /** Asks the host to open an address outside. */
  openLink(url: string): Promise<void>
  /** Resolves to the mode that the page has then. */
  requestDisplayMode(mode: AppDisplayMode): Promise<AppDisplayMode>
  /** Sends a log message to the host, if it takes them. */
  log(level: LoggingLevel, data: unknown): void
  /** For pages without `autoResize`. */
  resize(size: { readonly width?: number; readonly height?: number }): void
  /** Stops listening. Requests under way fail. */
  close(): void
}

/**
 * Connects a page in a frame with the host around it. Everything it needs is inside of this function, so that its text
 * can be put into a page: see `appScript`.
 */
export function connectApp(options: ConnectAppOptions): Promise<App> {
  const { displayModes, timeoutMs = 300_000, autoResize = true, followTheme = true } = options
  const waiting = new Map<number, { resolve(value: never): void; reject(error: Error): void }>()
  const page = globalThis as unknown as PageGlobals // what a window has, if this is one
  const found = options.port ?? windowPort()
  if (found === undefined) {
    const why = 'this page is not in a frame of a host: show it in the Inspector, or give a port'
    return Promise.reject(new Error(why))
  }
  const port = found
  const endings: (() => void)[] = []
  let context: AppHostContext = {}
  let nextId = 1
  let isClosed = false

  function windowPort(): AppPort | undefined {
    const { parent } = page
    if (parent === undefined || parent === page.self) return undefined
    return {
      send: (message) => parent.postMessage(message, '*'),
      listen(received) {
        const onMessage = ({ source, data }: { source: unknown; data: unknown }): void => {
          if (source === parent) received(data)
        }
        page.addEventListener('message', onMessage)
        return () => page.removeEventListener('message', onMessage)
      },
    }
  }

  function ask<Result>(method: string, params: object): Promise<Result> {
    const id = nextId
    nextId += 1
    return new Promise<Result>((resolve, reject) => {
      if (isClosed) {
        reject(new Error(`${method}: the app is closed`))
        return
      }
      const timer = setTimeout(() => {
        waiting.delete(id)
        reject(new Error(`${method}: the host did not answer within ${timeoutMs} ms`))
      }, timeoutMs)
      const settleWith = <Value>(end: (value: Value) => void) => {
        return (value: Value) => {
          clearTimeout(timer)
          waiting.delete(id)
          end(value)
        }
      }
      waiting.set(id, { resolve: settleWith(resolve), reject: settleWith(reject) })
      send({ id, method, params })
    })
  }

  function send(message: object): void {
    port.send({ jsonrpc: '2.0', ...message })
  }

  function notify(method: string, params: object): void {
    if (!isClosed) send({ method, params })
  }

  function receive(data: unknown): void {
    if (typeof data !== 'object' || data === null) return
    const { jsonrpc, id, method, params, result, error } = data as Incoming // looked at here
    if (jsonrpc !== '2.0') return
    if (typeof method === 'string') {
      if (id === undefined) hear(method, params ?? {})
      else void answer(id, method, params ?? {})
      return
    }
    const request = typeof id === 'number' ? waiting.get(id) : undefined
    if (request === undefined) return
    if (error === undefined) request.resolve(result as never) // of the type that was asked for
    else request.reject(Object.assign(new Error(error.message), { code: error.code }))
  }

  function hear(method: string, params: JsonObject): void {
    switch (method) {
      case 'ui/notifications/tool-input':
        return options.onToolInput?.((params['arguments'] ?? {}) as JsonObject) // as the specification has it
      case 'ui/notifications/tool-input-partial':
        return options.onToolInputPartial?.((params['arguments'] ?? {}) as JsonObject) // the same
      case 'ui/notifications/tool-result':
        return options.onToolResult?.(params as unknown as CallToolResult) // the same
      case 'ui/notifications/tool-cancelled':
        return options.onToolCancelled?.(reasonIn(params))
      case 'ui/notifications/host-context-changed':
        return setContext({ ...context, ...(params as AppHostContext) }) // the same
      default:
    }
  }

  async function answer(id: unknown, method: string, params: JsonObject): Promise<void> {
    if (method === 'ping') return send({ id, result: {} })
    if (method !== 'ui/resource-teardown') {
      return send({ id, error: { code: -32601, message: `${method} is not known here` } })
    }
    try {
      await options.onTeardown?.(reasonIn(params))
      send({ id, result: {} })
    } catch (error) {
      send({ id, error: { code: -32000, message: String(error) } })
    }
  }

  function reasonIn({ reason }: JsonObject): string | undefined {
    return typeof reason === 'string' ? reason : undefined
  }

  function setContext(next: AppHostContext): void {
    context = next
    if (followTheme) applyTheme()
    options.onContext?.(context)
  }

  function applyTheme(): void {
    const root = page.document?.documentElement
    if (root === undefined) return
    const { theme, styles } = context
    if (theme !== undefined) {
      root.setAttribute('data-theme', theme)
      root.style.setProperty('color-scheme', theme)
    }
    for (const [name, value] of Object.entries(styles?.variables ?? {})) {
      if (value !== undefined) root.style.setProperty(name, value)
    }
  }

  function followSize(): void {
    const root = page.document?.documentElement
    const { ResizeObserver: Observer } = page
    if (root === undefined || Observer === undefined) return
    let last = ''
    const observer = new Observer(() => {
      const { width, height } = root.getBoundingClientRect()
      const size = { width: Math.ceil(width), height: Math.ceil(height) }
      const now = `${size.width} ${size.height}`
      if (now === last) return
      last = now
      notify('ui/notifications/size-changed', size)
    })
    observer.observe(root)
    endings.push(() => observer.disconnect())
  }

  function close(): void {
    isClosed = true
    for (const end of endings) end()
    for (const item of waiting.values()) item.reject(new Error('the app was closed'))
  }

  async function start(): Promise<App> {
    const { hostInfo, hostCapabilities, hostContext } = await ask<AppInitializeResult>(
      'ui/initialize',
      {
        protocolVersion: '2026-01-26',
        appInfo: { name: options.name, version: options.version },
        appCapabilities: { ...(displayModes && { availableDisplayModes: displayModes }) },
      },
    )
    setContext(hostContext ?? {})
    notify('ui/notifications/initialized', {})
    if (autoResize) followSize()
    return {
      host: hostInfo,
      capabilities: hostCapabilities ?? {},
      get context() {
        return context
      },
      callTool: (name, args = {}) => ask('tools/call', { name, arguments: args }),
      readResource: (uri) => ask('resources/read', { uri }),
      async sendMessage(content) {
        const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
        rejectFailure(await ask('ui/message', { role: 'user', content: blocks }))
      },
      async updateContext(input) {
        await ask('ui/update-model-context', input)
      },
      async openLink(url) {
        rejectFailure(await ask('ui/open-link', { url }))
      },
      async requestDisplayMode(mode) {
        return (await ask<{ mode: AppDisplayMode }>('ui/request-display-mode', { mode })).mode
      },
      log: (level, data) => notify('notifications/message', { level, data }),
      resize: (size) => notify('ui/notifications/size-changed', size),
      close,
    }
  }

  /** Some hosts answer with a result that says no. */
  function rejectFailure(result: { isError?: boolean }): void {
    if (result.isError === true) throw new Error('the host refused')
  }

  interface Incoming {
    readonly jsonrpc?: unknown
    readonly id?: unknown
    readonly method?: unknown
    readonly params?: JsonObject
    readonly result?: unknown
    readonly error?: { readonly code: number; readonly message: string }
  }

  endings.push(port.listen(receive))
  return start().catch((error: unknown) => {
    close()
    throw error
  })
}

/** The members of a window that are used; this package has no types of a page. */
interface PageGlobals {
  readonly self?: unknown
  readonly parent?: { postMessage(message: unknown, origin: string): void }
  readonly document?: { readonly documentElement: PageElement }
  readonly ResizeObserver?: new (changed: () => void) => {
    observe(element: PageElement): void
    disconnect(): void
  }
  addEventListener(type: 'message', listener: (event: PageMessage) => void): void
  removeEventListener(type: 'message', listener: (event: PageMessage) => void): void
}
interface PageMessage {
  readonly source: unknown
  readonly data: unknown
}
interface PageElement {
  readonly style: { setProperty(name: string, value: string): void }
  setAttribute(name: string, value: string): void
  getBoundingClientRect(): { readonly width: number; readonly height: number }
}

import type { JsonObject } from '@parley/mcp'
import type { AppHostCapabilities, AppHostContext, AppInitializeResult } from '@parley/mcp/apps'
import { isJsonObject, errorMessage } from '@parley/mcp/json'

import { AppRejection, readAppRequest, type AppRequest } from './app-request.ts'

/** The host's side of the conversation with one app. Knows nothing of frames: messages come in and go out. */
export interface AppBridge {
  /** Takes whatever came from the app. */
  receive(data: unknown): void
  /** Each once, in this order, as soon as the app is ready. */
  toolInput(args: JsonObject): void
  toolResult(result: JsonObject): void
  toolCancelled(reason: string): void
  /** Tells what changed. */
  changeContext(change: AppHostContext): void
  /** Tells the app that it is about to go; resolves when it has answered, or had time to. */
  teardown(reason: string): Promise<void>
  close(): void
}

/** What a bridge needs of its host. */
export interface AppBridgeOptions {
  readonly host: AppInitializeResult['hostInfo']
  readonly capabilities: AppHostCapabilities
  readonly context: AppHostContext
  send(message: JsonObject): void
  /** Does what the app asks for; an `AppRejection` says no. */
  answer(request: AppRequest): Promise<JsonObject>
  onReady?: (() => void) | undefined
  /** How large the app would like to be. */
  onSize?: ((size: { readonly width?: number; readonly height?: number }) => void) | undefined
  /** Every message that was taken or sent. */
  onMessage?: ((direction: 'in' | 'out', message: JsonObject) => void) | undefined
}

/** Requests of an app that wait for an answer. More are refused. */
const maxWaiting = 16
/** An app gets that long to say goodbye. */
const teardownMs = 1_000

/** Answers one app. Nothing is sent to it before it has said that it is ready. */
export function createAppBridge(options: AppBridgeOptions): AppBridge {
  const later: { readonly method: string; readonly params: object }[] = []
  let context = options.context
  let isReady = false
  let isClosed = false
  let waiting = 0
  let nextId = 1
  const reportedMethods = new Set<string>()
  let onGoodbye: { readonly id: number; end(): void } | undefined

  function send(message: object): void {
    if (isClosed) return
    const whole: JsonObject = { jsonrpc: '2.0', ...message }
    options.onMessage?.('out', whole)
    options.send(whole)
  }

  function notify(method: string, params: object): void {
    if (isReady) send({ method, params })
    else later.push({ method, params })
  }

  /** Of the call that the app is shown for, each is told once. */
  function notifyOnce(method: string, params: object): void {
    if (reportedMethods.has(method)) return
    reportedMethods.add(method)
    notify(method, params)
  }

  function receive(data: unknown): void {
    if (isClosed || !isJsonObject(data) || data['jsonrpc'] !== '2.0') return
    const { id, method, params = {} } = data
    const isId = typeof id === 'string' || typeof id === 'number'
    if (typeof method !== 'string') {
      if (isId && onGoodbye?.id === id) onGoodbye.end()
      return
    }
    if (!isJsonObject(params)) {
      if (isId) refuse(id, new AppRejection('Invalid params: not an object', -32602))
      return
    }
    options.onMessage?.('in', data)
    if (id === undefined) hear(method, params)
    else if (isId) void answer(id, method, params)
  }

  function hear(method: string, params: JsonObject): void {
    if (method === 'ui/notifications/initialized' && !isReady) {
      isReady = true
      options.onReady?.()
      for (const message of later.splice(0)) send(message)
    }
    if (method === 'ui/notifications/size-changed') {
      options.onSize?.({ ...sizeIn(params, 'width'), ...sizeIn(params, 'height') })
    }
  }

  async function answer(id: string | number, method: string, params: JsonObject): Promise<void> {
    if (waiting >= maxWaiting) {
      refuse(id, new AppRejection(`${maxWaiting} requests are waiting for an answer`))
      return
    }
    waiting += 1
    try {
      send({ id, result: await resultOf(method, params) })
    } catch (error) {
      refuse(id, error)
    } finally {
      waiting -= 1
    }
  }

  async function resultOf(method: string, params: JsonObject): Promise<object> {
    if (method === 'ui/initialize') {
      return {
        protocolVersion: '2026-01-26',
        hostInfo: options.host,
        hostCapabilities: options.capabilities,
        hostContext: context,
      } satisfies AppInitializeResult
    }
    if (method === 'ping') return {}
    if (method === 'ui/request-display-mode') return { mode: context.displayMode ?? 'inline' }
    const request = readAppRequest(method, params)
    if (request === undefined) throw new AppRejection(`${method} is not offered here`, -32601)
    if (!isReady) throw new AppRejection('the app has not said that it is initialized', -32600)
    return options.answer(request)
  }

  function refuse(id: string | number, error: unknown): void {
    const code = error instanceof AppRejection ? error.code : -32000
    send({ id, error: { code, message: errorMessage(error) } })
  }

  return {
    receive,
    toolInput: (args) => notifyOnce('ui/notifications/tool-input', { arguments: args }),
    toolResult: (result) => notifyOnce('ui/notifications/tool-result', result),
    toolCancelled: (reason) => notifyOnce('ui/notifications/tool-cancelled', { reason }),
    changeContext(change) {
      context = { ...context, ...change }
      if (isReady) send({ method: 'ui/notifications/host-context-changed', params: change })
    },
    async teardown(reason) {
      if (!isReady || isClosed) return
      const id = nextId
      nextId += 1
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, teardownMs)
        onGoodbye = {
          id,
          end() {
            clearTimeout(timer)
            resolve()
          },
        }
        send({ id, method: 'ui/resource-teardown', params: { reason } })
      })
      onGoodbye = undefined
    },
    close() {
      isClosed = true
      onGoodbye?.end()
    },
  }
}

function sizeIn(params: JsonObject, member: 'width' | 'height') {
  const value = params[member]
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
    ? { [member]: value }
    : {}
}

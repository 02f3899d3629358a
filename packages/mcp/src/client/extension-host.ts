import type { Clock } from '../rpc/clock.ts'
import type { OnError } from '../rpc/errors/on-error.ts'
import type { Notification } from '../rpc/message.ts'
import { jsonObject } from '../schema/check.ts'
import type { InputRequests, InputResponses } from '../schema/input/input.ts'
import type { JsonObject } from '../schema/json.ts'
import type { CallToolResult, Tool } from '../schema/tools.ts'
import type { Calls } from './calls/calls.ts'
import type { ClientSession } from './connection/session.ts'
import { inputPart } from './lazy-parts.ts'
import type { CallOptions } from './options.ts'
import type { ToolDefinitions, ToolCallResult } from './tools/tools.ts'

/** The part of a client that this package's own extensions use. */
export interface ExtensionHost {
  readonly clock: Clock
  /** Aborts when the client is closed. */
  readonly closed: AbortSignal
  readonly onError: OnError
  /** The session in use, now or when there is one again. */
  session(): ClientSession | Promise<ClientSession>
  /** Sends a request, again if the connection is lost meanwhile. */
  request(method: string, params: object, options?: CallOptions): Promise<JsonObject>
  /** Answers input requests from a result. */
  ask(requests: InputRequests, about: RequestedFor, signal: AbortSignal): Promise<InputResponses>
  /** Every notification that belongs to no request of this client, unchanged. */
  onNotification(listener: (notification: Notification) => void): Disposable
  /** Asks the server where the tool has not been seen. */
  findTool(name: string): Promise<Tool | undefined>
  /** Compares the result of a tool with what the tool promises. */
  checkOutput(name: string, result: CallToolResult): Promise<ToolCallResult>
}

/** The subject of an input request, for its handler. */
export interface RequestedFor {
  readonly operation: string
  readonly name?: string
}

/** Returns the extension host of a client. Throws for an object that `connect()` did not make. */
export function hostOf(client: object): ExtensionHost {
  const { '~host': host } = client as { readonly '~host'?: ExtensionHost } // set by createClient
  if (host === undefined) throw new TypeError('this is not a client made by connect()')
  return host
}

/** The parts of a client that its extension host needs. */
export interface ExtensionHostContext {
  readonly clock: Clock
  readonly closed: AbortSignal
  readonly onError: OnError
  readonly session: ExtensionHost['session']
  readonly calls: Calls
  readonly toolDefinitions: ToolDefinitions
  readonly checkOutput: ExtensionHost['checkOutput']
}

/** An extension host, and `tell`, which passes a notification to it. */
export function createExtensionHost(
  parts: ExtensionHostContext,
): ExtensionHost & { notify(notification: Notification): void } {
  const { clock, closed, onError, session, calls, toolDefinitions, checkOutput } = parts
  const listeners = new Set<(notification: Notification) => void>()

  return {
    clock,
    closed,
    onError,
    session,
    request: (method, params, own = {}) => calls.send(method, params, own, jsonObject, true),
    async ask(requests, about, signal) {
      const { respondForExtension } = await inputPart.load()
      return respondForExtension(await session(), requests, about, signal)
    },
    onNotification(listener) {
      listeners.add(listener)
      return { [Symbol.dispose]: () => void listeners.delete(listener) }
    },
    notify(notification) {
      for (const onMessage of listeners) onMessage(notification)
    },
    findTool: toolDefinitions.find,
    checkOutput,
  }
}

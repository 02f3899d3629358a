import type { Clock } from '../rpc/clock.ts'
import type { OnError } from '../rpc/error-report.ts'
import type { Notification } from '../rpc/message.ts'
import type { InputRequests, InputResponses } from '../schema/input.ts'
import type { JsonObject } from '../schema/json.ts'
import type { CallToolResult, Tool } from '../schema/tools.ts'
import type { CallOptions } from './options.ts'
import type { ClientSession } from './session.ts'
import type { ToolCallResult } from './tools.ts'

/** What a client offers to our own extensions; not for others. */
export interface ExtensionHost {
  readonly clock: Clock
  /** Aborts when the client is closed. */
  readonly closed: AbortSignal
  readonly onError: OnError
  /** The session in use, now or when there is one again. */
  session(): ClientSession | Promise<ClientSession>
  /** Sends a request, again if the connection is lost meanwhile. */
  request(method: string, params: object, options?: CallOptions): Promise<JsonObject>
  /** Has questions answered that came in a result. */
  ask(requests: InputRequests, about: AskedFor, signal: AbortSignal): Promise<InputResponses>
  /** Every notification that belongs to no request of ours, as it came. */
  hear(listener: (notification: Notification) => void): Disposable
  /** Asks the server where the tool has not been seen. */
  findTool(name: string): Promise<Tool | undefined>
  /** Compares the result of a tool with what the tool promises. */
  checkOutput(name: string, result: CallToolResult): Promise<ToolCallResult>
}

/** What a question is about, for who answers it. */
export interface AskedFor {
  readonly operation: string
  readonly name?: string
}

/** What a client of this package offers. */
export function hostOf(client: object): ExtensionHost {
  const { '~host': host } = client as { readonly '~host'?: ExtensionHost } // set by createClient
  if (host === undefined) throw new TypeError('this is no client made by connect()')
  return host
}

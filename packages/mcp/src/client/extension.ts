/**
 * Extensions of a client, from both sides: the hooks by which an extension changes the client's calls (`ClientExtensionHooks`),
 * and the part of the client that an extension may use (`ExtensionHost`). Tasks are the one extension with hooks; others only
 * declare themselves. Nothing here is public but the type of an extension; the host is made by `create-extension-host.ts`.
 */

import type { Clock } from '../rpc/clock.ts'
import type { OnError } from '../rpc/errors/on-error.ts'
import type { Notification } from '../rpc/message.ts'
import type { ClientCapabilities, Extension } from '../schema/capabilities.ts'
import type { InputRequests, InputResponses } from '../schema/input/input.ts'
import type { JsonObject } from '../schema/json.ts'
import type { CallToolResult, Tool } from '../schema/tools.ts'
import type { RequestCodec } from '../wire/request-codec.ts'
import type { ClientSession } from './connection/session.ts'
import type { InputExtension } from './input/input-extension.ts'
import type { CallOptions } from './options.ts'
import type { ToolCallResult } from './tools/tools.ts'

/** An extension as a client uses it. */
export interface ClientExtension extends Extension<never> {
  readonly '~client'?: ClientExtensionHooks | undefined
}

/** The hooks by which an extension changes a client's own calls. */
export interface ClientExtensionHooks {
  /** Kinds of result it adds, and the methods that may end with each; anywhere else such a result is invalid. */
  readonly results?: { readonly [resultType: string]: readonly string[] } | undefined
  /** How it takes on what a client can be asked; undefined for a client that cannot be asked any such thing. */
  inputRequests?(own: ClientCapabilities): InputExtension | undefined
  /** Params to add to a call, before it is sent; undefined if there are none. */
  prepare?(call: OutgoingCall): Promise<object | undefined>
  /** The kind of a legacy result, which does not say it itself; undefined for an ordinary one. */
  kindOf?(result: JsonObject, method: string, codec: RequestCodec): string | undefined
  /** Follows a result of such a kind to the one the caller waits for. */
  onResult?(resultType: string, result: JsonObject, call: ExtensionCall): Promise<JsonObject>
}

/** A call that has not been sent yet, and the server it goes to. */
export interface OutgoingCall {
  readonly method: string
  readonly params: object | undefined
  readonly options: CallOptions
  readonly session: ClientSession
  readonly host: ExtensionHost
}

/** A call that ended with a result of an extension's own kind. */
export interface ExtensionCall {
  readonly method: string
  readonly params: JsonObject
  readonly options: CallOptions
  readonly codec: RequestCodec
  readonly host: ExtensionHost
  readonly clock: Clock
  /** Aborts when the call is over: cancelled, or the client closed. */
  readonly signal: AbortSignal
  /** Sends a request of the extension, with all that this client says about itself. */
  request(method: string, params: object, options?: CallOptions): Promise<JsonObject>
  /** Answers input requests as those of the call itself. */
  ask(requests: InputRequests): Promise<InputResponses>
}

/** The hooks that handle a kind of result; undefined if no extension declared it for this method. */
export function hooksFor(
  extensions: readonly ClientExtension[],
  resultType: string,
  method: string,
): ClientExtensionHooks | undefined {
  return extensions
    .map((extension) => extension['~client'])
    .find(
      (hooks) =>
        hooks?.results !== undefined &&
        Object.hasOwn(hooks.results, resultType) &&
        hooks.results[resultType]?.includes(method),
    )
}

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

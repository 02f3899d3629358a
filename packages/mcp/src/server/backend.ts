import type { AuthInfo } from '../rpc/auth-info.ts'
import { McpError } from '../rpc/errors/mcp-error.ts'
import type { OnError } from '../rpc/errors/on-error.ts'
import type { RequestObserver } from '../rpc/observer.ts'
import type { PendingOptions } from '../rpc/pending-requests.ts'
import type { MaybePromise } from '../rpc/promise.ts'
import type { ServerCapabilities } from '../schema/capabilities.ts'
import type { JsonObject } from '../schema/json.ts'
import type { LoggingLevel } from '../schema/logging.ts'
import type { Implementation } from '../schema/metadata.ts'
import type { Codec } from '../wire/codec.ts'
import type { Call } from './calls/call.ts'
import type { Outcome } from './calls/dispatch.ts'
import { createDefinition } from './definition.ts'
import type { ClientDescription } from './initialize.ts'
import type { Server } from './server.ts'
import { serveDefinition } from './sessions/serve-connection.ts'

/**
 * Answers for a server that is elsewhere, in place of features: what makes a definition a proxy. Everything around a call
 * stays as it is: sessions, ids, limits, cancellation, streams.
 */
export interface Backend {
  /** A client opens a session. Rejects with `RpcError` if the server cannot be reached. */
  open(opening: BackendOpening): Promise<BackendServerInfo>
  /** A session that another process opened is used here too. Absent where requests of such a session stand alone. */
  resume?(opening: BackendOpening): BackendSession
  /** Answers any request but `initialize` and `ping`. Throws or rejects with `RpcError`; anything else is masked. */
  request(call: Call): MaybePromise<Outcome>
}

/** The client that opens a session, and its revision. */
export interface BackendOpening {
  /** Name, version and capabilities, as the client describes itself. */
  readonly clientDescription: ClientDescription
  /** How messages are written in its revision. */
  readonly codec: Codec
  /** The caller, as the guard verified it; absent without a guard. */
  readonly auth?: AuthInfo | undefined
}

/** The server's description for the client. */
export interface BackendServerInfo {
  /** The server's name and version. */
  readonly info: Implementation
  /** The server's capabilities. */
  readonly capabilities: ServerCapabilities
  /** How to use the server, for a model; absent if there are none. */
  readonly instructions?: string | undefined
  /** To be closed if no session comes of it. */
  readonly session: BackendSession
}

/** The other end of one client's session. */
export interface BackendSession {
  /** Once, when the session is there. */
  attach(client: BackendClient): void
  /** The client has sent `notifications/initialized`. */
  ready(): void
  /** A notification of the client that is about none of its requests. */
  notification(method: string, params: JsonObject): void
  /** The client has gone. */
  close(): void
}

/** A client with a session, seen from what is relayed to it. */
export interface BackendClient {
  /** It has sent `notifications/initialized`. */
  readonly isReady: boolean
  /** The least severe log level that it wants. */
  readonly logLevel: LoggingLevel
  /** How to reach it. */
  readonly transport: BackendChannel
}

/** How a client is reached outside of calls. */
export interface BackendChannel {
  /** Sends a notification that belongs to no call. With `isChange`, every process of a cluster sends it by itself. */
  notifySession(method: string, params?: JsonObject, isChange?: boolean): void
  /** Sends a request that belongs to no call. */
  requestOutsideCall(
    method: string,
    params: JsonObject | undefined,
    options: PendingOptions,
  ): Promise<JsonObject>
  /** Resolves when the client has caught up. Absent where each stream has its own back-pressure. */
  drained?(): Promise<void> | undefined
  /** The number of calls in flight. Absent where they are not counted. */
  countCalls?(): number
  /** The number of streams that the client reads. Absent where there are none. */
  countStreams?(): number
  /** Ends the session: the client gets 404 and opens another. Absent where the session is the connection itself. */
  dismiss?(why: string): void
}

/** Makes of a relay a server that every transport can serve. It has no features of its own. */
export function createBackendServer(
  info: Implementation,
  backend: Backend,
  onError: OnError,
  observer?: RequestObserver,
): Server {
  const definition = createDefinition(
    info,
    {
      declares: [],
      extensions: [],
      invalidArguments: 'tool_error',
      pageSize: 1_000,
      observer,
      onError,
      deprecated: () => undefined, // its server knows
    },
    backend,
  )
  return {
    info: definition.info,
    '~definition': definition,
    '~serve': (transport, serveOptions) => serveDefinition(definition, transport, serveOptions),
    tools: () => [],
    tool: noFeatures,
    resource: noFeatures,
    prompt: noFeatures,
    add: noFeatures,
    mount: noFeatures,
    use: noFeatures,
    notifyChanged: noFeatures,
  }
}

/** Throws: a proxy has no features of its own. */
export function noFeatures(): never {
  throw new McpError(
    'invalid_definition',
    'a proxy has no features of its own: put them in a server of their own',
    { details: { feature: 'proxy' } },
  )
}

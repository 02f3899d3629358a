import type { Clock } from '../../rpc/clock.ts'
import type { Connection } from '../../rpc/connection.ts'
import type { RpcError } from '../../rpc/errors/rpc-error.ts'
import type { Request } from '../../rpc/message.ts'
import type { ClientCapabilities } from '../../schema/capabilities.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { RequestCodec } from '../../wire/request-codec.ts'
import type { InputContext } from './input-handlers.ts'

/** Calls the handler of an input request, within the time that a user may take. Aborting ends it. */
export type InputRequestHandler = (
  connection: Connection,
  controller: AbortController,
  about?: Pick<InputContext, 'taskId'>,
) => Promise<object>

/** Answers the input requests of one connection, for an extension that runs them as tasks. */
export interface InputRunner {
  readonly clock: Clock
  /** The negotiated codec, as soon as there is one. */
  readonly codec: () => Pick<RequestCodec, 'has'> | undefined
  /** Throws `RpcError` for an input request that cannot be answered. */
  prepare(method: string, params: JsonObject): InputRequestHandler
  /** Returns the error to send to the server. Details are reported here. */
  explain(error: unknown, method: string): RpcError
}

/** How an extension answers input requests, in the legacy era. */
export interface InputExtension {
  /** Further capabilities of the client; left out in revisions that do not have them. */
  readonly capabilities: ClientCapabilities
  open(runner: InputRunner): ExtensionRequests
}

/** The requests that an extension answers on one connection. */
export interface ExtensionRequests {
  /** Returns undefined for a request of another kind. Throws `RpcError` to reject it. */
  take(request: Request, connection: Connection): Taken | undefined
  /** The connection has ended, and with it all requests. */
  end(reason: unknown): void
}

/** The answer to such a request. */
export interface Taken {
  readonly result: object | Promise<object>
  /** The answer is on its way. */
  onReplied?(): void
}

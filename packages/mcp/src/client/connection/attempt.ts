import { McpError, isMcpError } from '../../rpc/errors/mcp-error.ts'
import { isRpcError } from '../../rpc/errors/rpc-error.ts'
import { merge } from '../../rpc/merge.ts'
import type { PendingOptions } from '../../rpc/pending-requests.ts'
import type { ServerCapabilities } from '../../schema/capabilities.ts'
import type { JsonObject } from '../../schema/json.ts'
import { clientRequestRow } from '../../schema/methods/client-requests.ts'
import type { RequestCodec } from '../../wire/request-codec.ts'
import type { CallOptions } from '../options.ts'
import type { SessionIdentity } from './identity.ts'
import type { ClientSession } from './session.ts'

/** One request of a call. */
export interface Sent extends PendingOptions {
  readonly method: string
  readonly params: object | undefined
  readonly options: CallOptions
}

/** Sends a request once on one session: gated, encoded and bounded. The result is as it came. */
export function attempt(
  session: ClientSession,
  sent: Sent,
  identity: SessionIdentity,
): Promise<JsonObject> {
  const { codec, connection, server } = session
  const { method, params, options } = sent
  requireCapability(method, server.capabilities, codec, peerOf(session))
  const own = ownMeta(params, options)
  if (session.kind === 'legacy') {
    return connection.request(method, encode(codec, method, params, own), sent)
  }
  const envelope = identity.envelope(codec.revision)
  const meta = own === undefined ? envelope : { ...own, ...envelope }
  return connection.request(method, encode(codec, method, params, meta), sent)
}

/** Returns the caller's `_meta`, and what middleware added to it. */
function ownMeta(params: object | undefined, options: CallOptions): object | undefined {
  const { _meta } = (params ?? {}) as { readonly _meta?: object } // params of every method may have it
  return _meta === undefined ? options._meta : { ...options._meta, ..._meta }
}

/** For people: who the session is with. */
export function peerOf({ connection, server }: ClientSession): string | undefined {
  return connection.peer ?? server.info?.name
}

function encode(
  codec: RequestCodec,
  method: string,
  params: object | undefined,
  _meta: object | undefined,
): JsonObject | undefined {
  if (params === undefined && _meta === undefined) return undefined
  return codec.encodeParams(method, withMeta(params, _meta)) as JsonObject // messages are JSON
}

/** Added last where it replaces another, else first: see `merge`. */
function withMeta(params: object | undefined, _meta: object | undefined): object {
  if (_meta === undefined) return params ?? {}
  return params !== undefined && '_meta' in params ? merge(params, { _meta }) : { _meta, ...params }
}

/** Translates an error by the method that was requested. Some errors show that another server answers now: these end the session. */
export function explainError(error: unknown, session: ClientSession, sent: Sent): unknown {
  if (session.kind === 'legacy') return error
  const { codec, connection, transport } = session
  if (transport.kind === 'http' && isOfAnotherServer(error, codec)) {
    const connectionError = new McpError(
      'session_lost',
      `${transport.peer ?? 'the server'} no longer speaks ${codec.revision}`,
      { details: { reopened: false }, peer: transport.peer, retryable: true, cause: error },
    )
    connection.fail(connectionError)
    return connectionError
  }
  if (!isRpcError(error)) return error
  const { wireCode: code, message, data } = error
  return codec.decodeError({ code, message, data }, sent.method, sent.params)
}

/** Returns true for an error that shows, over HTTP, that another server answers now: its revision has to be probed again. */
function isOfAnotherServer(error: unknown, { revision }: RequestCodec): boolean {
  if (isRpcError(error, 'unsupported_version')) return !error.data?.supported?.includes(revision)
  return isMcpError(error, 'http_error') && [400, 404, 405].includes(error.details.status)
}

/** Throws for a method that needs a capability which the server did not declare. */
export function requireCapability(
  method: string,
  offered: ServerCapabilities,
  { has }: RequestCodec,
  peer: string | undefined,
): void {
  const { capability } = clientRequestRow(method)
  if (capability === undefined || offered[capability] !== undefined) return
  const isImplied = capability === 'completions' && !has.completionsCapability
  if (isImplied && (offered.prompts ?? offered.resources) !== undefined) return
  throw new McpError(
    'unsupported',
    `${method}: ${peer ?? 'the server'} does not offer ${capability}`,
    {
      details: { capability },
      peer,
    },
  )
}

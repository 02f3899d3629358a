/**
 * Translates one call between the revisions of a proxy's client and of its server: the params, the result, and what went wrong.
 * Everything that is not about the revision stays as it is, and a result passes unchanged where both speak the same era.
 *
 * Pure functions; `forward.ts` sends, `tasks/` translates tasks.
 */

import { withoutSession, type ClientIdentity } from '../../client/connection/identity.ts'
import type { ClientSession } from '../../client/connection/session.ts'
import { isMcpError, type McpError } from '../../rpc/errors/mcp-error.ts'
import { errorMessage } from '../../rpc/errors/on-error.ts'
import { isRpcError, RpcError } from '../../rpc/errors/rpc-error.ts'
import type { WireError } from '../../rpc/message.ts'
import type { ClientCapabilities } from '../../schema/capabilities.ts'
import { isJsonObject, type JsonObject, omit } from '../../schema/json.ts'
import type { Call } from '../../server/calls/call.ts'
import type { Outcome } from '../../server/calls/dispatch.ts'
import type { Codec } from '../../wire/codec.ts'
import { tasksExtension } from '../../wire/downgrade-initialize.ts'
import { metaKeys, writeEnvelope } from '../../wire/request-meta.ts'
import { hasOtherTasks } from './tasks/task-kinds.ts'

const envelopeKeys = [metaKeys.version, metaKeys.capabilities, metaKeys.client, metaKeys.logLevel]

/** Returns the params of a call in the server's revision. Everything that is not about the revision stays unchanged. */
export function paramsFor(
  { codec }: ClientSession,
  call: Call,
  client: ClientIdentity,
): JsonObject | undefined {
  const { caller, method } = call
  const params = withTrace(call)
  const isModern = !codec.has.initialize
  const wasModern = !caller.codec.has.initialize
  const meta = isJsonObject(params['_meta']) ? params['_meta'] : undefined
  if (!isModern && !wasModern) {
    return codec.revision === caller.codec.revision
      ? params
      : (codec.encodeParams(method, params) as JsonObject) // as it was, less what the revision lacks
  }
  if (isModern && wasModern) {
    const version = codec.revision
    return meta?.[metaKeys.version] === version
      ? params
      : { ...params, _meta: { ...meta, [metaKeys.version]: version } }
  }
  if (isModern) {
    const envelope = writeEnvelope({
      version: codec.revision,
      capabilities: withoutTasks(withoutSession(client.capabilities)),
      client: client.info,
      ...(caller.logLevel !== undefined && { logLevel: caller.logLevel }),
    })
    return { ...omit(params, ['task']), _meta: { ...meta, ...envelope } }
  }
  const { _meta, requestState, inputResponses, task, ...main } = params
  const own = meta === undefined ? {} : omit(meta, envelopeKeys)
  const stored = Object.keys(own).length === 0 ? main : { ...main, _meta: own }
  return codec.encodeParams(method, stored) as JsonObject // the same
}

/** Adds the trace context, so that the server's work belongs to this part of the trace. */
function withTrace({ params, trace }: Call): JsonObject {
  if (trace === undefined) return params
  const meta = isJsonObject(params['_meta']) ? params['_meta'] : {}
  return { ...params, _meta: { ...meta, ...trace } }
}

/** Returns a result in the client's revision: unchanged where both speak the same. */
export function answerFor(session: ClientSession, call: Call, result: JsonObject): Outcome {
  const { caller, method } = call
  const { codec } = session
  if (codec.revision === caller.codec.revision) return raw(result)
  requireKnownKind(result, method)
  const decoded = withTaskSupport(codec.decodeResult(method, result), session, call)
  const { info } = session.server
  const server = caller.codec.has.initialize ? undefined : info
  return raw(caller.codec.encodeResult(method, decoded, server))
}

/** In 2025-11-25 a client may ask for a task only where a definition says so; newer servers decide by themselves. */
function withTaskSupport(decoded: object, session: ClientSession, { caller, method }: Call) {
  const { tools } = decoded as JsonObject // a result is JSON
  if (method !== 'tools/list' || caller.codec.has.tasks !== 'core') return decoded
  if (!Array.isArray(tools) || !hasOtherTasks(session, caller)) return decoded
  const execution = { taskSupport: 'optional' }
  return { ...decoded, tools: tools.map((tool: object) => ({ ...tool, execution })) }
}

/** A client with a session follows tasks in another way than a server without offers them. */
function withoutTasks({ extensions, ...rest }: ClientCapabilities): ClientCapabilities {
  return extensions === undefined
    ? rest
    : { ...rest, extensions: omit(extensions, [tasksExtension]) }
}

/** Any other kind means nothing to a client of another era. */
function requireKnownKind({ resultType: kind = 'complete' }: JsonObject, operation: string): void {
  if (kind === 'complete') return
  const why = `${operation}: the server answered with a result of the kind ${JSON.stringify(kind)}, which the client's revision does not have`
  throw new RpcError('internal_error', why)
}

function raw(result: object): Outcome {
  return { kind: 'raw', result }
}

/** Returns an error in the client's revision: an error of the server unchanged, unless the eras differ. */
export function failureFor(
  session: ClientSession | undefined,
  call: Call,
  error: unknown,
): Outcome {
  const { codec } = call.caller
  if (!isRpcError(error)) return unanswered(codec.encodeError(lostServer(error, call)))
  const wire = wireErrorOf(error)
  if (session === undefined) return unanswered(codec.encodeError(error))
  if (isSameEra(session, codec)) return { kind: 'error', error: wire }
  const decoded = session.codec.decodeError(wire, call.method, call.params)
  return { kind: 'error', error: codec.encodeError(decoded) }
}

const withoutServer = new WeakSet<Outcome>()

/** The server did not answer this itself. */
function unanswered(error: WireError): Outcome {
  const answer: Outcome = { kind: 'error', error }
  withoutServer.add(answer)
  return answer
}

/** True for an error that the server did not send: it could not be reached, or was lost. */
export function isUnanswered(answer: Outcome): boolean {
  return withoutServer.has(answer)
}

export function isSameEra({ codec }: ClientSession, other: Codec): boolean {
  return codec.has.initialize === other.has.initialize
}

function wireErrorOf({ wireCode: code, message, data }: RpcError): WireError {
  return data === undefined ? { code, message } : { code, message, data }
}

/** Why credentials could not be had is more than that they were not taken. */
export function reasonOf(error: McpError): string {
  const { message, cause } = error
  const isKnown = isMcpError(error, 'unauthorized') && cause instanceof Error
  return isKnown ? `${message}: ${cause.message}` : message
}

/** For people and models: what happened, and that it is not this program's fault. */
function lostServer(error: unknown, { method }: Call): RpcError {
  if (!isMcpError(error)) {
    const why = errorMessage(error)
    return new RpcError('internal_error', `${method} failed: ${why}`, { cause: error })
  }
  const next = isMcpError(error, 'connection_lost') || isMcpError(error, 'spawn_failed')
  const what = next ? `${method} has no answer: ` : `${method} failed: `
  const then = next ? '; the next request starts the server again' : ''
  return new RpcError('internal_error', `${what}${reasonOf(error)}${then}`, {
    cause: error,
  })
}

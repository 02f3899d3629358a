/**
 * Sends one call of a client to the server, and the result back. Params are translated for the server's revision, the result for
 * the client's (`translate.ts`); where both speak the same, the same object goes out that came in.
 *
 * A call is sent again only if the server has certainly not worked on it, or may do so twice; once more when headers or a task
 * were missing because the tool's definition was not known yet. `proxy-session.ts`, `modern-calls.ts` and the hosted tasks use it;
 * the connection is `upstream.ts`.
 */

import { peerOf } from '../../client/connection/attempt.ts'
import type { ClientIdentity } from '../../client/connection/identity.ts'
import type { ClientSession } from '../../client/connection/session.ts'
import { isMcpError } from '../../rpc/errors/mcp-error.ts'
import { isRpcError, RpcError } from '../../rpc/errors/rpc-error.ts'
import type { RequestId } from '../../rpc/message.ts'
import { observeRequest, withMeta, type Traffic } from '../../rpc/observe-request.ts'
import type { PendingOptions } from '../../rpc/pending-requests.ts'
import { isPromise, type MaybePromise } from '../../rpc/promise.ts'
import { isJsonObject, type JsonObject } from '../../schema/json.ts'
import { clientRequestRow } from '../../schema/methods/client-requests.ts'
import type { Call } from '../../server/calls/call.ts'
import type { Outcome } from '../../server/calls/dispatch.ts'
import type { ProxySettings } from './proxy-options.ts'
import { needsTask, sendAsTask, wantsTask } from './tasks/send-as-task.ts'
import { answerFor, failureFor, paramsFor } from './translate.ts'
import type { ForwardedCall, Upstream } from './upstream.ts'

/** A call on its way to the server. */
export interface Forwarded extends ForwardedCall {
  /** The request that waits for the answer now. */
  readonly call: Call
  readonly client: ClientIdentity
  /** It is the work of a task that we keep for the client. */
  readonly isTask?: boolean | undefined
  /** Ends it, where it may outlive the request of its client. Absent: it ends with that. */
  readonly signal: AbortSignal | undefined
  readonly onProgress: ((progress: JsonObject) => void) | undefined
}

/** Makes an answer of a result, in one or several rounds. */
export type Finish = (
  result: JsonObject,
  session: ClientSession,
  forwarded: Forwarded,
) => MaybePromise<Outcome>

/** Sends a call to the server, and once more where the server had forgotten the session or never got it. */
export function forward(
  settings: ProxySettings,
  upstream: Upstream,
  forwarded: Forwarded,
  finish: Finish,
): MaybePromise<Outcome> {
  upstream.calls.add(forwarded)
  const session = upstream.ready()
  if (!isPromise(session))
    return attempt(settings, upstream, forwarded, finish, session, maxRepeats)
  return session.then(
    (opened) => attempt(settings, upstream, forwarded, finish, opened, maxRepeats),
    (error: unknown) => {
      leave(upstream, forwarded)
      return failureFor(undefined, forwarded.call, error)
    },
  )
}

function leave(upstream: Upstream, forwarded: Forwarded): void {
  upstream.calls.delete(forwarded)
  upstream.usedAt = Math.max(upstream.usedAt, forwarded.call.caller.clock.now())
}

function attempt(
  settings: ProxySettings,
  upstream: Upstream,
  forwarded: Forwarded,
  finish: Finish,
  session: ClientSession,
  repeats: number,
): Promise<Outcome> {
  const { call, client } = forwarded
  const params = paramsFor(session, call, client)
  const sent = needsTask(settings, session, forwarded)
    ? sendAsTask(sendTo, settings, session, upstream, forwarded, params ?? {})
    : sendTo(settings, session, forwarded, params, call.method, repeats < maxRepeats ? 1 : 0)
  return sent.then(
    (result) => {
      if (call.method === 'tools/list') settings.tools.learn(result)
      const answer = finish(result, session, forwarded)
      if (isPromise(answer)) return answer.finally(() => leave(upstream, forwarded))
      leave(upstream, forwarded)
      return answer
    },
    (error: unknown) =>
      recover(settings, upstream, forwarded, finish, { session, repeats, error }).finally(() =>
        leave(upstream, forwarded),
      ),
  )
}

interface Failed {
  readonly session: ClientSession
  readonly repeats: number
  readonly error: unknown
}

/** Sends it again where that cannot do its work twice; else answers the client with the error. */
async function recover(
  settings: ProxySettings,
  upstream: Upstream,
  forwarded: Forwarded,
  finish: Finish,
  { session, repeats, error }: Failed,
): Promise<Outcome> {
  const { call } = forwarded
  const mayRepeat = repeats > 0 && !isAbandoned(forwarded)
  if (mayRepeat && isRepeatable(settings, call, error)) {
    if (isMcpError(error, 'session_lost')) upstream.drop(session, error)
    try {
      const opened = await upstream.ready()
      return await attempt(settings, upstream, forwarded, finish, opened, repeats - 1)
    } catch (again) {
      return failureFor(undefined, call, again)
    }
  }
  if (mayRepeat && isRpcError(error, 'header_mismatch') && call.method === 'tools/call') {
    await learnTools(settings, session, forwarded)
    return attempt(settings, upstream, forwarded, finish, session, 0)
  }
  if (mayRepeat && wantsTask(session, forwarded, error)) {
    settings.tools.learnTask(call.params['name'])
    return attempt(settings, upstream, forwarded, finish, session, 0)
  }
  return failureFor(session, call, error)
}

/** Once for a broken connection and once for a lost session: the second may only show when the first is mended. */
const maxRepeats = 2

/** The server has not worked on it, or may do so twice. */
function isRepeatable({ tools }: ProxySettings, { method, params }: Call, error: unknown): boolean {
  if (isMcpError(error, 'session_lost')) return true
  if (!isMcpError(error, 'connection_lost')) return false
  if (!error.details.sent) return true
  const { isCacheable } = clientRequestRow(method)
  return method === 'tools/call' ? tools.mayRepeat(params['name']) : isCacheable === true
}

function isAbandoned({ call, signal }: Forwarded): boolean {
  return signal?.aborted ?? call.isAborted
}

/** One request of a call. */
export function sendTo(
  settings: ProxySettings,
  session: ClientSession,
  forwarded: Forwarded,
  params: JsonObject | undefined,
  operation: string = forwarded.call.method,
  resends = 0,
): Promise<JsonObject> {
  const { observer, clock } = settings
  if (observer === undefined) return sendNow(settings, session, forwarded, params, operation)
  const { codec, server } = session
  const request = {
    side: 'client' as const,
    method: operation,
    params: params ?? {},
    revision: codec.revision,
    peer: peerOf(session),
    server: server.info,
  }
  return observeRequest(request, {
    observer,
    clock,
    resends,
    isAbandoned: () => isAbandoned(forwarded),
    send(meta, traffic) {
      const traced = meta ? withMeta(params, meta) : params
      return sendNow(settings, session, forwarded, traced, operation, traffic)
    },
  })
}

function sendNow(
  { timeouts }: ProxySettings,
  { connection }: ClientSession,
  { call, signal, onProgress }: Forwarded,
  params: JsonObject | undefined,
  operation: string,
  traffic?: Traffic,
): Promise<JsonObject> {
  if (call.isAborted) return Promise.reject(new RpcError('invalid_request', 'it was given up'))
  let id: RequestId = 0
  const limits: PendingOptions = {
    idleMs: timeouts.idleMs,
    totalMs: timeouts.totalMs,
    limit: undefined,
    signal,
    onProgress: onProgress && ((progress) => onProgress(progress as unknown as JsonObject)), // it came as JSON
    onSent: signal === undefined ? (sent) => (id = sent) : undefined,
    traffic,
  }
  if (signal === undefined) {
    call.onAbort = (reason) => {
      connection.drop(id, reason)
      connection.notify('notifications/cancelled', { requestId: id, reason: reason.message })
    }
  }
  return connection.request(operation, params, limits)
}

/** The token that the client gave; the server gets one of ours. */
export function progressOf(call: Call): Forwarded['onProgress'] {
  const meta = call.params['_meta']
  const wants = isJsonObject(meta) && meta['progressToken'] !== undefined
  return wants ? (progress) => void call.progress(progress as never) : undefined // checked when it arrived
}

/** The definitions say which arguments are repeated in headers, and what may be a task; these have not passed by yet. */
export async function learnTools(
  settings: ProxySettings,
  session: ClientSession,
  { call, client }: Pick<Forwarded, 'call' | 'client'>,
): Promise<void> {
  const { timeouts, limits, tools } = settings
  const { _meta } = paramsFor(session, call, client) ?? {}
  const wait = { idleMs: timeouts.idleMs, totalMs: timeouts.totalMs, signal: call.signal }
  let cursor: unknown
  for (let page = 0; page < limits.listPages; page += 1) {
    const params = {
      ...(cursor !== undefined && { cursor }),
      ...(_meta && { _meta }),
    } as JsonObject // as a request of this call
    const result = await session.connection.request('tools/list', params, wait)
    tools.learn(result)
    cursor = result['nextCursor']
    if (typeof cursor !== 'string') return
  }
}

/** The result is the answer. */
export const finishAtOnce: Finish = (result, session, { call }) => answerFor(session, call, result)

/**
 * One call of a client from its method to its result: looks into the cache, lets extensions add params, sends the request, and
 * follows results that are not final (input requests, tasks) until the caller has one that passed its check.
 *
 * The plain path is synchronous until the request leaves and has one promise between the response and the caller: with many calls
 * in flight every promise more is measurable. Sending and repeating is `send-request.ts`, middleware `middleware.ts`, the public
 * methods are `operations.ts`.
 */

import type { Clock } from '../../rpc/clock.ts'
import { observeRequest } from '../../rpc/observe-request.ts'
import type { RequestObserver } from '../../rpc/observer.ts'
import type { MaybePromise } from '../../rpc/promise.ts'
import { ShortLivedList } from '../../rpc/short-lived.ts'
import { describeProblem, type Problem } from '../../schema/check.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { CacheControl } from '../cache/cache-control.ts'
import { peerOf, type Sent } from '../connection/attempt.ts'
import type { Identity } from '../connection/identity.ts'
import type { ReconnectingSession } from '../connection/reconnecting-session.ts'
import type { ClientSession } from '../connection/session.ts'
import type { ClientExtension, ExtensionHost } from '../extension.ts'
import { inputPart } from '../lazy-parts.ts'
import { defaultTimeouts, type CallOptions, type ClientTimeouts } from '../options.ts'
import { kindOfResult, unusableResponse } from './result-kind.ts'
import { describeCall, type RunningCall } from './running-call.ts'
import { sendRequest, type SendOptions } from './send-request.ts'

/** Sends requests of one client and follows each to its result: through input requests, tasks and retries. */
export interface Calls {
  /** `finish` makes of the checked result what the caller gets; by itself it is that. */
  send<T extends object>(
    method: string,
    params: object | undefined,
    options: CallOptions,
    check: Check,
    isRepeatable: boolean,
    finish?: Finish,
  ): Promise<T>
  /** The call in progress, for input requests that arrive meanwhile. */
  readonly current: RunningCall | undefined
}

/** Says what is wrong with a result. */
export type Check = (value: unknown) => Problem | undefined

export type Finish = (result: never) => MaybePromise<object>

export interface CallsContext {
  readonly stored: () => ReconnectingSession
  readonly identity: Identity
  readonly cache: CacheControl
  readonly extensions: readonly ClientExtension[]
  readonly observer: RequestObserver | undefined
  /** The part of the client that extensions may use. */
  readonly host: () => ExtensionHost
  readonly timeouts: ClientTimeouts | undefined
  readonly maxRounds: number
  readonly isStrict: boolean
  readonly clock: Clock
  /** Aborts when the client is closed. */
  readonly closed: AbortSignal
}

/** One call from its first request to its result. */
export interface Call extends Sent {
  readonly check: Check
  readonly isRepeatable: boolean
  readonly finish: Finish | undefined
  /** Caches the answer. */
  readonly keep: ((result: JsonObject) => void) | undefined
  readonly startedAt: number
}

export function createCalls(parts: CallsContext): Calls {
  const { stored, identity, cache, extensions, observer, isStrict, clock } = parts
  const hooks = extensions.flatMap((extension) => extension['~client'] ?? [])
  const all = new ShortLivedList<Call>()
  const idle = parts.timeouts?.idleMs ?? defaultTimeouts.idleMs
  const total = parts.timeouts?.totalMs ?? defaultTimeouts.totalMs

  const how: SendOptions<Call, object> = {
    stored,
    identity,
    take(call, result, session) {
      all.delete(call)
      return kindOf(result, call.method, session) === 'complete'
        ? complete(call, result, session, call.keep)
        : follow(call, result, session)
    },
    fail(call, error) {
      all.delete(call)
      cache.onFailure(call.method, call.params, error)
      return error
    },
  }

  /** Returns the kind of a result. In a session only extensions have more than one. */
  function kindOf(result: JsonObject, method: string, session: ClientSession): string {
    if (session.kind === 'legacy') {
      for (const { kindOf: read } of hooks) {
        const kind = read?.(result, method, session.codec)
        if (kind !== undefined) return kind
      }
      return 'complete'
    }
    return kindOfResult(result, method, { extensions, isStrict, peer: peerOf(session) })
  }

  function complete(
    { method, check, finish }: Call,
    result: JsonObject,
    session: ClientSession,
    keep?: Call['keep'],
  ): MaybePromise<object> {
    const decoded = session.codec.decodeResult(method, result)
    const problem = check(decoded)
    if (problem !== undefined) {
      throw unusableResponse(method, describeProblem(problem), peerOf(session))
    }
    if (session.kind === 'modern') keep?.(decoded as JsonObject) // as it came
    return finish === undefined ? decoded : finish(decoded as never) // the check just proved what it is
  }

  async function follow(call: Call, result: JsonObject, session: ClientSession): Promise<object> {
    all.add(call)
    try {
      const { followResult } = inputPart.loaded ?? (await inputPart.load())
      const last = await followResult(call, { result, session }, { ...parts, kindOf, send })
      return await complete(call, last.result, last.session)
    } catch (error) {
      throw how.fail(call, error)
    } finally {
      all.delete(call)
    }
  }

  /** With what extensions want to add before it is sent. */
  async function prepared(call: Call): Promise<Call> {
    const { method, options } = call
    const session = await stored().session({ ms: call.idleMs, signal: call.signal })
    let { params } = call
    for (const hook of hooks) {
      const added = await hook.prepare?.({ method, params, options, session, host: parts.host() })
      if (added !== undefined) params = { ...params, ...added }
    }
    return { ...call, params, startedAt: clock.now() }
  }

  async function sendPrepared(call: Call): Promise<object> {
    all.add(call)
    const changed = await prepared(call).catch((error: unknown) => {
      throw how.fail(call, error)
    })
    all.delete(call)
    return sendNow(changed)
  }

  function sendNow(call: Call): Promise<object> {
    all.add(call)
    return sendRequest(how, call)
  }

  /** Only servers of the modern era say how long their answers hold. For others nothing is looked up. */
  async function sendUnlessCached(call: Call): Promise<object> {
    if (stored().latest.kind === 'legacy') return begin(call)
    const { find, begin: beginCaching } = cache.responses()
    const { method, params = {}, options, check, finish } = call
    const cached = options.fresh ? undefined : await find(method, params)
    if (cached !== undefined && check(cached) === undefined) {
      return finish === undefined ? cached : finish(cached as never) // the check just proved what it is
    }
    const keep = beginCaching(method, params)
    return begin({ ...call, keep, startedAt: clock.now() })
  }

  function begin(call: Call): Promise<object> {
    return hooks.length === 0 ? sendNow(call) : sendPrepared(call)
  }

  function send<T extends object>(
    method: string,
    params: object | undefined,
    options: CallOptions,
    check: Check,
    isRepeatable: boolean,
    finish?: Finish,
  ): Promise<T> {
    const { signal, onProgress, timeouts } = options
    const call: Call = {
      method,
      params,
      options,
      idleMs: timeouts?.idleMs ?? idle,
      totalMs: timeouts?.totalMs ?? total,
      signal,
      onProgress,
      check,
      isRepeatable,
      finish,
      keep: undefined,
      startedAt: clock.now(),
    }
    const mayCache = cache.mayCache(method) && isPlain(params, options)
    const start = mayCache ? sendUnlessCached : begin
    const sent = observer ? observe(observer, call, parts, start) : start(call)
    return sent as Promise<T> // checked, or made of what was
  }

  return {
    get current() {
      if (all.size !== 1) return undefined
      const [only] = all
      return only && describeCall(only.method, only.params)
    },
    send,
  }
}

/** A request with metadata other than trace context, or with input responses, may get another answer. */
function isPlain(params: object = {}, { _meta }: CallOptions): boolean {
  if ('inputResponses' in params || 'requestState' in params) return false
  return (
    _meta === undefined ||
    Object.keys(_meta).every((key) => /^(trace(parent|state)|baggage)$/.test(key))
  )
}

/** Sends a call that is watched, with what the watcher adds to its `_meta`. */
function observe(
  observer: RequestObserver,
  call: Call,
  { stored, clock }: { readonly stored: () => ReconnectingSession; readonly clock: Clock },
  start: (call: Call) => Promise<object>,
): Promise<object> {
  const { method, params = {}, options } = call
  const { latest } = stored()
  const request = {
    side: 'client' as const,
    method,
    params: params as JsonObject, // messages are JSON
    revision: latest.codec.revision,
    peer: peerOf(latest),
    server: latest.server.info,
  }
  return observeRequest(request, {
    observer,
    clock,
    isAbandoned: () => options.signal?.aborted ?? false,
    send: (meta, traffic) =>
      start({
        ...call,
        ...(meta && { options: { ...options, _meta: { ...meta, ...options._meta } } }),
        traffic,
      }),
  })
}

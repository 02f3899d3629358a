import type { Clock } from '../rpc/clock.ts'
import { McpError } from '../rpc/mcp-error.ts'
import { PassingList, type Listed } from '../rpc/passing-list.ts'
import { isPromise, type MaybePromise } from '../rpc/promise.ts'
import { isRpcError } from '../rpc/rpc-error.ts'
import { describeProblem, type Problem } from '../schema/check.ts'
import { isJsonObject, type JsonObject } from '../schema/json.ts'
import { peerOf } from './attempt.ts'
import { exchange, type Exchanged } from './exchange.ts'
import { hooksFor, type ClientExtension, type ExtensionCall } from './extension-hooks.ts'
import type { ExtensionHost } from './extension-host.ts'
import { holdProcess } from './hold-process.ts'
import type { Identity } from './identity.ts'
import type { KeptConnection } from './keep-connected.ts'
import type { KeptAnswers } from './kept-answers.ts'
import { defaultTimeouts, type CallOptions, type Timeouts } from './options.ts'
import { kindOfResult } from './result-kind.ts'
import { answerAll, createRounds, type AskOne, type Rounds } from './rounds.ts'
import type { ClientSession } from './session.ts'

/** Sends requests of one client and follows each to its end: asked back, elsewhere, or answered. */
export interface Calls {
  send<T extends object>(
    method: string,
    params: object | undefined,
    options: CallOptions,
    check: Check,
    isRepeatable: boolean,
  ): Promise<T>
  /** What is in progress, for questions that come meanwhile. */
  readonly current: Running | undefined
}

/** Says what is wrong with a result. */
export type Check = (value: unknown) => Problem | undefined

export interface CallsParts {
  readonly kept: () => KeptConnection
  readonly identity: Identity
  /** Undefined: nothing is kept. */
  readonly answers: KeptAnswers | undefined
  readonly extensions: readonly ClientExtension[]
  /** What extensions may use of the client. */
  readonly host: () => ExtensionHost
  readonly timeouts: Timeouts | undefined
  readonly mostRounds: number
  readonly isStrict: boolean
  readonly clock: Clock
  /** Aborts when the client is closed. */
  readonly closed: AbortSignal
}

/** A call, for who is asked something because of it. */
interface Running {
  readonly operation: string
  readonly name?: string
}

interface Call extends Listed {
  readonly method: string
  readonly params: object | undefined
  readonly options: CallOptions
  readonly isRepeatable: boolean
  readonly running: Running
}

export function createCalls(parts: CallsParts): Calls {
  const { kept, identity, answers, extensions, isStrict, clock, closed } = parts
  const hooks = extensions.flatMap((extension) => extension['~client'] ?? [])
  const all = new PassingList<Call>()
  const idle = parts.timeouts?.idleMs ?? defaultTimeouts.idleMs
  const total = parts.timeouts?.totalMs ?? defaultTimeouts.totalMs

  function once(call: Call, added: object | undefined, usedMs: number): Promise<Exchanged> {
    const { method, options, isRepeatable } = call
    const params = added === undefined ? call.params : { ...call.params, ...added }
    const idleMs = options.timeouts?.idleMs ?? idle
    const totalMs = (options.timeouts?.totalMs ?? total) - usedMs
    return exchange(kept(), { method, params, options, idleMs, totalMs }, identity, isRepeatable)
  }

  /** What kind of result it is; in a session only an extension knows of more than one. */
  function kindOf({ session, result }: Exchanged, method: string): string {
    if (session.kind === 'handshake') {
      for (const { kindOf: read } of hooks) {
        const kind = read?.(result, method, session.codec)
        if (kind !== undefined) return kind
      }
      return 'complete'
    }
    return kindOfResult(result, method, { extensions, isStrict, peer: peerOf(session) })
  }

  /** Until the server has given the result the caller waits for. `first` is not it. */
  async function follow(call: Call, first: Exchanged, start: number): Promise<Exchanged> {
    const { method, params, options } = call
    const signal = options.signal ? AbortSignal.any([options.signal, closed]) : closed
    let exchanged = first
    let rounds: Rounds | undefined
    let askedMs = 0
    for (;;) {
      const { session, result } = exchanged
      const kind = kindOf(exchanged, method)
      if (kind === 'complete') return exchanged
      const ask = asker(session, call.running)
      if (kind !== 'input_required') {
        const sent = (params ?? {}) as JsonObject // messages are JSON
        const { codec } = session
        const about = { method, params: sent, options, codec, host: parts.host(), clock, signal }
        const found = await resolve(kind, result, { ...about, ...tools(call, ask, signal) })
        return { session, result: found }
      }
      const peer = peerOf(session)
      rounds ??= createRounds({ method, most: parts.mostRounds, ask, clock, signal, peer })
      const answered = await holdProcess(rounds.answer(result))
      askedMs += answered.askedMs
      exchanged = await once(call, answered.added, clock.now() - start - askedMs)
    }
  }

  /** With what extensions want to add before it is sent. */
  async function prepared(call: Call): Promise<Call> {
    const { method, options } = call
    const session = await kept().session({
      ms: options.timeouts?.idleMs ?? idle,
      signal: options.signal,
    })
    let { params } = call
    for (const hook of hooks) {
      const added = await hook.prepare?.({ method, params, options, session, host: parts.host() })
      if (added !== undefined) params = { ...params, ...added }
    }
    return { ...call, params }
  }

  function asker(session: ClientSession, running: Running): AskOne {
    const { info } = session.server
    if (session.kind === 'handshake') return () => Promise.reject(new TypeError('asked by request'))
    return (method, params, signal) =>
      session.ask(method, params, { ...running, signal, ...(info && { server: info }) })
  }

  async function resolve(
    kind: string,
    result: JsonObject,
    call: ExtensionCall,
  ): Promise<JsonObject> {
    const known = hooksFor(extensions, kind, call.method)
    return (await known?.onResult?.(kind, result, call)) ?? result
  }

  function tools(
    { options }: Call,
    ask: AskOne,
    signal: AbortSignal,
  ): Pick<ExtensionCall, 'request' | 'ask'> {
    return {
      request: (method, params, own = { signal: options.signal }) =>
        send<JsonObject>(method, params, own, anyObject, true),
      ask: (requests) => answerAll(requests, ask, signal),
    }
  }

  async function send<T extends object>(
    method: string,
    params: object | undefined,
    options: CallOptions,
    check: Check,
    isRepeatable: boolean,
  ): Promise<T> {
    const keptBy = answers !== undefined && isPlain(params, options) ? answers : undefined
    const found = options.fresh ? undefined : find(keptBy, method, params)
    const known = isPromise(found) ? await found : found
    if (known !== undefined && check(known) === undefined) return known as T // the check just proved it
    const keep = keptBy?.begin(method, params ?? {})
    const running = describeCall(method, params)
    const plain: Call = { place: -1, method, params, options, isRepeatable, running }
    all.add(plain)
    try {
      const call = hooks.length === 0 ? plain : await prepared(plain)
      const start = clock.now()
      const first = await once(call, undefined, 0)
      const isDone = kindOf(first, method) === 'complete'
      const { session, result } = isDone ? first : await follow(call, first, start)
      const decoded = session.codec.decodeResult(method, result)
      const problem = check(decoded)
      if (problem !== undefined) throw unusable(method, problem, peerOf(session))
      if (session.kind === 'standalone' && isDone) keep?.(decoded as JsonObject) // as it came
      return decoded as T // the check just proved it
    } catch (error) {
      if (isRpcError(error, 'invalid_params') && isPage(params)) answers?.forget(method)
      throw error
    } finally {
      all.delete(plain)
    }
  }

  /** Only answers that stand for themselves say how long they hold: for others nothing is looked up. */
  function find(
    keptBy: KeptAnswers | undefined,
    method: string,
    params: object | undefined,
  ): MaybePromise<JsonObject | undefined> {
    if (keptBy === undefined || kept().latest.kind === 'handshake') return undefined
    return keptBy.find(method, params ?? {})
  }

  return {
    get current() {
      if (all.size !== 1) return undefined
      const [only] = all
      return only?.running
    },
    send,
  }
}

/** For requests whose result only their sender knows. */
export const anyObject: Check = (value) =>
  isJsonObject(value) ? undefined : { path: [], expected: 'an object' }

const traceKeys: ReadonlySet<string> = new Set(['traceparent', 'tracestate', 'baggage'])

/** Whoever adds something else to a request may get another answer for it, as do answers to questions. */
function isPlain(params: object = {}, { _meta }: CallOptions): boolean {
  if ('inputResponses' in params || 'requestState' in params) return false
  return _meta === undefined || Object.keys(_meta).every((key) => traceKeys.has(key))
}

function isPage(params: object | undefined): boolean {
  return params !== undefined && 'cursor' in params
}

function describeCall(method: string, params: object | undefined): Running {
  const { name, uri } = (params ?? {}) as { readonly name?: unknown; readonly uri?: unknown } // read, not trusted
  const label = name ?? uri
  return typeof label === 'string' ? { operation: method, name: label } : { operation: method }
}

function unusable(method: string, problem: Problem, peer: string | undefined): McpError {
  const why = describeProblem(problem)
  return new McpError('invalid_message', `the answer to ${method} is not usable: ${why}`, {
    details: { excerpt: why },
    peer,
  })
}

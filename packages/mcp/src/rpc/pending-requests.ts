/**
 * The requests of one side that wait for their responses.
 *
 * Sends a request with the next id, and ends it exactly once: with its response, by a time limit, by its signal, or because the
 * channel was lost. Tells the other side when it gives a request up. Knows JSON-RPC, progress and time, and nothing of methods:
 * callers check results. `Connection` has one for its channel. A session over HTTP has one for all of its streams; there each
 * request says by `write` on which stream it goes out, and its cancellation follows it.
 */
import type { JsonObject } from '../schema/json.ts'
import {
  progressParams,
  type Progress,
  type ProgressNotificationParams,
} from '../schema/progress.ts'
import { type Clock, createDeadlines } from './clock.ts'
import { McpError } from './errors/mcp-error.ts'
import { isRpcError, RpcError } from './errors/rpc-error.ts'
import type { ErrorResponse, Malformed, RequestId, ResultResponse, WireError } from './message.ts'
import type { Traffic } from './observe-request.ts'
import type { Arrived } from './receiver.ts'
import { ShortLivedMap } from './short-lived.ts'
import { onAbort } from './signals.ts'

/** How long a request may take, who wants to hear about it, and where it goes. */
export interface PendingOptions {
  /** Silence allowed; any frame of the call starts it anew. */
  readonly idleMs: number
  /** The whole call, time spent asking a person not counted. */
  readonly totalMs: number
  /** Which limit `timeout` names when the idle one expires. @defaultValue 'idle' */
  readonly limit?: 'idle' | 'connect' | 'input' | undefined
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: Progress) => void) | undefined
  /** Called with the id of the request, just before it is sent. */
  readonly onSent?: ((id: RequestId) => void) | undefined
  /** Set for a request that is observed. */
  readonly traffic?: Traffic | undefined
  /** True if the other side is not told when the request is given up. @defaultValue false */
  readonly isProbe?: boolean | undefined
  /** Writes this request and its cancellation. @defaultValue `write` of all requests */
  readonly write?: WriteMessage | undefined
}

/** Sends a request; resolves with its raw result. */
export type SendRequest = (
  method: string,
  params: JsonObject | undefined,
  options: PendingOptions,
) => Promise<JsonObject>

/** Throws for what cannot be written. `traffic` is set for a request that is observed. */
export type WriteMessage = (message: JsonObject, traffic?: Traffic) => unknown

/** See the head of this file. */
export interface PendingRequests extends Disposable {
  /** The number of requests that wait. */
  count(): number
  /** The number of requests that were sent, which is the number in the newest id. */
  last(): number
  readonly send: SendRequest
  /** Receives a response; one that no request waits for is reported. */
  response(message: ResultResponse | ErrorResponse, raw?: Arrived): void
  /** Rejects the request whose response cannot be read. */
  unreadable(message: Malformed): void
  /** Receives `notifications/progress`; false if it belongs to no request. */
  progressed(params: JsonObject): boolean
  /** Rejects a request; false if none waits with this id. */
  reject(id: RequestId, error: unknown): boolean
  /** Rejects a request, and ignores a response that comes all the same. */
  drop(id: RequestId, error: unknown): void
  /** Restarts the idle limit of every request: a frame came that may belong to any of them. */
  touchAll(): void
  /** Stops all clocks while a person is being asked; calls nest. */
  pause(): void
  resume(): void
  rejectAll(error: unknown): void
}

export interface PendingRequestsOptions {
  readonly clock: Clock
  readonly write: WriteMessage
  /** Numbers of ids are higher. @defaultValue 0 */
  readonly after?: number | undefined
  /** Stands before the number in each id, which is text then. @defaultValue ids are numbers */
  readonly idPrefix?: string | undefined
  /** The other side, named in errors. */
  readonly peer?: string | undefined
  readonly decodeError: (error: WireError, method: string) => RpcError
  readonly report: (error: unknown, severity: 'warning' | 'error') => void
}

interface Entry {
  readonly id: RequestId
  readonly method: string
  readonly options: PendingOptions
  readonly resolve: (result: JsonObject) => void
  readonly reject: (error: unknown) => void
  readonly abortion: Disposable | undefined
  startedAt: number
  lastFrameAt: number
}

/** Starts without any request. */
export function createPendingRequests(options: PendingRequestsOptions): PendingRequests {
  const { clock, idPrefix, peer, report, after = 0 } = options
  const entries = new ShortLivedMap<RequestId, Entry>()
  const dropped = new Set<RequestId>()
  const deadlines = createDeadlines(clock, expire)
  let lastNumber = after
  let touchedAt = 0
  let pauses = 0
  let pausedAt = 0

  function dueAt({ options: { idleMs, totalMs }, startedAt, lastFrameAt }: Entry): number {
    return Math.min(startedAt + totalMs, Math.max(lastFrameAt, touchedAt) + idleMs)
  }

  function expire(now: number): number {
    if (pauses > 0) return Infinity
    let next = Infinity
    for (const entry of entries.values()) {
      const due = dueAt(entry)
      if (due > now) next = Math.min(next, due)
      else abandon(entry, timeoutError(entry, now))
    }
    return next
  }

  function take(id: RequestId | undefined): Entry | undefined {
    const entry = id === undefined ? undefined : entries.take(id)
    entry?.abortion?.[Symbol.dispose]()
    return entry
  }

  /** Rejects a request that is given up, and tells the other side. */
  function abandon(entry: Entry, reason: unknown): void {
    const { id, method, options: pending } = entry
    if (take(id) === undefined) return
    entry.reject(reason)
    ignoreResponse(id)
    if (pending.isProbe || method === 'initialize') return // the one request that may not be cancelled
    const text = reason instanceof Error ? reason.message : reason
    const params = { requestId: id, ...(typeof text === 'string' && { reason: text }) }
    const { write = options.write } = pending
    try {
      write({ jsonrpc: '2.0', method: 'notifications/cancelled', params })
    } catch (error) {
      report(error, 'error')
    }
  }

  /** A response may be on its way. The oldest ids are forgotten. */
  function ignoreResponse(id: RequestId): void {
    dropped.add(id)
    const [oldest = id] = dropped
    if (dropped.size > maxDropped) dropped.delete(oldest)
  }

  function sendEntry(
    { id, method, options: pending }: Entry,
    params: JsonObject | undefined,
  ): void {
    pending.onSent?.(id)
    const sent = pending.onProgress ? withToken(params, id) : params
    const { write = options.write } = pending
    write(
      sent === undefined
        ? { jsonrpc: '2.0', id, method }
        : { jsonrpc: '2.0', id, method, params: sent },
      pending.traffic,
    )
  }

  function reject(id: RequestId, error: unknown): boolean {
    const entry = take(id)
    entry?.reject(error)
    return entry !== undefined || dropped.delete(id)
  }

  return {
    count: () => entries.size,
    last: () => lastNumber,

    send(method, params, pending) {
      const { signal, traffic } = pending
      if (traffic) traffic.params = params
      if (signal?.aborted) return Promise.reject(signal.reason)
      return new Promise((onResult, onError) => {
        lastNumber += 1
        const id = idPrefix === undefined ? lastNumber : `${idPrefix}${lastNumber}`
        const now = clock.now()
        const entry: Entry = {
          id,
          method,
          options: pending,
          resolve: onResult,
          reject: onError,
          abortion: signal && onAbort(signal, () => abandon(entry, signal.reason)),
          startedAt: now,
          lastFrameAt: now,
        }
        entries.add(id, entry)
        try {
          sendEntry(entry, params)
        } catch (error) {
          take(id)?.reject(error)
          return
        }
        if (pauses === 0) deadlines.arm(dueAt(entry))
      })
    },

    response(message, raw) {
      const { id } = message
      const entry = take(id)
      entry?.options.traffic?.received(raw)
      if (message.kind === 'result') {
        if (entry) return entry.resolve(message.result)
      } else {
        const error = options.decodeError(message.error, entry?.method ?? '')
        if (entry) return entry.reject(error)
        if (id === undefined) return report(error, 'warning')
      }
      if (id !== undefined && dropped.delete(id)) return
      const why = `a response to nothing we wait for, id ${JSON.stringify(id)}`
      report(new RpcError('invalid_request', why), 'warning')
    },

    unreadable: ({ id, error }) => take(id)?.reject(unreadable(error, peer)),

    progressed(params) {
      if (progressParams(params) !== undefined) {
        report(new RpcError('invalid_params', 'malformed progress notification'), 'warning')
        return true
      }
      const { progressToken, ...progress } = params as unknown as ProgressNotificationParams // just checked
      const entry = entries.get(progressToken)
      if (entry === undefined) return false
      entry.lastFrameAt = clock.now()
      entry.options.onProgress?.(progress)
      return true
    },

    reject,

    drop(id, error) {
      const entry = take(id)
      if (entry === undefined) return
      ignoreResponse(id)
      entry.reject(error)
    },

    touchAll() {
      touchedAt = clock.now()
    },

    pause() {
      if (pauses++ === 0) pausedAt = clock.now()
    },

    resume() {
      if (--pauses > 0) return
      const elapsed = clock.now() - pausedAt
      for (const entry of entries.values()) {
        // A request that began during the pause has lost nothing from before it.
        const pausedMs = Math.min(elapsed, clock.now() - entry.startedAt)
        entry.startedAt += pausedMs
        entry.lastFrameAt = clock.now()
        deadlines.arm(dueAt(entry))
      }
    },

    rejectAll(error) {
      for (const { id } of entries.values()) take(id)?.reject(error)
    },

    [Symbol.dispose]() {
      deadlines[Symbol.dispose]()
    },
  }
}

const maxDropped = 1_000

/** Sets the progress token, which is the id of the request: unique among requests in flight. */
function withToken(params: JsonObject | undefined, id: RequestId): JsonObject {
  const meta = params?.['_meta'] as JsonObject | undefined // an object wherever it is set
  return { ...params, _meta: { ...meta, progressToken: id } }
}

function unreadable(error: RpcError, peer: string | undefined): McpError {
  const { message } = error
  if (isRpcError(error, 'limit_exceeded'))
    return new McpError('limit_exceeded', message, { details: error.data, peer })
  return new McpError('invalid_message', `the answer is not a valid response: ${message}`, {
    details: { excerpt: message },
    peer,
  })
}

function timeoutError({ method, options, startedAt }: Entry, now: number): McpError<'timeout'> {
  const isTotal = now >= startedAt + options.totalMs
  const limit = isTotal ? 'total' : (options.limit ?? 'idle')
  const ms = isTotal ? options.totalMs : options.idleMs
  const what = isTotal ? `took longer than ${ms} ms` : `had no frame for ${ms} ms`
  return new McpError('timeout', `${method} ${what}`, {
    details: { limit, ms },
    hint: `Raise timeouts.${limit}Ms for this call or for the connection.`,
  })
}

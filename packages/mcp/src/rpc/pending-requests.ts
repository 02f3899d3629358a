import type { JsonObject } from '../schema/json.ts'
import type { Progress } from '../schema/progress.ts'
import { type Clock, createDeadlines } from './clock.ts'
import { McpError } from './errors/mcp-error.ts'
import type { RequestId } from './message.ts'
import type { Traffic } from './observe-request.ts'
import { ShortLivedMap } from './short-lived.ts'
import { onAbort } from './signals.ts'

/** How long a request may take, and who wants to hear about it. */
export interface PendingOptions {
  /** Silence allowed; any frame of the call starts it anew. */
  readonly idleMs: number
  /** The whole call, time spent asking a person not counted. */
  readonly totalMs: number
  /** Which limit `timeout` names when the idle one expires. @defaultValue 'idle' */
  readonly limit?: 'idle' | 'connect' | 'input' | undefined
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: Progress) => void) | undefined
  /** The id it goes out with, just before it does. */
  readonly onSent?: ((id: number) => void) | undefined
  /** Set where the request is watched. */
  readonly traffic?: Traffic | undefined
  /** The peer is not told when the request is given up. @defaultValue false */
  readonly isProbe?: boolean | undefined
}

/** Requests we sent that have no answer yet. Each ends exactly once: answered, failed, expired or aborted. */
export interface PendingRequests extends Disposable {
  /** How many there are. */
  count(): number
  /** The highest id that was used. */
  last(): number
  /** `send` gets the new id; what it throws rejects the request. */
  open(method: string, options: PendingOptions, send: (id: number) => void): Promise<JsonObject>
  /** The method of a request still waiting. */
  methodOf(id: RequestId | undefined): string | undefined
  /** Of a request still waiting that is watched. */
  trafficOf(id: RequestId | undefined): Traffic | undefined
  resolve(id: RequestId, result: JsonObject): boolean
  reject(id: RequestId, error: unknown): boolean
  /** Rejects a request whose answer is no longer wanted: one that comes all the same is taken and dropped. */
  drop(id: RequestId, error: unknown): void
  progress(token: RequestId, progress: Progress): boolean
  /** A frame that may belong to any of them: a log message, a question. */
  touchAll(): void
  /** Stops all clocks while a person is being asked; calls nest. */
  pause(): void
  resume(): void
  rejectAll(error: unknown): void
}

export interface PendingRequestsOptions {
  readonly clock: Clock
  /** Ids are higher. @defaultValue 0 */
  readonly after?: number | undefined
  /** We gave up a request: the peer should be told. */
  readonly onAbandoned: (id: number, method: string, reason: unknown) => void
}

interface Entry {
  readonly id: number
  readonly method: string
  readonly options: PendingOptions
  readonly resolve: (result: JsonObject) => void
  readonly reject: (error: unknown) => void
  readonly abortion: Disposable | undefined
  startedAt: number
  lastFrameAt: number
}

export function createPendingRequests(options: PendingRequestsOptions): PendingRequests {
  const { clock, onAbandoned, after = 0 } = options
  const entries = new ShortLivedMap<RequestId, Entry>()
  const dropped = new Set<RequestId>()
  const deadlines = createDeadlines(clock, expire)
  let lastId = after
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

  function take(id: RequestId): Entry | undefined {
    const entry = entries.take(id)
    entry?.abortion?.[Symbol.dispose]()
    return entry
  }

  function abandon(entry: Entry, reason: unknown): void {
    if (take(entry.id) === undefined) return
    entry.reject(reason)
    forget(entry.id)
    if (!entry.options.isProbe) onAbandoned(entry.id, entry.method, reason)
  }

  /** An answer may be under way. One that never comes is not waited for: the oldest make room. */
  function forget(id: RequestId): void {
    dropped.add(id)
    const [oldest = id] = dropped
    if (dropped.size > maxDropped) dropped.delete(oldest)
  }

  return {
    count: () => entries.size,
    last: () => lastId,

    open(method, pending, send) {
      const { signal } = pending
      if (signal?.aborted) return Promise.reject(signal.reason)
      return new Promise((resolve, reject) => {
        const id = ++lastId
        const now = clock.now()
        const entry: Entry = {
          id,
          method,
          options: pending,
          resolve,
          reject,
          abortion: signal && onAbort(signal, () => abandon(entry, signal.reason)),
          startedAt: now,
          lastFrameAt: now,
        }
        entries.add(id, entry)
        try {
          pending.onSent?.(id)
          send(id)
        } catch (error) {
          take(id)?.reject(error)
          return
        }
        if (pauses === 0) deadlines.arm(dueAt(entry))
      })
    },

    methodOf: (id) => (id === undefined ? undefined : entries.get(id)?.method),

    trafficOf: (id) => (id === undefined ? undefined : entries.get(id)?.options.traffic),

    resolve(id, result) {
      const entry = take(id)
      entry?.resolve(result)
      return entry !== undefined || dropped.delete(id)
    },

    reject(id, error) {
      const entry = take(id)
      entry?.reject(error)
      return entry !== undefined || dropped.delete(id)
    },

    drop(id, error) {
      const entry = take(id)
      if (entry === undefined) return
      forget(id)
      entry.reject(error)
    },

    progress(token, progress) {
      const entry = entries.get(token)
      if (entry === undefined) return false
      entry.lastFrameAt = clock.now()
      entry.options.onProgress?.(progress)
      return true
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
        // What began during the pause has lost nothing from before it.
        const lost = Math.min(elapsed, clock.now() - entry.startedAt)
        entry.startedAt += lost
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

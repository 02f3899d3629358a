/**
 * The `EventLog` of a single process: events in memory, for readers that come back.
 *
 * Limits events and bytes of each stream, of each session and in all; the oldest events go first, and those of ended streams after
 * `keepMs`. Bytes count against the memory of the caller. Never returns a promise. `@parley/cluster` has logs that several processes
 * share.
 */
import { systemClock, type Clock, createSharedTimer } from '../../../rpc/clock.ts'
import { MemoryShare, type MemoryBudget } from '../../../rpc/memory-budget.ts'
import type { EventLog, ReplayLimits } from './event-log.ts'

/** Limits of all streams; the oldest events are dropped first. */
export interface MemoryLogLimits extends ReplayLimits {
  /** Bytes of all streams of one session. @defaultValue 64 MiB */
  readonly sessionBytes?: number | undefined
  /** Bytes of all sessions. @defaultValue 512 MiB */
  readonly totalBytes?: number | undefined
}

interface StoredStream {
  readonly texts: string[]
  /** The number of the first text that is kept. */
  first: number
  bytes: number
  isEnded: boolean
  readAt: number | undefined
  readAfter: number
  readonly watchers: Set<() => void>
  /** When it is dropped, once it has ended. */
  ending: Disposable | undefined
}

interface StoredSession {
  readonly streams: Map<string, StoredStream>
  /** The memory of its caller. */
  readonly memory: MemoryShare | undefined
  bytes: number
}

/** The share of a caller's memory that events may use; the rest is for requests and responses. */
const eventShare = 0.5
/** Streams of one session; beyond that the oldest that ended are dropped. */
const maxStreams = 1_024

/** A bounded log in the memory of this process. */
export function createMemoryEventLog(
  limits: MemoryLogLimits,
  clock: Clock = systemClock,
  charge?: { readonly quotaKey: MemoryBudget; callerOf(sessionId: string): string },
): EventLog & { /** Kept now. */ readonly bytes: number } {
  const { sessionBytes = 64 * 1024 * 1024, totalBytes = 512 * 1024 * 1024 } = limits
  const sessions = new Map<string, StoredSession>()
  const ends = createSharedTimer(clock, limits.keepMs)
  let total = 0

  function find(sessionId: string, streamId: string): StoredStream | undefined {
    return sessions.get(sessionId)?.streams.get(streamId)
  }

  function open(sessionId: string, streamId: string): StoredStream {
    let session = sessions.get(sessionId)
    if (!session) {
      const memory = charge && new MemoryShare(charge.quotaKey, charge.callerOf(sessionId))
      sessions.set(sessionId, (session = { streams: new Map(), memory, bytes: 0 }))
    }
    const watchers = new Set<() => void>()
    const stream: StoredStream = {
      texts: [],
      first: 1,
      bytes: 0,
      isEnded: false,
      readAt: undefined,
      readAfter: 0,
      watchers,
      ending: undefined,
    }
    session.streams.set(streamId, stream)
    if (session.streams.size > maxStreams) dropOldestEnded(sessionId, session)
    return stream
  }

  function dropOldestEnded(sessionId: string, session: StoredSession): void {
    for (const [streamId, { isEnded }] of session.streams) {
      if (isEnded) return drop(sessionId, streamId)
    }
  }

  function drop(sessionId: string, streamId: string): void {
    const session = sessions.get(sessionId)
    const stream = session?.streams.get(streamId)
    if (!session || !stream) return
    empty(session, stream)
    session.streams.delete(streamId)
    if (session.streams.size === 0) {
      sessions.delete(sessionId)
      session.memory?.close()
    }
    release(stream)
  }

  function dropWhenUnread(sessionId: string, streamId: string, stream: StoredStream): void {
    stream.ending = ends.after(() => {
      const isRead = stream.readAt !== undefined && clock.now() - stream.readAt < limits.keepMs
      if (find(sessionId, streamId) !== stream) return
      if (isRead) dropWhenUnread(sessionId, streamId, stream)
      else drop(sessionId, streamId)
    })
  }

  function grow(session: StoredSession, stream: StoredStream, by: number): void {
    stream.bytes += by
    session.bytes += by
    total += by
    if (by < 0) session.memory?.release(-2 * by)
  }

  /** Makes room in the account of its caller by older events of the session; false if there is none even so. */
  function hasCapacity(session: StoredSession, length: number): boolean {
    const { memory } = session
    if (memory === undefined) return true
    const matches = (): boolean => memory.reserve(2 * length, eventShare) === undefined // a character may take two bytes
    if (matches()) return true
    for (const stream of session.streams.values()) {
      if (stream.bytes === 0) continue
      empty(session, stream)
      if (matches()) return true
    }
    return false
  }

  /** Treats an event beyond the limit as dropped already: a reader that needs it gets an error. */
  function keep(session: StoredSession, stream: StoredStream, text: string): void {
    if (!hasCapacity(session, text.length)) {
      stream.first += 1
      return
    }
    stream.texts.push(text)
    grow(session, stream, text.length)
  }

  function trim(session: StoredSession, stream: StoredStream): void {
    const { texts } = stream
    let excess = 0
    let bytes = 0
    while (
      texts.length - excess > limits.events ||
      (stream.bytes - bytes > limits.bytes && texts.length - excess > 1)
    ) {
      bytes += texts[excess]?.length ?? 0
      excess += 1
    }
    if (excess === 0) return
    texts.splice(0, excess)
    stream.first += excess
    grow(session, stream, -bytes)
  }

  function empty(session: StoredSession, stream: StoredStream): void {
    grow(session, stream, -stream.bytes)
    stream.first += stream.texts.length
    stream.texts.length = 0
  }

  /** Streams are in the order they began, and the newest events are the likeliest to be asked for. */
  function freeCapacity(session: StoredSession): void {
    for (const stream of session.streams.values()) {
      if (session.bytes <= sessionBytes) break
      empty(session, stream)
    }
    for (const other of sessions.values()) {
      if (total <= totalBytes) break
      for (const stream of other.streams.values()) empty(other, stream)
    }
  }

  return {
    get bytes() {
      return total
    },

    append({ sessionId, streamId }, { firstSequence, texts, isLast }) {
      const existing = find(sessionId, streamId)
      if (!existing && firstSequence !== 1) return false
      const stream = existing ?? open(sessionId, streamId)
      const session = sessions.get(sessionId)
      const skipped = stream.first + stream.texts.length - firstSequence
      if (!session || skipped < 0) return false
      if (stream.isEnded) return skipped >= texts.length
      for (let index = skipped; index < texts.length; index += 1) {
        keep(session, stream, texts[index] ?? '')
      }
      trim(session, stream)
      if (session.bytes > sessionBytes || total > totalBytes) freeCapacity(session)
      stream.isEnded = isLast
      if (isLast) dropWhenUnread(sessionId, streamId, stream)
      wakeAll(stream)
      return true
    },

    read({ sessionId, streamId }, after, limit) {
      const stream = find(sessionId, streamId)
      const from = after + 1 - (stream?.first ?? Infinity)
      if (!stream || from < 0 || from > stream.texts.length) return undefined
      stream.readAt = clock.now()
      stream.readAfter = after
      const texts = stream.texts.slice(from, from + limit)
      return { texts, isLast: stream.isEnded && from + texts.length === stream.texts.length }
    },

    lastRead({ sessionId, streamId }) {
      const { readAt, readAfter = 0 } = find(sessionId, streamId) ?? {}
      return readAt === undefined ? undefined : { agoMs: clock.now() - readAt, after: readAfter }
    },

    watch({ sessionId, streamId }, wake) {
      const watchers = find(sessionId, streamId)?.watchers
      watchers?.add(wake)
      return () => void watchers?.delete(wake)
    },

    dropSession(sessionId) {
      const session = sessions.get(sessionId)
      if (!session) return
      total -= session.bytes
      session.memory?.close()
      sessions.delete(sessionId)
      for (const stream of session.streams.values()) release(stream)
    },
  }
}

/** Nothing waits for it any more, nor keeps its events. */
function release(stream: StoredStream): void {
  stream.ending?.[Symbol.dispose]()
  wakeAll(stream)
}

function wakeAll({ watchers }: StoredStream): void {
  for (const wake of watchers) wake()
}

import type { EventLog, LogEvent, ReplayLimits } from './event-log.ts'

/** What streams may take; the oldest events make room. */
export interface MemoryLogLimits extends Pick<ReplayLimits, 'events' | 'bytes'> {
  /** Of all streams of one session. @defaultValue 64 MiB */
  readonly sessionBytes?: number | undefined
  /** Of all sessions. @defaultValue 512 MiB */
  readonly totalBytes?: number | undefined
}

interface KeptStream {
  readonly events: LogEvent[]
  bytes: number
}

interface KeptSession {
  readonly streams: Map<string, KeptStream>
  bytes: number
}

/** A bounded log in the memory of this process. */
export function createMemoryEventLog(
  limits: MemoryLogLimits,
): EventLog & { /** Kept now. */ readonly bytes: number } {
  const { sessionBytes = 64 * 1024 * 1024, totalBytes = 512 * 1024 * 1024 } = limits
  const sessions = new Map<string, KeptSession>()
  let total = 0

  function grow(session: KeptSession, stream: KeptStream, by: number): void {
    stream.bytes += by
    session.bytes += by
    total += by
  }

  function trim(session: KeptSession, stream: KeptStream): void {
    const { events } = stream
    while (events.length > limits.events || (stream.bytes > limits.bytes && events.length > 1)) {
      grow(session, stream, -(events.shift()?.text.length ?? 0))
    }
  }

  function empty(session: KeptSession, stream: KeptStream): void {
    grow(session, stream, -stream.bytes)
    stream.events.length = 0
  }

  /** Streams are in the order they began, and the newest events are the likeliest to be asked for. */
  function makeRoom(session: KeptSession): void {
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

    append({ sessionId, streamId }, event) {
      let session = sessions.get(sessionId)
      if (!session) sessions.set(sessionId, (session = { streams: new Map(), bytes: 0 }))
      let stream = session.streams.get(streamId)
      if (!stream) session.streams.set(streamId, (stream = { events: [], bytes: 0 }))
      stream.events.push(event)
      grow(session, stream, event.text.length)
      trim(session, stream)
      if (session.bytes > sessionBytes || total > totalBytes) makeRoom(session)
    },

    read({ sessionId, streamId }, after, limit) {
      const events = sessions.get(sessionId)?.streams.get(streamId)?.events
      const first = events?.[0]?.sequence
      if (events === undefined || first === undefined || after < first - 1) return undefined
      const from = after - (first - 1)
      return from < events.length ? events.slice(from, from + limit) : undefined
    },

    drop({ sessionId, streamId }) {
      const session = sessions.get(sessionId)
      const stream = session?.streams.get(streamId)
      if (!session || !stream) return
      empty(session, stream)
      session.streams.delete(streamId)
    },

    dropSession(sessionId) {
      const session = sessions.get(sessionId)
      if (!session) return
      total -= session.bytes
      sessions.delete(sessionId)
    },
  }
}

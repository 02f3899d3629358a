import type { StreamBatch, StreamKey, StreamLimits, ClusterStreams } from '../store/streams.ts'
import { createExpiringMap, type ExpiringMap } from './expiring-map.ts'

interface Stream {
  writer: string
  about: string
  readonly texts: string[]
  /** The number of the event before the first that is kept. */
  dropped: number
  bytes: number
  isEnded: boolean
  lastRead: { readonly at: number; readonly after: number } | undefined
}

export function createMemoryStreams(now: () => number): ClusterStreams {
  const sessions = createExpiringMap<ExpiringMap<Stream>>(now)

  function find({ session, stream }: StreamKey): Stream | undefined {
    return sessions.get(session)?.get(stream)
  }

  function keep(key: StreamKey, stream: Stream, limits: StreamLimits): void {
    const session = sessions.get(key.session) ?? createExpiringMap<Stream>(now)
    session.set(key.stream, stream, stream.isEnded ? limits.endedMs : limits.openMs)
    sessions.set(key.session, session, Math.max(limits.endedMs, limits.openMs))
  }

  function add(stream: Stream, texts: readonly string[], limits: StreamLimits): void {
    for (const text of texts) {
      stream.texts.push(text)
      stream.bytes += text.length
    }
    const isOver = (): boolean => stream.texts.length > limits.events || stream.bytes > limits.bytes
    while (stream.texts.length > 1 && isOver()) {
      stream.bytes -= stream.texts.shift()?.length ?? 0
      stream.dropped += 1
    }
  }

  function append(key: StreamKey, batch: StreamBatch, limits: StreamLimits): boolean {
    const { writer, firstSequence, texts, isLast, about } = batch
    const stream = find(key) ?? open(batch)
    if (stream === undefined || stream.writer !== writer) return false
    const last = stream.dropped + stream.texts.length
    const fresh = texts.slice(Math.max(0, last + 1 - firstSequence))
    if (firstSequence > last + 1) return false // the store has lost what came before
    if (stream.isEnded) return fresh.length === 0
    add(stream, fresh, limits)
    stream.isEnded = isLast
    if (about !== undefined) stream.about = about
    keep(key, stream, limits)
    return true
  }

  return {
    append: async (key, batch, limits) => append(key, batch, limits),

    async read(key, after, most) {
      const stream = find(key)
      if (stream === undefined) return undefined
      const { texts, dropped, isEnded, writer, about } = stream
      if (after < dropped || after > dropped + texts.length) return undefined
      stream.lastRead = { at: now(), after }
      const page: string[] = []
      let bytes = 0
      for (const text of texts.slice(after - dropped, after - dropped + most.events)) {
        bytes += text.length
        if (page.length > 0 && bytes > most.bytes) break
        page.push(text)
      }
      const isLast = isEnded && after + page.length === dropped + texts.length
      return { texts: page, isLast, writer, about }
    },

    async takeOver(key, { writer, last }, texts, limits) {
      const stream = find(key)
      if (stream === undefined || stream.isEnded || stream.writer !== writer) return false
      if (last !== undefined && last !== stream.dropped + stream.texts.length) return false
      stream.writer = ''
      add(stream, texts, limits)
      stream.isEnded = true
      keep(key, stream, limits)
      return true
    },

    async lastRead(key) {
      const last = find(key)?.lastRead
      return last && { agoMs: now() - last.at, after: last.after }
    },

    dropSession: async (session) => sessions.delete(session),
  }
}

/** Only a first batch opens a stream: a later one belongs to a stream that is gone. */
function open({ writer, firstSequence }: StreamBatch): Stream | undefined {
  if (firstSequence !== 1) return undefined
  return { writer, about: '', texts: [], dropped: 0, bytes: 0, isEnded: false, lastRead: undefined }
}

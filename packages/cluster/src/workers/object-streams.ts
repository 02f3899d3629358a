/**
 * Event streams of a cluster in a Durable Object, in its SQLite tables. Long events are stored apart from their rows, because a
 * row has a limit. The other parts of this engine are beside it.
 */

import { Buffer } from 'node:buffer'

import type {
  StreamBatch,
  StreamKey,
  StreamLimits,
  StreamPage,
  ClusterStreams,
} from '../store/streams.ts'
import { wholeCount, wholeMs } from '../store/whole-numbers.ts'
import type { LongTexts } from './long-texts.ts'
import type { ObjectDatabase } from './object-database.ts'

type Stored = {
  readonly position: number
  readonly writer: string
  readonly about: string
  readonly last: number
  readonly dropped: number
  readonly bytes: number
  readonly is_ended: number
  readonly read_at: number | null
  readonly read_after: number | null
}

type Event = {
  readonly number: number
  readonly text: string
  readonly parts: number
  readonly bytes: number
}

/** Events that are looked at in one query, however many a reader would take. */
const readAtOnce = 100

export function createObjectStreams(database: ObjectDatabase, long: LongTexts): ClusterStreams {
  const { rows, step, now } = database

  function find({ session, stream }: StreamKey): Stored | undefined {
    const query = 'SELECT * FROM parley_streams WHERE session = ? AND stream = ? AND kept_until > ?'
    return rows<Stored>(query, session, stream, now())[0]
  }

  /** Only a first batch opens a stream: a later one belongs to a stream that is gone. */
  function open(key: StreamKey, { writer, firstSequence }: StreamBatch): Stored | undefined {
    if (firstSequence !== 1) return undefined
    const { session, stream } = key
    const removedQuery = 'SELECT position FROM parley_streams WHERE session = ? AND stream = ?'
    for (const { position } of rows<Stored>(removedQuery, session, stream))
      dropStream(database, position)
    const query = `INSERT INTO parley_streams
      (session, stream, writer, about, last, dropped, bytes, is_ended, kept_until)
      VALUES (?, ?, ?, '', 0, 0, 0, 0, ?) RETURNING *`
    return rows<Stored>(query, session, stream, writer, now() + 1)[0]
  }

  function addEvents(stream: Stored, texts: readonly string[], limits: StreamLimits) {
    const { position } = stream
    let { last, dropped, bytes } = stream
    for (const text of texts) {
      last += 1
      const size = Buffer.byteLength(text)
      const splitText = long.split(eventOwner(position, last), text)
      const query =
        'INSERT INTO parley_events (position, number, text, parts, bytes) VALUES (?, ?, ?, ?, ?)'
      rows(query, position, last, splitText.text, splitText.parts, size)
      bytes += size
    }
    while (last - dropped > 1 && (last - dropped > limits.events || bytes > limits.bytes)) {
      dropped += 1
      bytes -= dropEvent(position, dropped)
    }
    return { last, dropped, bytes }
  }

  function dropEvent(position: number, number: number): number {
    const query =
      'DELETE FROM parley_events WHERE position = ? AND number = ? RETURNING parts, bytes'
    const [dropped] = rows<Event>(query, position, number)
    long.drop(eventOwner(position, number), dropped?.parts ?? 0)
    return dropped?.bytes ?? 0
  }

  interface Change {
    readonly texts: readonly string[]
    readonly isLast: boolean
    readonly writer: string
    readonly about: string
  }

  function write(stream: Stored, change: Change, limits: StreamLimits): void {
    const { last, dropped, bytes } = addEvents(stream, change.texts, limits)
    const { isLast, writer, about } = change
    const until = now() + wholeMs(isLast ? limits.endedMs : limits.openMs)
    const query = `UPDATE parley_streams
      SET last = ?, dropped = ?, bytes = ?, is_ended = ?, writer = ?, about = ?, kept_until = ? WHERE position = ?`
    rows(query, last, dropped, bytes, isLast ? 1 : 0, writer, about, until, stream.position)
  }

  function append(key: StreamKey, batch: StreamBatch, limits: StreamLimits): boolean {
    const { writer, firstSequence, texts, isLast } = batch
    const stream = find(key) ?? open(key, batch)
    if (stream === undefined || stream.writer !== writer) return false
    if (firstSequence > stream.last + 1) return false // the store has lost what came before
    const fresh = texts.slice(Math.max(0, stream.last + 1 - firstSequence))
    if (stream.is_ended) return fresh.length === 0
    const about = batch.about ?? stream.about
    write(stream, { texts: fresh, isLast, writer, about }, limits)
    return true
  }

  function takeOver(
    stream: Stored | undefined,
    from: { readonly writer: string; readonly last?: number | undefined },
    texts: readonly string[],
    limits: StreamLimits,
  ): boolean {
    if (stream === undefined || stream.is_ended || stream.writer !== from.writer) return false
    if (from.last !== undefined && from.last !== stream.last) return false
    write(stream, { texts, isLast: true, writer: '', about: stream.about }, limits)
    return true
  }

  function read(
    stream: Stored,
    after: number,
    most: { readonly events: number; readonly bytes: number },
  ): StreamPage {
    const query = 'UPDATE parley_streams SET read_at = ?, read_after = ? WHERE position = ?'
    rows(query, now(), after, stream.position)
    const texts = readEvents(stream.position, after, most)
    const isLast = stream.is_ended === 1 && after + texts.length === stream.last
    return { texts, isLast, writer: stream.writer, about: stream.about }
  }

  function readEvents(
    position: number,
    after: number,
    most: { readonly events: number; readonly bytes: number },
  ): readonly string[] {
    const texts: string[] = []
    let bytes = 0
    const wanted = wholeCount(most.events)
    while (texts.length < wanted) {
      const query =
        'SELECT * FROM parley_events WHERE position = ? AND number > ? ORDER BY number LIMIT ?'
      const limit = Math.min(readAtOnce, wanted - texts.length)
      const events = rows<Event>(query, position, after + texts.length, limit)
      for (const event of events) {
        bytes += event.bytes
        if (texts.length > 0 && bytes > most.bytes) return texts
        texts.push(long.join(eventOwner(position, event.number), event))
      }
      if (events.length < limit) return texts
    }
    return texts
  }

  return {
    append: (key, batch, limits) => step(() => append(key, batch, limits)),
    read: (key, after, most) =>
      step(() => {
        const stream = find(key)
        if (stream === undefined || after < stream.dropped || after > stream.last) return undefined
        return read(stream, after, most)
      }),
    takeOver: (key, from, texts, limits) => step(() => takeOver(find(key), from, texts, limits)),
    lastRead: (key) =>
      step(() => {
        const { read_at: at, read_after: after } = find(key) ?? { read_at: null, read_after: null }
        if (at === null || after === null) return undefined
        return { agoMs: Math.max(0, now() - at), after }
      }),
    dropSession: (session) =>
      step(() => {
        const query = 'SELECT position FROM parley_streams WHERE session = ?'
        for (const { position } of rows<Stored>(query, session)) dropStream(database, position)
      }),
  }
}

/** Forgets a stream with all its events. */
export function dropStream({ rows }: ObjectDatabase, position: number): void {
  const begin = `event ${position} `
  rows('DELETE FROM parley_parts WHERE owner >= ? AND owner < ?', begin, `event ${position}!`)
  rows('DELETE FROM parley_events WHERE position = ?', position)
  rows('DELETE FROM parley_streams WHERE position = ?', position)
}

/** The name under which the rest of a long event is kept. */
function eventOwner(position: number, number: number): string {
  return `event ${position} ${number}`
}

import type { Frame } from '@parley/mcp'
import type { ClientStatus } from '@parley/mcp/client'

import { createMask, type Mask } from './mask.ts'
import { createPairing } from './pairing.ts'
import type { TraceRecord } from './record.ts'
import { createRing } from './ring.ts'

/** Keeps what happens on connections: as much as fits, oldest forgotten first. */
export interface TraceRecorder {
  /** The `seq` of the oldest record kept; one more than `last` when there is none. */
  readonly first: number
  /** The `seq` of the newest record; 0 before the first. */
  readonly last: number
  /** How many records are kept at most. */
  readonly limit: number
  /** Hooks for the options of `connect`, under a name. */
  tap(connection: string): TraceTap
  /** Records with a `seq` above `after`, oldest first; secrets masked, as everywhere. */
  page(after: number, limit: number): readonly TraceRecord[]
  /** A record by its `seq`, secrets masked; undefined if it is not kept. */
  get(seq: number): TraceRecord | undefined
  /** Returns a record as it was sent, secrets included: to send it again. Never shown. */
  raw(seq: number): TraceRecord | undefined
  /** Forgets all records. Numbers go on. */
  clear(): void
  /** Each record as it is made; cheap, so nothing is masked yet: call `masked` before showing it to anyone. */
  onRecord(listener: (record: TraceRecord) => void): Disposable
  /** A copy with secrets masked. */
  masked(record: TraceRecord): TraceRecord
}

/** The recording of one connection; the first three match the options of `connect`. */
export interface TraceTap {
  /** Records a message. */
  onMessage(frame: Frame): TraceRecord
  /** Records a line of standard error. */
  onStderr(line: string): void
  /** Records that the connection was lost, is back, or was closed. */
  onStatus(status: ClientStatus, previous: ClientStatus): void
  /** Sets the negotiated revision for later records. */
  setRevision(revision: string): void
  /** The `seq` of a request of ours that was not answered yet, for what carries it. */
  requestOf(id: string | number): number | undefined
  /** Records anything else. */
  add(record: Pick<TraceRecord, 'kind'> & Partial<TraceRecord>): TraceRecord
}

/** How much a recorder keeps, and what it hides. */
export interface RecorderOptions {
  /** @defaultValue 100_000 */
  readonly records?: number | undefined
  /** Limit for messages and texts. @defaultValue 64 MiB */
  readonly bytes?: number | undefined
  /** @defaultValue by the names that texts stand under */
  readonly mask?: Mask | undefined
  /** Counts in milliseconds and never goes back. */
  readonly now?: (() => number) | undefined
}

/** Keeps the newest records in memory and tells those who listen. */
export function createRecorder(options: RecorderOptions = {}): TraceRecorder {
  const { records: limit = 100_000, bytes = 64 * 1024 * 1024 } = options
  const { mask = createMask(), now = () => performance.now() } = options
  const ring = createRing(limit, bytes)
  const listeners = new Set<(record: TraceRecord) => void>()
  const start = now()
  let last = 0

  function add(record: TraceRecord): TraceRecord {
    last = record.seq
    ring.push(record)
    for (const listener of listeners) listener(record)
    return record
  }

  function shown(record: TraceRecord): TraceRecord {
    const { message, text, details } = record
    const seen = {
      message: message === undefined ? undefined : mask(message),
      text: text === undefined ? undefined : mask(text),
      details: details === undefined ? undefined : mask(details),
    }
    if (seen.message === message && seen.text === text && seen.details === details) return record
    return {
      ...record,
      ...(seen.message !== undefined && { message: seen.message }),
      ...(typeof seen.text === 'string' && { text: seen.text }),
      ...(seen.details !== undefined && { details: seen.details as TraceRecord['details'] }), // an object stays one
    }
  }

  function tap(connection: string): TraceTap {
    const pairing = createPairing()
    let revision: string | undefined

    function make(more: Pick<TraceRecord, 'kind'> & Partial<TraceRecord>): TraceRecord {
      return add({
        seq: last + 1,
        time: now() - start,
        at: Date.now(),
        connection,
        ...(revision !== undefined && { revision }),
        ...more,
      })
    }

    return {
      onMessage({ direction, message, bytes: size, stream }) {
        const more = { direction, bytes: size, ...(stream !== undefined && { stream }) }
        if (typeof message === 'string') return make({ kind: 'unparsable', text: message, ...more })
        const parent = pairing.location(message, direction, last + 1)
        return make({ kind: 'message', message, ...more, ...(parent !== undefined && { parent }) })
      },
      onStderr(line) {
        make({ kind: 'stderr', text: line, bytes: line.length })
      },
      onStatus(status) {
        const { state, cause } = { cause: undefined, ...status }
        make({
          kind: 'status',
          text: state,
          ...(cause !== undefined && { details: { code: cause.code, message: cause.message } }),
        })
      },
      setRevision(agreed) {
        revision = agreed
      },
      requestOf: pairing.requestOf,
      add: make,
    }
  }

  return {
    get first() {
      return ring.first ?? last + 1
    },
    get last() {
      return last
    },
    limit,
    tap,
    page: (after, count) => ring.after(after, count).map(shown),
    get(seq) {
      const record = ring.get(seq)
      return record && shown(record)
    },
    raw: (seq) => ring.get(seq),
    clear: () => ring.clear(),
    onRecord(listener) {
      listeners.add(listener)
      return { [Symbol.dispose]: () => void listeners.delete(listener) }
    },
    masked: shown,
  }
}

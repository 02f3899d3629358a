import type { JsonObject } from '@parley/mcp'
import { errorMessage } from '@parley/mcp/json'

import { createMask } from '../trace/mask.ts'
import { isNoteRecord, noteRecord } from './audit-notes.ts'
import { createAuditWriter, type PendingRecord } from './audit-writer.ts'
import { shrinkRecord } from './shrink-record.ts'

/** Where an audit log is, and how much it may take. */
export interface AuditLogOptions {
  /** The file, JSON lines. Several processes may write to it. Beside it are `.lock`, `.head` and the full files `.000001` and so on. */
  readonly path: string
  /** Makes the chain one that only holders of the key can continue or remake. @defaultValue none: changes are noticed, forgery by whoever can write the file is not */
  readonly key?: string | undefined
  /** Takes out of a record what nobody should read. @defaultValue values under secret names, and tokens by their form */
  readonly mask?: ((record: JsonObject) => JsonObject) | undefined
  /** Longer texts of a record are left out. @defaultValue 65_536 */
  readonly recordBytes?: number | undefined
  /** Records that may wait to be written. @defaultValue 10_000 */
  readonly queuedRecords?: number | undefined
  /** Their size in all. @defaultValue 16 MiB */
  readonly queuedBytes?: number | undefined
  /** A file that has reached this size is put aside. @defaultValue 16 MiB */
  readonly fileBytes?: number | undefined
  /** Files in all; the oldest goes. @defaultValue 10 */
  readonly files?: number | undefined
  /** Wait for the disk, not only for the system. @defaultValue false */
  readonly sync?: boolean | undefined
  /** Is told once when records begin to be lost, and once when writing works again. @defaultValue a warning of the process */
  readonly onProblem?: ((message: string) => void) | undefined
}

/** The outcome of appending a record. */
export type AuditOutcome =
  | {
      /** The record is on disk. */
      readonly written: true
      /** The number of the entry, counted from the first of the log. */
      readonly seq: number
      /** The SHA-256 of the entry, which includes that of the one before. */
      readonly hash: string
    }
  | {
      /** The record is lost. */
      readonly written: false
      /** Why: the queue is full, writing failed, the log is closed, or the record is no valid one. */
      readonly reason: 'full' | 'failed' | 'closed' | 'refused'
      /** The same, for people. */
      readonly message: string
    }

/** A log that only grows; removal and change are noticed by `verifyAuditLog`. */
export interface AuditLog extends AsyncDisposable {
  /**
   * Queues a record, and says when it is written. Never throws and never rejects: who may go on without an audit ignores
   * the outcome, who must not waits for it. Lost records are counted, and the next entry says how many there were.
   */
  append(record: JsonObject): Promise<AuditOutcome>
  /** Waits until everything queued is written or lost. */
  flush(): Promise<void>
  /** Records lost since the log was opened. */
  readonly lost: number
}

const batchRecords = 500
const maxRecordLength = 128 * 1024

/** Opens an audit log: JSON lines with a chain of SHA-256, shared by several processes, rotated by size. */
export function openAuditLog(options: AuditLogOptions): AuditLog {
  const { path, queuedRecords = 10_000, queuedBytes = 16 * 1024 * 1024 } = options
  const { onProblem = (message) => process.emitWarning(message) } = options
  const recordBytes = Math.min(options.recordBytes ?? 64 * 1024, maxRecordLength)
  const mask = options.mask ?? defaultMask()
  const writer = createAuditWriter({
    path,
    key: options.key,
    fileBytes: options.fileBytes ?? 16 * 1024 * 1024,
    files: Math.max(2, options.files ?? 10),
    sync: options.sync ?? false,
  })
  let queue: Waiting[] = []
  let bytes = 0
  let droppedCount = 0
  /** Lost, and not yet said so in the log. */
  let unsent = 0
  let isLosing = false
  let isClosed = false
  let pumping: Promise<void> | undefined

  function lose(reason: 'full' | 'failed', count: number, cause: string): AuditOutcome {
    droppedCount += count
    unsent += count
    const message = `the audit log ${path} is losing records: ${cause}`
    if (!isLosing) onProblem(message)
    isLosing = true
    return { written: false, reason, message }
  }

  async function pump(): Promise<void> {
    while (queue.length > 0) {
      const batch = queue.slice(0, batchRecords)
      queue = queue.slice(batchRecords)
      for (const { size } of batch) bytes -= size
      await writeBatch(batch)
    }
    pumping = undefined
  }

  async function writeBatch(batch: readonly Waiting[]): Promise<void> {
    const reported = unsent
    const notes: PendingRecord[] =
      reported === 0
        ? []
        : [{ at: now(), record: noteRecord({ kind: 'dropped', records: reported }) }]
    try {
      const ends = (await writer.write([...notes, ...batch])).slice(notes.length)
      unsent -= reported
      if (isLosing && queue.length < queuedRecords / 2) {
        isLosing = false
        onProblem(
          `the audit log ${path} is being written again; ${droppedCount} records were lost so far`,
        )
      }
      for (const [index, { resolve }] of batch.entries()) {
        const end = ends[index]
        if (end !== undefined) resolve({ written: true, ...end })
      }
    } catch (error) {
      const outcome = lose('failed', batch.length, errorMessage(error))
      for (const { resolve } of batch) resolve(outcome)
    }
  }

  function enqueue(record: JsonObject, size: number): Promise<AuditOutcome> {
    return new Promise((resolve) => {
      queue.push({ at: now(), record, size, resolve })
      bytes += size
      pumping ??= Promise.resolve().then(pump) // what is appended in one turn is written at once
    })
  }

  const log: AuditLog = {
    async append(record) {
      if (isClosed)
        return { written: false, reason: 'closed', message: `the audit log ${path} is closed` }
      if (isNoteRecord(record)) {
        return {
          written: false,
          reason: 'refused',
          message: '"$audit" is for the log itself: name the member differently',
        }
      }
      if (queue.length >= queuedRecords || bytes >= queuedBytes) {
        return lose('full', 1, `${queue.length} records of ${bytes} bytes wait to be written`)
      }
      try {
        const { record: shrunk, size } = shrinkRecord(mask(record), recordBytes)
        return await enqueue(shrunk, size)
      } catch (error) {
        return lose('failed', 1, `a record cannot be written: ${errorMessage(error)}`)
      }
    },
    async flush() {
      await pumping
    },
    get lost() {
      return droppedCount
    },
    async [Symbol.asyncDispose]() {
      isClosed = true
      await pumping
    },
  }
  return log
}

interface Waiting extends PendingRecord {
  readonly size: number
  readonly resolve: (outcome: AuditOutcome) => void
}

function now(): string {
  return new Date().toISOString()
}

function defaultMask(): (record: JsonObject) => JsonObject {
  const mask = createMask()
  return (record) => mask(record) as JsonObject // an object stays one
}

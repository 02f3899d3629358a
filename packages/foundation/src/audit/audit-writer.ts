import { closeSync, fstatSync, writeSync } from 'node:fs'
import { unlink, type FileHandle } from 'node:fs/promises'
import { basename } from 'node:path'

import type { JsonObject } from '@parley/mcp'
import { replaceFile, type FileLock } from '@parley/mcp/system'

import { withLockedFile } from '../files/locked-file.ts'
import { chainStart, createEntry, type AuditEntry, type ChainEnd } from './audit-entry.ts'
import {
  listRotated,
  nextRotated,
  openForAppending,
  openForAppendingNow,
  openForReading,
  readHead,
  writeHead,
} from './audit-files.ts'
import { noteRecord } from './audit-notes.ts'
import { readTail } from './audit-tail.ts'
import { readFirstEntry } from './read-audit-log.ts'

/** A record that waits to be written. */
export interface PendingRecord {
  readonly at: string
  readonly record: JsonObject
}

export interface AuditWriterOptions {
  readonly path: string
  readonly key: string | undefined
  readonly fileBytes: number
  readonly files: number
  readonly sync: boolean
}

/** Writes batches to the end of the chain, under a lock that all processes share. */
export interface AuditWriter {
  /** The entries made of the records, in order. */
  write(records: readonly PendingRecord[]): Promise<readonly ChainEnd[]>
}

export function createAuditWriter(options: AuditWriterOptions): AuditWriter {
  const { path, key, fileBytes, sync } = options
  /** How this process left the file. Another one may have written since. */
  let left: { readonly inode: number; readonly size: number } | undefined
  let lastEnd: ChainEnd = chainStart

  /**
   * The greatest of what the file, the head beside it and this process know. Whoever cuts the file shorter leaves a gap
   * that no later entry closes.
   */
  async function findEnd(file: FileHandle, size: number): Promise<number> {
    const tail = await readTail(file, size, key)
    const ends = [tail.end, await readHead(path), size === 0 ? await rotatedEnd() : undefined]
    for (const end of ends) if (end !== undefined && end.seq > lastEnd.seq) lastEnd = end
    return tail.tornBytes
  }

  async function rotatedEnd(): Promise<ChainEnd | undefined> {
    const last = (await listRotated(path)).at(-1)
    const file = last === undefined ? undefined : await openForReading(last)
    if (file === undefined) return undefined
    try {
      return (await readTail(file, (await file.stat()).size, key)).end
    } finally {
      await file.close()
    }
  }

  /** Makes room if the file is full: the records that say which old files went. */
  async function rotate(): Promise<readonly JsonObject[]> {
    await replaceFile(path, nextRotated(path, await listRotated(path)))
    const rotated = await listRotated(path)
    const removed = rotated.slice(0, Math.max(0, rotated.length - (options.files - 1)))
    if (removed.length === 0) return []
    const nextFile = rotated[removed.length]
    const first = nextFile === undefined ? undefined : await readFirstEntry(nextFile)
    for (const file of removed) await unlink(file).catch(() => undefined) // another process was quicker
    const names = removed.map((file) => basename(file))
    return [noteRecord({ kind: 'removed', files: names, first: first?.seq ?? lastEnd.seq + 1 })]
  }

  /**
   * The usual case, without another thread: handing over each of these small steps takes several times as long as the
   * step. Undefined if there is more to do, or to wait for.
   */
  function appendNow(records: readonly PendingRecord[]): readonly AuditEntry[] | undefined {
    if (sync || left === undefined) return undefined
    const entries = chain(records)
    const text = textOf(entries)
    if (text.length > maxAtOnce) return undefined
    const file = openForAppendingNow(path)
    try {
      const { ino: inode, size } = fstatSync(file)
      if (left.inode !== inode || left.size !== size || size >= fileBytes) return undefined
      left = undefined // until it is known to be whole
      left = { inode, size: size + writeWhole(file, text) }
      lastEnd = entries.at(-1) ?? lastEnd
      return entries
    } finally {
      closeSync(file)
    }
  }

  async function append(records: readonly PendingRecord[]): Promise<readonly AuditEntry[]> {
    let file = await openForAppending(path)
    try {
      let { ino: inode, size } = await file.stat()
      const isAsLeft = left?.inode === inode && left.size === size
      const tornBytes = isAsLeft ? 0 : await findEnd(file, size)
      const notes: JsonObject[] =
        tornBytes === 0 ? [] : [noteRecord({ kind: 'torn', bytes: tornBytes })]
      if (tornBytes > 0) size += (await file.write('\n')).bytesWritten
      if (size >= fileBytes) {
        await file.close()
        notes.push(...(await rotate()))
        file = await openForAppending(path)
        ;({ ino: inode, size } = await file.stat())
      }
      const at = records[0]?.at ?? new Date().toISOString()
      const entries = chain([...notes.map((record) => ({ at, record })), ...records])
      const text = textOf(entries)
      left = undefined // until it is known to be whole
      await file.appendFile(text)
      if (sync) await file.sync()
      left = { inode, size: size + Buffer.byteLength(text) }
      lastEnd = entries.at(-1) ?? lastEnd
      return entries.slice(notes.length)
    } finally {
      await file.close()
    }
  }

  async function appendWhileHeld(
    records: readonly PendingRecord[],
    lock: FileLock,
  ): Promise<readonly AuditEntry[]> {
    if (!(await lock.isLocked())) throw new Error(`another process took the lock of ${path}`)
    return append(records)
  }

  function chain(records: readonly PendingRecord[]): readonly AuditEntry[] {
    let end = lastEnd
    return records.map(({ at, record }) => {
      const entry = createEntry(end, at, record, key)
      end = entry
      return entry
    })
  }

  return {
    write: (records) =>
      withLockedFile(path, async (lock) => {
        const entries = appendNow(records) ?? (await appendWhileHeld(records, lock))
        writeHead(path, lastEnd)
        return entries.map(({ seq, hash }) => ({ seq, hash }))
      }),
  }
}

/** More is written by another thread meanwhile. */
const maxAtOnce = 64 * 1024

function textOf(entries: readonly AuditEntry[]): string {
  return entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')
}

function writeWhole(file: number, text: string): number {
  const bytes = Buffer.from(text)
  let written = 0
  while (written < bytes.length) written += writeSync(file, bytes, written)
  return bytes.length
}

import type { FileHandle } from 'node:fs/promises'
import { basename } from 'node:path'

import { withLockedFile } from '../files/locked-file.ts'
import { readEntry, type AuditEntry } from './audit-entry.ts'
import { listRotated, openForReading } from './audit-files.ts'

/** A line of one of the files. */
export interface AuditLine {
  /** The file, without its folder. */
  readonly file: string
  readonly line: number
  readonly bytes: number
  /** Undefined for a line that is no entry. */
  readonly entry: AuditEntry | undefined
  /** False for a last line that was cut off. */
  readonly isWhole: boolean
}

/** Longer lines are nobody's entries: they are passed over. */
const maxLineLength = 1024 * 1024

/** Every entry of a log, oldest first, over all its files. Lines that are no entries are passed over: see `verifyAuditLog`. */
export async function* readAuditLog(path: string): AsyncGenerator<AuditEntry> {
  for await (const { entry } of readAuditLines(path)) if (entry !== undefined) yield entry
}

/** The same with every line and its place. Files that are rotated meanwhile stay open until they are read. */
export async function* readAuditLines(path: string): AsyncGenerator<AuditLine> {
  const files = await openAll(path)
  try {
    for (const { name, handle } of files) yield* readLines(name, handle)
  } finally {
    await Promise.all(files.map(({ handle }) => handle.close()))
  }
}

/** The entry a file begins with. */
export async function readFirstEntry(path: string): Promise<AuditEntry | undefined> {
  const handle = await openForReading(path)
  if (handle === undefined) return undefined
  try {
    for await (const { entry } of readLines(basename(path), handle)) {
      if (entry !== undefined) return entry
    }
    return undefined
  } finally {
    await handle.close()
  }
}

interface OpenFile {
  readonly name: string
  readonly handle: FileHandle
}

async function openAll(path: string): Promise<readonly OpenFile[]> {
  async function open(): Promise<readonly OpenFile[]> {
    const opened: OpenFile[] = []
    for (const file of [...(await listRotated(path)), path]) {
      const handle = await openForReading(file)
      if (handle !== undefined) opened.push({ name: basename(file), handle })
    }
    return opened
  }
  // A reader without write access cannot lock; then a rotation at this moment would look like a gap.
  return withLockedFile(path, open).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error) return open()
    throw error
  })
}

async function* readLines(file: string, handle: FileHandle): AsyncGenerator<AuditLine> {
  let line = 0
  let parts: Buffer[] = []
  let length = 0

  function finish(isWhole: boolean): AuditLine {
    line += 1
    const bytes = length
    const text = bytes > maxLineLength ? '' : Buffer.concat(parts).toString('utf8')
    parts = []
    length = 0
    return { file, line, bytes, entry: isWhole ? readEntry(text) : undefined, isWhole }
  }

  const buffer = Buffer.alloc(64 * 1024)
  for (let position = 0; ;) {
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, position)
    if (bytesRead === 0) break
    position += bytesRead
    let from = 0
    while (from < bytesRead) {
      const found = buffer.indexOf(0x0a, from)
      const to = found === -1 || found >= bytesRead ? bytesRead : found
      length += to - from
      if (length <= maxLineLength) parts.push(Buffer.from(buffer.subarray(from, to)))
      from = to + 1
      if (to < bytesRead) yield finish(true)
    }
  }
  if (length > 0) yield finish(false)
}

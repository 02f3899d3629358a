import type { FileHandle } from 'node:fs/promises'

import { isIntact, readEntry, type ChainEnd } from './audit-entry.ts'

/** Two of the longest lines fit in. */
const tailBytes = 512 * 1024

/** How a file ends. */
export interface AuditTail {
  /** The last entry that is whole; undefined if there is none near the end. */
  readonly end: ChainEnd | undefined
  /** Bytes of a last line without its end: a process died while it wrote. */
  readonly tornBytes: number
}

/** Reads no more than the end of a file. */
export async function readTail(
  file: FileHandle,
  size: number,
  key: string | undefined,
): Promise<AuditTail> {
  const length = Math.min(size, tailBytes)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length)
  const bytes = buffer.subarray(0, bytesRead)
  const lines = bytes.toString('utf8').split('\n')
  const tornBytes = bytesRead - (bytes.lastIndexOf(0x0a) + 1)
  for (const line of lines.slice(0, -1).toReversed()) {
    const entry = readEntry(line)
    if (entry !== undefined && isIntact(entry, key)) return { end: entry, tornBytes }
  }
  return { end: undefined, tornBytes }
}

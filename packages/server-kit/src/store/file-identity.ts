import { Buffer } from 'node:buffer'
import { constants } from 'node:fs'
import { lstat, open, type FileHandle } from 'node:fs/promises'

import { isSameFile } from '../paths/verify-handle.ts'
import { StoreError } from './store-error.ts'

/** Which version of which file was read. */
export interface FileIdentity {
  readonly dev: bigint
  readonly ino: bigint
  readonly size: bigint
  readonly mtimeNs: bigint
  readonly mode: bigint
}

/** No link, and no waiting for the other end of a pipe. */
const plainFile = process.platform === 'win32' ? 0 : constants.O_NOFOLLOW | constants.O_NONBLOCK

/** Undefined if there is no file. */
export async function openForReading(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, constants.O_RDONLY | plainFile)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** Which version of which file is open; whatever is no regular file is refused. */
export async function identityOf(file: FileHandle): Promise<FileIdentity> {
  const found = await file.stat({ bigint: true })
  if (!found.isFile()) throw new StoreError('not_ours', 'This is not a regular file.')
  const { dev, ino, size, mtimeNs, mode } = found
  return { dev, ino, size, mtimeNs, mode }
}

/** Whether nothing happened in between. */
export function isSame(a: FileIdentity, b: FileIdentity): boolean {
  return isSameFile(a, b) && a.size === b.size && a.mtimeNs === b.mtimeNs
}

/** Whether the file is the one that was read, unchanged. */
export async function isStill(path: string, before: FileIdentity | undefined): Promise<boolean> {
  const file = await openForReading(path)
  if (file === undefined) return before === undefined
  try {
    return before !== undefined && isSame(before, await identityOf(file))
  } finally {
    await file.close()
  }
}

/** Whether the file has not been replaced; others may have added to it. */
export async function isStillAt(path: string, before: FileIdentity): Promise<boolean> {
  const found = await lstat(path, { bigint: true }).catch(() => undefined)
  return found !== undefined && isSameFile(found, before)
}

/** Some bytes of a file, fewer if it ends before. */
export async function readRange(
  file: FileHandle,
  position: number,
  length: number,
): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length)
  let filled = 0
  while (filled < length) {
    const { bytesRead } = await file.read(bytes, filled, length - filled, position + filled)
    if (bytesRead === 0) break // cut off meanwhile
    filled += bytesRead
  }
  return bytes.subarray(0, filled)
}

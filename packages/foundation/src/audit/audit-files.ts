import { closeSync, constants, openSync, writeSync } from 'node:fs'
import { open, readdir, type FileHandle } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import process from 'node:process'

import type { ChainEnd } from './audit-entry.ts'

const noFollow = process.platform === 'win32' ? 0 : constants.O_NOFOLLOW

/** The files that were full, oldest first: `audit.jsonl.000001` and so on. */
export async function listRotated(path: string): Promise<readonly string[]> {
  const name = basename(path)
  const folder = dirname(path)
  const all = await readdir(folder).catch(() => [])
  return all
    .filter(
      (candidate) =>
        candidate.startsWith(`${name}.`) && /^\d{6,}$/.test(candidate.slice(name.length + 1)),
    )
    .toSorted((a, b) => numberOf(a) - numberOf(b))
    .map((item) => join(folder, item))
}

/** The name for the file that is full now. */
export function nextRotated(path: string, rotated: readonly string[]): string {
  const last = rotated.at(-1)
  const number = last === undefined ? 1 : numberOf(last) + 1
  return `${path}.${String(number).padStart(6, '0')}`
}

function numberOf(file: string): number {
  return Number(file.slice(file.lastIndexOf('.') + 1))
}

/** Opens the file that is written to. Only its owner can read it; a link in its place is refused. */
export function openForAppending(path: string): Promise<FileHandle> {
  return open(path, appending, 0o600)
}

const appending = constants.O_APPEND | constants.O_CREAT | constants.O_RDWR | noFollow

/** The same at once. */
export function openForAppendingNow(path: string): number {
  return openSync(path, appending, 0o600)
}

/** Opens a file to read it; undefined if there is none. */
export async function openForReading(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, constants.O_RDONLY | noFollow)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** The end of the chain as it was last written, beside the log: what is cut off at the end is noticed by it. */
export async function readHead(path: string): Promise<ChainEnd | undefined> {
  const file = await openForReading(`${path}.head`)
  if (file === undefined) return undefined
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(256), 0, 256, 0)
    const text = buffer.toString('utf8', 0, bytesRead)
    const [, seq, hash] = /^(\d{16}) ([0-9a-f]{64})\n$/.exec(text) ?? []
    return seq === undefined || hash === undefined ? undefined : { seq: Number(seq), hash }
  } finally {
    await file.close()
  }
}

/** Writes the head in a fixed length, so that the next one covers it in a single write. */
export function writeHead(path: string, { seq, hash }: ChainEnd): void {
  const flags = constants.O_CREAT | constants.O_WRONLY | noFollow
  const file = openSync(`${path}.head`, flags, 0o600)
  try {
    writeSync(file, `${String(seq).padStart(16, '0')} ${hash}\n`, 0)
  } finally {
    closeSync(file)
  }
}

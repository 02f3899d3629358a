import { constants, existsSync } from 'node:fs'
import { lstat, open, readlink, realpath, type FileHandle } from 'node:fs/promises'
import process from 'node:process'

import { directoryOf, type AllowedDirectory } from './allowed-directory.ts'
import { PathDenied } from './path-denied.ts'
import { systemCode } from './system-error.ts'

/** Absent on Windows, where these are not needed or not known. */
const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_NOCTTY = 0 } = constants as Partial<typeof constants>

/** Where Linux says what a handle is open on, and lets names be looked up below one. */
export const handleFolder =
  process.platform === 'linux' && existsSync('/proc/self/fd') ? '/proc/self/fd' : undefined

/**
 * Opens what a path without links leads to, and looks at what was opened: a link that took the place of any part of the
 * path in the meantime leads to a refusal. Never waits for a pipe's other end.
 */
export async function openVerified(
  path: string,
  flags: number,
  directories: readonly AllowedDirectory[],
  mode?: number,
): Promise<FileHandle> {
  const all = flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
  const handle = await openWithoutLinks(path, all, mode).catch((error: unknown) => {
    if (systemCode(error) === 'ELOOP') throw changed(path)
    throw error
  })
  try {
    await verifyHandle(handle, path, directories)
    return handle
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** From macOS 11 on: a link anywhere in the path is refused by the system, so none can be swapped in before opening. */
const O_NOFOLLOW_ANY = 0x2000_0000

/**
 * Opens a path that has no link at its end, on macOS none in it at all. A system that does not combine the two flags says
 * `EINVAL` and is asked for the wider one alone; an older one ignores what it does not know.
 */
export async function openWithoutLinks(
  path: string,
  flags: number,
  mode?: number,
  system: OpenSystem = { platform: process.platform, open },
): Promise<FileHandle> {
  if (system.platform !== 'darwin') return system.open(path, flags, mode)
  try {
    return await system.open(path, flags | O_NOFOLLOW_ANY, mode)
  } catch (error) {
    if (systemCode(error) !== 'EINVAL') throw error
    return system.open(path, (flags & ~O_NOFOLLOW) | O_NOFOLLOW_ANY, mode)
  }
}

/** How a file is opened; tests pass another platform. */
export interface OpenSystem {
  readonly platform: NodeJS.Platform
  readonly open: (path: string, flags: number, mode?: number) => Promise<FileHandle>
}

/** Throws unless what is open is inside of one of the directories. */
export async function verifyHandle(
  handle: FileHandle,
  path: string,
  directories: readonly AllowedDirectory[],
): Promise<void> {
  const actual = await placeOf(handle, path)
  if (actual === undefined || directoryOf(actual, directories) === undefined) throw changed(path)
}

/** The path of what is open, asked for after it was opened; undefined if nobody can tell. */
async function placeOf(handle: FileHandle, path: string): Promise<string | undefined> {
  if (handleFolder !== undefined) return readlink(`${handleFolder}/${handle.fd}`)
  // Without a system that says so: the path leads to the same thing, asked more than once, since between two looks
  // things may change again. That makes it hard to deceive us, not impossible.
  const here = await handle.stat({ bigint: true })
  let current: string | undefined
  for (let look = 0; look < 3; look += 1) {
    const now = await realpath(path)
    const there = await lstat(now, { bigint: true })
    const isSame = isSameFile(there, here)
    if (!isSame || (current !== undefined && current !== now)) return undefined
    current = now
  }
  return current
}

/**
 * Whether two looks saw the same file. Node 22.12 to 24.0 on Windows give a volume number of 64 bits for a path and of 32 bits
 * for an open file: the lower half is the same.
 */
export function isSameFile(
  a: { readonly dev: bigint; readonly ino: bigint },
  b: { readonly dev: bigint; readonly ino: bigint },
  platform: NodeJS.Platform = process.platform,
): boolean {
  const volume = (dev: bigint) => (platform === 'win32' ? BigInt.asUintN(32, dev) : dev)
  return a.ino === b.ino && volume(a.dev) === volume(b.dev)
}

function changed(path: string): PathDenied {
  return new PathDenied('changed', `path changed while it was opened: ${path}`)
}

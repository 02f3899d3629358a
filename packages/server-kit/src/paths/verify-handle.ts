import { constants, existsSync } from 'node:fs'
import { lstat, open, readlink, realpath, type FileHandle } from 'node:fs/promises'

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
  const handle = await open(path, flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, mode).catch(
    (error: unknown) => {
      if (systemCode(error) === 'ELOOP') throw changed(path)
      throw error
    },
  )
  try {
    await verifyHandle(handle, path, directories)
    return handle
  } catch (error) {
    await handle.close()
    throw error
  }
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
  let place: string | undefined
  for (let look = 0; look < 3; look += 1) {
    const now = await realpath(path)
    const there = await lstat(now, { bigint: true })
    const isSame = there.dev === here.dev && there.ino === here.ino
    if (!isSame || (place !== undefined && place !== now)) return undefined
    place = now
  }
  return place
}

function changed(path: string): PathDenied {
  return new PathDenied('changed', `path changed while it was opened: ${path}`)
}

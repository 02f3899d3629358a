/**
 * A lock between processes: a file that only one can create. The owner touches it every second; a lock that is not touched for five seconds
 * is stale and is removed under a second lock.
 *
 * Works on every file system with exclusive creation, also on Windows, where removing a file may take time. Used for stores and audit logs
 * through `@parley/mcp/system`.
 */

import {
  closeSync,
  lstatSync,
  openSync,
  readFileSync,
  rmdirSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { rename, stat, utimes } from 'node:fs/promises'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'

import { isInUse } from './replace-file.ts'

const beatMs = 1000
/** Three beats missed, and some for a machine under load. */
const staleMs = 5000

/** A lock while it is held. */
export interface FileLock {
  /** False when another process took it: this one was silent for too long. Ask before a step that cannot be undone. */
  isLocked(): Promise<boolean>
}

/** The parts of the system that a lock needs; tests pass made-up ones. */
export interface LockSystem {
  /** The value of `process.platform`. */
  readonly platform: NodeJS.Platform
  /** Throws `EEXIST` if the file is there. */
  readonly create: (path: string, text: string) => void
  /** The function of `node:fs`. */
  readonly unlink: (path: string) => void
}

/** How long to wait for a lock, and the error after that. */
export interface FileLockOptions {
  /** How long to wait for the lock, in milliseconds. */
  readonly timeoutMs: number
  /** The error after that. @defaultValue an `Error` that names the lock file */
  readonly tooLate?: ((timeoutMs: number) => Error) | undefined
  /** The system to ask. @defaultValue the system of this process */
  readonly system?: LockSystem | undefined
}

/**
 * Runs work that one process does at a time. The lock is a file that only one can create; its owner touches it every
 * second, and one that was not touched for five is taken from the process that died with it. The folder must exist.
 *
 * The file system is called at once: handing such small steps to another thread takes several times as long as the steps.
 */
export async function withFileLock<T>(
  path: string,
  work: (lock: FileLock) => Promise<T>,
  options: FileLockOptions,
): Promise<T> {
  const { timeoutMs, tooLate = () => tookTooLong(path, timeoutMs), system = hostSystem } = options
  const owner = JSON.stringify({ pid: process.pid, id: crypto.randomUUID() })
  const isLocked = async () => read(path) === owner
  const deadline = performance.now() + timeoutMs
  const isStale = watchTouches()
  for (;;) {
    const rejection = tryToCreate(path, owner, system)
    if (rejection === undefined) break
    if (performance.now() > deadline) throw isThere(rejection) ? tooLate(timeoutMs) : rejection
    if (await isStale(path)) await breakLock(path, isStale, system)
    await sleep(10 + Math.random() * 40)
  }
  const beat = setInterval(() => {
    const now = new Date()
    utimes(path, now, now).catch(() => {}) // the lock was taken over: the new owner is not disturbed
  }, beatMs)
  beat.unref()
  try {
    return await work({ isLocked })
  } finally {
    clearInterval(beat)
    if (await isLocked()) await remove(path, system)
  }
}

const hostSystem: LockSystem = {
  platform: process.platform,
  create(path, text) {
    const file = openSync(path, 'wx', 0o600)
    try {
      writeSync(file, text)
    } finally {
      closeSync(file)
    }
  },
  unlink: unlinkSync,
}

/** Undefined if the file was created, else why not: it exists, or Windows is just removing it. */
function tryToCreate(path: string, text: string, system: LockSystem): unknown {
  try {
    system.create(path, text)
    return undefined
  } catch (error) {
    if (isThere(error) || isInUse(error, system.platform)) return error
    throw error
  }
}

/** Tries again while another program looks at the file. A lock that stays is stale in five seconds: the work is done in any case. */
async function remove(path: string, { unlink, platform }: LockSystem): Promise<void> {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    try {
      return unlink(path)
    } catch (error) {
      if (isFolder(path)) return removeFolder(path)
      if (!isInUse(error, platform)) return // another process removed it
    }
    await sleep(10)
  }
}

/** Another program made a folder in the place of the file. Tells nothing: a folder that stays keeps the lock held. */
function removeFolder(path: string): void {
  try {
    rmdirSync(path)
  } catch {
    // Files are in it, or it is not ours to remove.
  }
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined // taken away, or not ours to read
  }
}

/** Tells whether the owner of a lock is dead. */
type StaleCheck = (path: string) => Promise<boolean>

/** A lock is stale if its file is old, or was not touched while this process watched it: a clock may have been set back since. */
function watchTouches(): StaleCheck {
  const seen = new Map<string, { readonly mtimeMs: number; readonly since: number }>()
  return async (path) => {
    try {
      const { mtimeMs } = await stat(path)
      const last = seen.get(path)
      if (last?.mtimeMs !== mtimeMs) seen.set(path, { mtimeMs, since: performance.now() })
      else if (performance.now() - last.since > staleMs) return true
      return Date.now() - mtimeMs > staleMs
    } catch {
      return false // just given back
    }
  }
}

/**
 * Takes away a lock whose owner is dead. The process that does so holds a lock for that in turn and looks again, since the
 * lock that looked stale may be another's by now.
 */
async function breakLock(path: string, isStale: StaleCheck, system: LockSystem): Promise<void> {
  const breaking = `${path}.break`
  if (tryToCreate(breaking, String(process.pid), system) !== undefined) {
    if (await isStale(breaking)) await remove(breaking, system)
    return
  }
  try {
    if (!(await isStale(path))) return
    const dead = `${path}.${crypto.randomUUID()}.dead`
    await rename(path, dead).catch(() => {}) // given back meanwhile
    await remove(dead, system)
  } finally {
    await remove(breaking, system)
  }
}

function isThere(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST'
}

function tookTooLong(path: string, timeoutMs: number): Error {
  return new Error(`another process has held ${path} for ${timeoutMs} ms`)
}

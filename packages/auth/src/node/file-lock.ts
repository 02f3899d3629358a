import { rename, stat, utimes } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

import { AuthError } from '../shared/auth-error.ts'
import type { PrivateFiles } from './private-files.ts'

const beatMs = 1000
/** Three beats missed, and some for a machine under load. */
const staleMs = 5000

/** What a lock needs of the folder it is in. */
export type LockFiles = Pick<PrivateFiles, 'path' | 'read' | 'create' | 'remove'>

/** A lock while it is held. */
export interface FileLock {
  /** False when others took it: this process was silent for too long. Ask before a step that cannot be undone. */
  isHeld(): Promise<boolean>
}

/** How long to wait for a lock, and what to throw then. */
export interface FileLockOptions {
  /** How long to wait for the lock, in milliseconds. */
  readonly timeoutMs: number
  /** @defaultValue an `AuthError` about signing in */
  readonly tooLate?: ((timeoutMs: number) => Error) | undefined
}

/**
 * Work that one process does at a time. The lock is a file that only one can create; its owner touches it every second,
 * and one that was not touched for five is taken from whoever died with it.
 */
export async function withFileLock<T>(
  files: LockFiles,
  name: string,
  work: (lock: FileLock) => Promise<T>,
  { timeoutMs, tooLate = signingInTooLong }: FileLockOptions,
): Promise<T> {
  const owner = JSON.stringify({ pid: process.pid, id: crypto.randomUUID() })
  const isHeld = async () => (await files.read(name).catch(() => undefined)) === owner
  const deadline = Date.now() + timeoutMs
  while (!(await files.create(name, owner))) {
    if (await isStale(files, name)) await breakLock(files, name)
    else if (Date.now() > deadline) throw tooLate(timeoutMs)
    else await sleep(10 + Math.random() * 40)
  }
  const beat = setInterval(() => {
    const now = new Date()
    utimes(files.path(name), now, now).catch(() => {}) // whoever took the lock away is not disturbed
  }, beatMs)
  beat.unref()
  try {
    return await work({ isHeld })
  } finally {
    clearInterval(beat)
    if (await isHeld()) await files.remove(name)
  }
}

async function isStale(files: LockFiles, name: string): Promise<boolean> {
  try {
    const { mtimeMs } = await stat(files.path(name))
    return Date.now() - mtimeMs > staleMs
  } catch {
    return false // just given back
  }
}

/**
 * Takes away a lock whose owner is dead. Who does so holds a lock for that in turn and looks again, since the lock that
 * looked stale may be another's by now.
 */
async function breakLock(files: LockFiles, name: string): Promise<void> {
  const breaking = `${name}.break`
  if (!(await files.create(breaking, String(process.pid)))) {
    if (await isStale(files, breaking)) await files.remove(breaking)
    else await sleep(20)
    return
  }
  try {
    if (!(await isStale(files, name))) return
    const dead = `${name}.${crypto.randomUUID()}.dead`
    await rename(files.path(name), files.path(dead)).catch(() => {}) // given back meanwhile
    await files.remove(dead)
  } finally {
    await files.remove(breaking)
  }
}

function signingInTooLong(timeoutMs: number): AuthError {
  const message = `another process has been signing in or refreshing for ${timeoutMs} ms`
  return new AuthError('store_failed', message, { step: 'store' })
}

import type { Stats } from 'node:fs'
import { lstat, rename } from 'node:fs/promises'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'

/** The parts of the system that a replacement needs; tests pass made-up ones. */
export interface ReplaceSystem {
  /** The value of `process.platform`. */
  readonly platform: NodeJS.Platform
  /** The function of `node:fs/promises`. */
  readonly rename: (from: string, to: string) => Promise<void>
  /** The function of `node:fs/promises`. */
  readonly lstat: (path: string) => Promise<Pick<Stats, 'isDirectory' | 'mode'>>
  /** Waits so many milliseconds. */
  readonly sleep: (ms: number) => Promise<unknown>
}

/** How a file is replaced. */
export interface ReplaceOptions {
  /** How long to try while another program has a file open. Windows only. @defaultValue 2_000 */
  readonly patienceMs?: number | undefined
  /** The system to ask. @defaultValue the system of this process */
  readonly system?: ReplaceSystem | undefined
}

/**
 * Renames a file or folder; a file of the new name is replaced in one step. Windows refuses this while another program has one
 * of the two open, as virus scanners, indexers and editors do for some milliseconds: there it tries again, with growing pauses.
 */
export async function replaceFile(
  from: string,
  to: string,
  { patienceMs = 2_000, system = hostSystem }: ReplaceOptions = {},
): Promise<void> {
  let waitedMs = 0
  for (let pauseMs = 5; ; pauseMs = Math.min(pauseMs * 2, maxPauseMs)) {
    try {
      return await system.rename(from, to)
    } catch (error) {
      const { platform } = system
      if (!isInUse(error, platform) || !(await mayBecomeFree(to, system))) throw error
      if (waitedMs >= patienceMs) throw inUseError(to, waitedMs, error)
    }
    await system.sleep(pauseMs)
    waitedMs += pauseMs
  }
}

const maxPauseMs = 200
const hostSystem: ReplaceSystem = { platform: process.platform, rename, lstat, sleep }

/** Whether Windows refused because a file is open or is being removed. Other systems have no such refusal. */
export function isInUse(error: unknown, platform: NodeJS.Platform = process.platform): boolean {
  if (platform !== 'win32') return false
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'EPERM' || code === 'EACCES' || code === 'EBUSY'
}

/** A folder and a read-only file are never replaced, however long one waits. */
async function mayBecomeFree(path: string, { lstat: poll }: ReplaceSystem): Promise<boolean> {
  try {
    const found = await poll(path)
    return !found.isDirectory() && (found.mode & 0o200) !== 0
  } catch {
    return true // not there, or in deletion
  }
}

function inUseError(path: string, waitedMs: number, cause: unknown): Error {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'EBUSY'
  const message = `${code}: another program has ${path} open, or this user may not change it; tried for ${waitedMs / 1000} s`
  return Object.assign(new Error(message, { cause }), { code })
}

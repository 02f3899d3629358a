import { mkdir, open, readFile, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

import { withFileLock, type FileLock, type LockFiles } from '@parley/auth/node'

import { writePrivateFile } from '../listener/token-file.ts'
import { readPrivateFile } from './private-file.ts'

/** How long another process may hold a file. */
export interface LockedFileOptions {
  /** @defaultValue 10_000 */
  readonly timeoutMs?: number | undefined
}

/** Work on a file that one process does at a time, in turn within this process too. The lock is `FILE.lock` beside it. */
export async function withLockedFile<T>(
  path: string,
  work: (lock: FileLock) => Promise<T>,
  { timeoutMs = 10_000 }: LockedFileOptions = {},
): Promise<T> {
  const folder = dirname(path)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const before = turns.get(path) ?? Promise.resolve()
  const tooLate = (ms: number) =>
    new Error(`${path} has been held by another process for ${ms} ms: is ${path}.lock its own?`)
  const turn = before.then(() =>
    withFileLock(lockFilesIn(folder), `${basename(path)}.lock`, work, { timeoutMs, tooLate }),
  )
  const settled = turn.then(
    () => undefined,
    () => undefined, // told to whoever asked for the work
  )
  turns.set(path, settled)
  try {
    return await turn
  } finally {
    if (turns.get(path) === settled) turns.delete(path)
  }
}

/** Reads, changes and writes a whole file, all or nothing. `change` gets undefined if there is none; undefined writes nothing. */
export function changeLockedFile(
  path: string,
  change: (text: string | undefined) => string | undefined,
  options?: LockedFileOptions,
): Promise<void> {
  return withLockedFile(
    path,
    async (lock) => {
      const next = change(await readPrivateFile(path))
      if (next === undefined) return
      if (!(await lock.isHeld())) {
        throw new Error(
          `${path} was taken by another process while this one stood still: try again`,
        )
      }
      await writePrivateFile(path, next)
    },
    options,
  )
}

/** Without these the work of one process would poll for its own lock file. */
const turns = new Map<string, Promise<void>>()

function lockFilesIn(folder: string): LockFiles {
  const path = (name: string) => join(folder, name)
  return {
    path,
    read: (name) => readFile(path(name), 'utf8').catch(() => undefined),
    async create(name, text) {
      try {
        const file = await open(path(name), 'wx', 0o600)
        try {
          await file.writeFile(text)
        } finally {
          await file.close()
        }
        return true
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
        throw error
      }
    },
    remove: (name) =>
      unlink(path(name)).then(
        () => true,
        () => false, // somebody else removed it
      ),
  }
}

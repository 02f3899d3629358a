import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

import { withFileLock, type FileLock } from '@parley/mcp/system'

import { readPrivateFile, writePrivateFile } from './private-file.ts'

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
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const before = turns.get(path) ?? Promise.resolve()
  const tooLate = (ms: number) =>
    new Error(`${path} has been held by another process for ${ms} ms: is ${path}.lock its own?`)
  const turn = before.then(() => withFileLock(`${path}.lock`, work, { timeoutMs, tooLate }))
  const finished = turn.then(
    () => undefined,
    () => undefined, // told to whoever asked for the work
  )
  turns.set(path, finished)
  try {
    return await turn
  } finally {
    if (turns.get(path) === finished) turns.delete(path)
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
      if (!(await lock.isLocked())) {
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

import { realpathSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'

import { withFileLock, type FileLock } from '@parley/mcp/system'

import { createChangeSet, type LineEdit } from './change-set.ts'
import type { Parsed } from './lines.ts'
import { numbersOf, saveChanges } from './save-changes.ts'
import { explainSystem, StoreError } from './store-error.ts'
import { readState, type LineView, type StoreState } from './store-state.ts'
import { watchFile } from './watch-file.ts'
import { removeLeftovers } from './write-lines.ts'

/** What a store of lines is made of. */
export interface LineStoreOptions<T, View extends LineView<T>> {
  /** From whoever runs the program, never from a caller. */
  readonly path: string
  /** Reads the value of a line, or says what is wrong with it. */
  readonly parse: (value: unknown) => Parsed<T>
  /** The members a line has for a value; what else a line has is kept. */
  readonly encode: (value: T) => object
  /** An empty view, whenever the file is read from its beginning. */
  readonly createView: () => View
  /** Hears what was found and done that nobody asked for. @defaultValue nobody */
  readonly onNotice?: ((notice: string) => void) | undefined
  /** How many old versions stay beside the file, one an hour at most. @defaultValue 3 */
  readonly backups?: number | undefined
  /** @defaultValue 30_000 */
  readonly lockTimeoutMs?: number | undefined
  /** A file larger than this is not read, and no change makes it larger. @defaultValue 256 MiB */
  readonly maxBytes?: number | undefined
}

/** Lines of JSON in one file that many processes read and write. */
export interface LineStore<T, View> {
  /** The file. */
  readonly path: string
  /** Looks at what is there now. `look` must not keep the view. */
  read<R>(look: (view: View) => R): Promise<R>
  /**
   * Changes what is there now, with the lock held. Resolves when the change is on the disk. What other processes wrote
   * has been read before; if `work` throws, nothing changed. It is run again if others write meanwhile. Calls that wait for the lock together are written together.
   */
  change<R>(work: (view: View, edit: LineEdit<T>) => R): Promise<R>
  /** Calls `changed` when another process has written. */
  watch(changed: () => void, signal: AbortSignal): void
}

interface Waiting<T, View> {
  readonly work: (view: View, edit: LineEdit<T>) => unknown
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
  attempts: number
}

const maxAttempts = 5

/** What the waiting are told. */
type Answers = (() => void)[]

/** A store in a file. Nothing is opened or made before it is used. */
export function createLineStore<T, View extends LineView<T>>(
  options: LineStoreOptions<T, View>,
): LineStore<T, View> {
  const { encode, createView, parse, onNotice = () => {} } = options
  const { backups = 3, lockTimeoutMs = 30_000, maxBytes = 256 * 1024 ** 2 } = options
  const path = withoutLinks(options.path)
  const waiting: Waiting<T, View>[] = []
  let state: StoreState<T, View> | undefined
  let busy: Promise<unknown> = Promise.resolve()
  let isWriting = false

  /** One at a time: reading the file changes what is known about it. */
  function alone<R>(work: () => Promise<R>): Promise<R> {
    const turn = busy.then(work)
    busy = turn.catch(() => {}) // whoever asked hears of it
    return turn
  }

  async function refresh(): Promise<StoreState<T, View>> {
    const before = state
    state = undefined // half a reading is worth nothing
    const previousCount = before?.unreadable.length ?? 0
    state = await readState({ path, parse, createView, maxBytes }, before).catch(
      (error: unknown) => {
        throw explainSystem(path, error)
      },
    )
    const found = state === before ? state.unreadable.slice(previousCount) : state.unreadable
    if (found.length > 0) onNotice(`${path}: line ${numbersOf(found)} cannot be read.`)
    return state
  }

  async function writeAll(): Promise<void> {
    isWriting = true
    let answers: Answers = []
    try {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      while (waiting.length > 0) {
        const commitAll = async (lock: FileLock) => {
          answers = await alone(() => commit(lock))
        }
        await withFileLock(`${path}.lock`, commitAll, {
          timeoutMs: lockTimeoutMs,
          tooLate: () => lockedError(path, lockTimeoutMs),
        })
        // After the lock is given back: a program that ends with its last answer leaves none behind.
        for (const answer of answers.splice(0)) answer()
      }
    } catch (error) {
      for (const answer of answers) answer() // what was written is written
      for (const { reject } of waiting.splice(0)) reject(explainSystem(path, error))
    } finally {
      isWriting = false
    }
  }

  async function commit(lock: FileLock): Promise<Answers> {
    await removeLeftovers(path)
    const now = await refresh()
    const batch = waiting.splice(0)
    const changes = createChangeSet(now, encode)
    const answers = batch.map((item) => {
      try {
        const result = changes.run((edit) => item.work(now.view, edit))
        return () => item.resolve(result)
      } catch (error) {
        return () => item.reject(error)
      }
    })
    try {
      if (await saveChanges(now, changes, lock, { path, backups, maxBytes, onNotice }))
        return answers
    } catch (error) {
      state = undefined // it has what the file has not
      return batch.map(({ reject }) => rejecting(reject, explainSystem(path, error)))
    }
    state = undefined
    const [tired, others] = [
      batch.filter(isTired),
      batch.filter((candidate) => !isTired(candidate)),
    ]
    for (const other of others) other.attempts += 1
    waiting.unshift(...others)
    return tired.map(({ reject }) => rejecting(reject, lockLost(path)))
  }

  return {
    path,
    read: (look) => alone(async () => look((await refresh()).view)),
    change: <R>(work: (view: View, edit: LineEdit<T>) => R) =>
      new Promise<R>((resolve, reject) => {
        // Of this work, so of the type it returns.
        waiting.push({ work, resolve: resolve as (result: unknown) => void, reject, attempts: 1 })
        if (!isWriting) void writeAll()
      }),
    watch(changed, signal) {
      void alone(refresh).catch(() => {}) // to compare with; who reads it next is told why
      const hasChanged = () =>
        alone(async () => {
          const before = state?.identity
          const now = (await refresh()).identity
          return before?.ino !== now?.ino || before?.mtimeNs !== now?.mtimeNs
        }).catch(() => false) // who reads it next is told why
      watchFile(path, async () => ((await hasChanged()) ? changed() : undefined), signal)
    },
  }
}

/** Where the file really is: a rename must replace it, not a link to it. */
function withoutLinks(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path // there is none yet
  }
}

function isTired({ attempts }: { readonly attempts: number }): boolean {
  return attempts >= maxAttempts
}

function rejecting(reject: (error: unknown) => void, error: unknown): () => void {
  return () => reject(error)
}

function lockedError(path: string, timeoutMs: number): StoreError {
  const message = `Another process has been writing ${path} for ${timeoutMs} ms. Try again.`
  return new StoreError('locked', message)
}

function lockLost(path: string): StoreError {
  return new StoreError('lock_lost', `${path} was taken over by another process. Try again.`)
}

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { withLockedFile, writePrivateFile } from '@parley/foundation/files'
import * as v from 'valibot'

import type { CollectionRun } from '../../protocol/index.ts'
import { boundHistory, cutRun } from './kept-runs.ts'

/** Runs of collections, kept from one start to the next. */
export interface RunHistory {
  /** Newest first. */
  of(collection: string): readonly CollectionRun[]
  add(run: CollectionRun): void
  /** Of a collection that is gone. */
  remove(collection: string): void
  /** Until all is written. */
  flush(): Promise<void>
}

const fileName = 'collection-runs.json'

/**
 * A file beside the state, for our user only, written all or nothing. Another inspector may keep its runs there too, so
 * each change is made to what the file holds then, under a lock.
 */
export async function openRunHistory(
  directory: string,
  mask: (run: CollectionRun) => CollectionRun,
): Promise<RunHistory> {
  const path = join(directory, fileName)
  let runs = await load(path)
  let writing = Promise.resolve()

  function change(edit: (all: readonly CollectionRun[]) => readonly CollectionRun[]): void {
    runs = boundHistory(edit(runs))
    const write = () =>
      withLockedFile(path, async () => {
        const bounded = boundHistory(edit(await load(path)))
        await writePrivateFile(path, `${JSON.stringify({ version: 1, runs: bounded })}\n`)
      })
    writing = writing.then(write, write)
    writing.catch(() => undefined) // a full disk must not end the inspector; `flush` tells
  }

  return {
    of: (collection) => runs.filter((run) => run.collection === collection),
    add(run) {
      const shortened = cutRun(mask(run))
      change((all) => [shortened, ...all])
    },
    remove: (collection) => change((all) => all.filter((run) => run.collection !== collection)),
    flush: () => writing,
  }
}

/** What cannot be read is nothing: a history is no work that could be lost. */
async function load(path: string): Promise<readonly CollectionRun[]> {
  try {
    const { runs } = JSON.parse(await readFile(path, 'utf8')) as { runs?: unknown }
    return Array.isArray(runs) ? runs.filter(isRun) : []
  } catch {
    return []
  }
}

function isRun(value: unknown): value is CollectionRun {
  return v.is(runSchema, value)
}

/** The members that the page counts on. */
const runSchema = v.looseObject({
  collection: v.string(),
  at: v.pipe(v.number(), v.finite()),
  results: v.array(
    v.looseObject({
      request: v.string(),
      passed: v.boolean(),
      outcome: v.looseObject({ durationMs: v.number() }),
      assertions: v.array(v.looseObject({ assertion: v.looseObject({ kind: v.string() }) })),
    }),
  ),
})

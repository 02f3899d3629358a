import type { Collection } from '../../protocol/index.ts'
import type { Handlers } from '../handlers.ts'
import { ProblemError, toRunError } from '../problem.ts'
import { readCollection, writeCollection } from './collection-file.ts'
import { runCollection } from './run-collection.ts'
import type { RunHistory } from './run-history.ts'
import type { Runs } from './runs.ts'

/** Saved requests. */
export interface Collections {
  readonly handlers: Handlers<
    | 'collections/save'
    | 'collections/remove'
    | 'collections/run'
    | 'collections/runs'
    | 'collections/export'
    | 'collections/import'
  >
  readonly all: readonly Collection[]
}

const maxCollections = 200

export function createCollections(
  saved: readonly Collection[],
  runs: Runs,
  history: RunHistory,
  onSaved: () => void,
): Collections {
  let all = saved
  let count = 0

  function find(name: string): Collection {
    const found = all.find((candidate) => candidate.name === name)
    if (found !== undefined) return found
    throw new ProblemError('unknown_collection', `unknown collection ${JSON.stringify(name)}`)
  }

  function save(collection: Collection): readonly Collection[] {
    const isNew = all.every(({ name }) => name !== collection.name)
    if (isNew && all.length >= maxCollections) {
      throw new ProblemError(
        'too_many',
        `there are already ${maxCollections} collections, the maximum`,
      )
    }
    all = isNew
      ? [...all, collection]
      : all.map((item) => (item.name === collection.name ? collection : item))
    onSaved()
    return all
  }

  /** The name, or the name with a number. */
  function freeName(wanted: string): string {
    const names = new Set(all.map(({ name }) => name))
    let name = wanted
    for (let number = 2; names.has(name); number += 1) name = `${wanted} ${number}`
    return name
  }

  return {
    get all() {
      return all
    },
    handlers: {
      'collections/save': save,
      'collections/remove'({ name }) {
        all = all.filter((candidate) => candidate.name !== name)
        history.remove(name)
        onSaved()
        return all
      },
      async 'collections/run'({ name }) {
        const ended = await runCollection(find(name), async (request) => {
          const run = `collection-${(count += 1)}`
          try {
            return await runs.start({ ...request, run })
          } catch (error) {
            return { run, durationMs: 0, error: toRunError(error) }
          }
        })
        history.add(ended)
        return ended
      },
      'collections/runs': ({ name }) => history.of(name),
      'collections/export'({ name }) {
        const fileName = name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')
        return { name: `${fileName}.collection.json`, text: writeCollection(find(name)) }
      },
      'collections/import'({ text }) {
        const read = readCollection(text)
        const name = freeName(read.name)
        return { name, collections: save({ ...read, name }) }
      },
    },
  }
}

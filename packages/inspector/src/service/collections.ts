import type { Collection, CollectionRun, RunOutcome, SavedRequest } from '../protocol/index.ts'
import { checkAssertion } from './assertions.ts'
import type { Handlers } from './handlers.ts'
import { ProblemError, toRunError } from './problem.ts'
import type { Runs } from './runs.ts'

/** Saved requests. */
export interface Collections {
  readonly handlers: Handlers<'collections/save' | 'collections/remove' | 'collections/run'>
  readonly all: readonly Collection[]
}

const mostCollections = 200

export function createCollections(
  saved: readonly Collection[],
  runs: Runs,
  onSaved: () => void,
): Collections {
  let all = saved
  let count = 0

  async function runOne(request: SavedRequest, variables: Collection['variables']) {
    const { server, method, assertions } = request
    const run = `collection-${(count += 1)}`
    let outcome: RunOutcome
    try {
      const params = fill(request.params, variables) as { [name: string]: unknown } // an object stays one
      outcome = await runs.start({ server, run, method, params })
    } catch (error) {
      outcome = { run, durationMs: 0, error: toRunError(error) }
    }
    const checked = assertions.map((assertion) => checkAssertion(assertion, outcome))
    const expectsFailure = assertions.some(({ kind }) => kind === 'fails')
    const isGood = expectsFailure || outcome.error === undefined
    return {
      request: request.id,
      outcome,
      assertions: checked,
      passed: isGood && checked.every(({ passed }) => passed),
    }
  }

  return {
    get all() {
      return all
    },
    handlers: {
      'collections/save'(collection) {
        const isNew = all.every(({ name }) => name !== collection.name)
        if (isNew && all.length >= mostCollections) {
          throw new ProblemError('too_many', `there are ${mostCollections} collections already`)
        }
        all = isNew
          ? [...all, collection]
          : all.map((one) => (one.name === collection.name ? collection : one))
        onSaved()
        return all
      },
      'collections/remove'({ name }) {
        all = all.filter((one) => one.name !== name)
        onSaved()
        return all
      },
      async 'collections/run'({ name }): Promise<CollectionRun> {
        const collection = all.find((one) => one.name === name)
        if (collection === undefined) {
          throw new ProblemError(
            'unknown_collection',
            `there is no collection ${JSON.stringify(name)}`,
          )
        }
        const results: CollectionRun['results'][number][] = []
        const at = Date.now()
        for (const request of collection.requests)
          results.push(await runOne(request, collection.variables))
        return { collection: name, at, results }
      },
    },
  }
}

/** Puts variables into texts, once: what is put in is not looked at again. */
function fill(value: unknown, variables: Collection['variables']): unknown {
  if (typeof value === 'string') {
    return value.replace(/\{\{([\w.-]+)\}\}/g, (whole, name: string) =>
      Object.hasOwn(variables, name) ? (variables[name] ?? whole) : whole,
    )
  }
  if (Array.isArray(value)) return value.map((item) => fill(item, variables))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, fill(member, variables)]),
  )
}

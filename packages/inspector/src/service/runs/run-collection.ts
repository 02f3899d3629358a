import type { Collection, CollectionRun, RunOutcome, SavedRequest } from '../../protocol/index.ts'
import { checkAssertion } from './assertions.ts'

/** Sends one request of a collection, variables filled in; what fails is an outcome too. */
export type SendSaved = (
  request: Pick<SavedRequest, 'server' | 'method' | 'params'>,
) => Promise<RunOutcome>

/** Sends the requests of a collection one after the other, and checks the answers. */
export async function runCollection(
  collection: Collection,
  send: SendSaved,
): Promise<CollectionRun> {
  const results: CollectionRun['results'][number][] = []
  const at = Date.now()
  for (const request of collection.requests) {
    const { id, server, method, assertions } = request
    const params = fill(request.params, collection.variables) as SavedRequest['params'] // an object stays one
    const outcome = await send({ server, method, params })
    const checked = assertions.map((assertion) => checkAssertion(assertion, outcome))
    const expectsFailure = assertions.some(({ kind }) => kind === 'fails')
    const isGood = expectsFailure || outcome.error === undefined
    results.push({
      request: id,
      outcome,
      assertions: checked,
      passed: isGood && checked.every(({ passed }) => passed),
    })
  }
  return { collection: collection.name, at, results }
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

import { describeProblem } from '../../schema/check.ts'
import { resource, type Resource } from '../../schema/resources.ts'
import type { CallContext } from '../context.ts'

/**
 * The resources that the `list` of a template returned. An invalid one would make clients refuse the whole list: it is left
 * out, and reported at the end.
 */
export async function* templateMembers(
  given: unknown,
  template: string,
  { call }: CallContext,
): AsyncGenerator<Resource> {
  if (!isIterable(given)) {
    const why = 'its list must return an array or an async iterable of resources'
    throw new TypeError(`resource ${template}: ${why}`)
  }
  const problems: string[] = []
  let index = 0
  try {
    for await (const item of given) {
      const problem = resource(item)
      if (problem === undefined) yield item as Resource // just checked
      else problems.push(describeProblem({ ...problem, path: [index, ...problem.path] }))
      index += 1
    }
  } finally {
    if (problems.length > 0) {
      const why = `its list has invalid resources, which are left out: ${summary(problems)}`
      call.caller.onError(new TypeError(`resource ${template}: ${why}`), {
        severity: 'warning',
        operation: call.operation,
      })
    }
  }
}

/** A table without names has one problem per row: the first are enough. */
function summary(problems: readonly string[]): string {
  const rest = problems.length - mostShown
  return problems.slice(0, mostShown).join('; ') + (rest > 0 ? `; and ${rest} more` : '')
}
const mostShown = 5

function isIterable(value: unknown): value is Iterable<unknown> | AsyncIterable<unknown> {
  if (typeof value !== 'object' || value === null) return false
  return Symbol.iterator in value || Symbol.asyncIterator in value
}

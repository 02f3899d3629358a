import { RpcError } from '../../rpc/errors/rpc-error.ts'
import { describeProblem } from '../../schema/check.ts'
import {
  completeResult,
  type CompleteRequestParams,
  type CompleteResult,
  type Completion,
} from '../../schema/completion.ts'
import type { CallContext } from '../context.ts'
import type { Completable } from './completion.ts'

/** The specification's cap on values in one answer. */
const mostValues = 100

/** Suggests values for one argument. */
export async function complete(
  { complete: completers, scopes }: Completable,
  argumentNames: readonly string[],
  params: CompleteRequestParams,
  context: CallContext,
): Promise<CompleteResult> {
  const { name, value } = params.argument
  if (!argumentNames.includes(name)) {
    const known = argumentNames.join(', ') || 'none'
    throw new RpcError('invalid_params', `there is no argument ${name} here; there is: ${known}`)
  }
  // Suggestions tell about what they lead to. Scopes that depend on arguments cannot be known yet: the completer may ask.
  if (typeof scopes === 'object') context.call.requireScopes(scopes)
  const completer = completers && Object.hasOwn(completers, name) ? completers[name] : undefined
  if (completer === undefined) return { completion: { values: [] } }
  const known = params.context?.arguments ?? {}
  const suggested = await completer(value, known, context as never) // the app's type was settled at definition
  const given = Array.isArray(suggested) ? { values: suggested } : suggested
  const problem = completeResult({ completion: given })
  if (problem === undefined) return { completion: capped(given as Completion) } // just checked
  const of = 'name' in params.ref ? params.ref.name : params.ref.uri
  const why = `return an array of strings, or { values } (${describeProblem(problem)})`
  throw new TypeError(`the completer ${name} of ${of} suggested no strings: ${why}`)
}

function capped(completion: Completion): Completion {
  const { values } = completion
  if (values.length <= mostValues) return completion
  return { total: values.length, ...completion, values: values.slice(0, mostValues), hasMore: true }
}

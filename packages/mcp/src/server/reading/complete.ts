import { RpcError } from '../../rpc/rpc-error.ts'
import type { CompleteRequestParams, CompleteResult, Completion } from '../../schema/completion.ts'
import type { Completable } from '../completion.ts'
import type { CallContext } from '../context.ts'

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
  return { completion: capped(suggested) }
}

function capped(suggested: readonly string[] | Completion): Completion {
  const completion: Completion = isValues(suggested) ? { values: suggested } : suggested
  const { values } = completion
  if (values.length <= mostValues) return completion
  return { total: values.length, ...completion, values: values.slice(0, mostValues), hasMore: true }
}

function isValues(suggested: readonly string[] | Completion): suggested is readonly string[] {
  return Array.isArray(suggested)
}

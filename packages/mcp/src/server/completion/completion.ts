import { RpcError } from '../../rpc/errors/rpc-error.ts'
import { describeProblem } from '../../schema/check.ts'
import {
  completeResult,
  type CompleteRequestParams,
  type CompleteResult,
  type Completion,
} from '../../schema/completion.ts'
import { findVisible } from '../access.ts'
import type { CallContext, RequestContext } from '../context.ts'
import type { Definition } from '../definition.ts'
import { indexOf } from '../feature-index.ts'
import { unknownFeature, type RunOperation } from '../mount.ts'

/** Suggests values for what has been typed; `known` holds the arguments already filled in. */
export type Completer<App = unknown> = (
  value: string,
  known: { readonly [name: string]: string },
  context: RequestContext<App>,
) => readonly string[] | Completion | Promise<readonly string[] | Completion>

/** Completers by argument; an argument without one has no suggestions. */
export interface Completers {
  readonly [argument: string]: Completer<never> | undefined
}

/** The parts of a prompt or a template that completion needs. */
interface Completable {
  readonly complete?: Completers | undefined
  readonly scopes?: readonly string[] | ((...args: never) => readonly string[]) | undefined
}

/** `completion/complete`: suggests values for one argument of a prompt or a resource template. */
export async function completeArgument(
  definition: Definition,
  params: CompleteRequestParams,
  context: CallContext,
  run: RunOperation,
): Promise<object> {
  const { ref } = params
  const index = indexOf(definition)
  if (ref.type === 'ref/prompt') {
    const exposed = await findVisible(index.prompts.get(ref.name), context)
    if (exposed === undefined) throw unknownFeature('prompt', ref.name)
    if (exposed.mount) {
      const inner = {
        ...params,
        ref: { ...ref, name: ref.name.slice(exposed.mount.prefix.length) },
      }
      return run(exposed.mount.inner, 'completion/complete', inner, context.call)
    }
    const names = exposed.entry.listed.arguments?.map(({ name }) => name) ?? []
    return suggest(exposed.entry.config, names, params, context)
  }
  const template = index.templates.get(ref.uri) ?? index.resources.get(ref.uri)
  const exposed = await findVisible(template, context)
  if (exposed === undefined) throw unknownFeature('resource template', ref.uri)
  if (exposed.mount) return run(exposed.mount.inner, 'completion/complete', params, context.call)
  const names = exposed.entry.template?.variables ?? []
  return suggest(exposed.entry.config, names, params, context)
}

/** The specification's cap on values in one answer. */
const maxValues = 100

async function suggest(
  { complete: completers, scopes }: Completable,
  argumentNames: readonly string[],
  params: CompleteRequestParams,
  context: CallContext,
): Promise<CompleteResult> {
  const { name, value } = params.argument
  if (!argumentNames.includes(name)) {
    const names = argumentNames.join(', ') || 'none'
    throw new RpcError('invalid_params', `unknown argument ${name}; known arguments: ${names}`)
  }
  // Suggestions reveal what exists. Scopes that depend on arguments are not known yet: the completer can check them.
  if (typeof scopes === 'object') context.call.requireScopes(scopes)
  const completer = completers && Object.hasOwn(completers, name) ? completers[name] : undefined
  if (completer === undefined) return { completion: { values: [] } }
  const completed = params.context?.arguments ?? {}
  const suggested = await completer(value, completed, context as never) // the app's type was settled at definition
  const completion = Array.isArray(suggested) ? { values: suggested } : suggested
  const problem = completeResult({ completion: completion })
  if (problem === undefined) return { completion: capped(completion as Completion) } // just checked
  const of = 'name' in params.ref ? params.ref.name : params.ref.uri
  const why = `return an array of strings, or { values } (${describeProblem(problem)})`
  throw new TypeError(`the completer ${name} of ${of} did not return strings: ${why}`)
}

function capped(completion: Completion): Completion {
  const { values } = completion
  if (values.length <= maxValues) return completion
  return { total: values.length, ...completion, values: values.slice(0, maxValues), hasMore: true }
}

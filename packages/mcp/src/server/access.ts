import type { JsonObject } from '../schema/json.ts'
import type { CallContext } from './context.ts'
import type { Entry, Definition } from './definition.ts'
import { type ExposedFeature, indexOf } from './feature-index.ts'

/** Hidden means unknown in every way: the same answer as for something that does not exist. */
export async function isVisible({ config }: Entry, context: CallContext): Promise<boolean> {
  return config.visible === undefined || (await config.visible(context as never)) // the app's type was settled at definition
}

/** Undefined for a hidden feature. A mounted one is judged by its own definition, with its own `app`. */
export async function findVisible<B extends ExposedFeature<Entry>>(
  exposed: B | undefined,
  context: CallContext,
): Promise<B | undefined> {
  if (exposed === undefined || exposed.mount || exposed.entry.config.visible === undefined)
    return exposed
  return (await isVisible(exposed.entry, context)) ? exposed : undefined
}

/** Throws `insufficient_scope` if the caller lacks a scope of a feature; a function computes scopes from the arguments. */
export function requireScopesOf(
  scopes: readonly string[] | ((args: never, context: never) => readonly string[]) | undefined,
  args: unknown,
  context: CallContext,
): void {
  if (scopes === undefined) return
  // Types of arguments and `app` were settled where the feature was defined.
  const needed = typeof scopes === 'function' ? scopes(args as never, context as never) : scopes
  context.call.requireScopes(needed)
}

/**
 * The scopes that the name in a request tells, so that one refusal can name them all before anything is done. Empty for a
 * feature with `visible`: a refusal would tell that it exists.
 */
export function checkedScopes(
  definition: Definition,
  method: string,
  params: JsonObject,
): readonly string[] {
  const { scopes, visible } = boundTo(definition, method, params)?.entry.config ?? {}
  return visible === undefined && Array.isArray(scopes) ? (scopes as readonly string[]) : none // or a function
}

/** The scopes that features name, in alphabetical order; not those of features that some callers do not see. */
export function allScopes(definition: Definition): readonly string[] {
  const { tools, prompts, resources, templates } = indexOf(definition)
  const exposed: readonly ExposedFeature<Entry>[] = [tools, prompts, resources, templates].flatMap(
    (kind) => [...kind.values()],
  )
  const named = exposed.flatMap(({ entry: { config } }) =>
    config.visible === undefined && Array.isArray(config.scopes)
      ? (config.scopes as readonly string[]) // or a function
      : none,
  )
  return [...new Set(named)].toSorted()
}

const none: readonly string[] = Object.freeze([])

function boundTo(
  definition: Definition,
  method: string,
  { name, uri }: JsonObject,
): ExposedFeature<Entry> | undefined {
  const { tools, prompts, resources } = indexOf(definition)
  switch (method) {
    case 'tools/call':
      return typeof name === 'string' ? tools.get(name) : undefined
    case 'prompts/get':
      return typeof name === 'string' ? prompts.get(name) : undefined
    case 'resources/read':
    case 'resources/subscribe':
      return typeof uri === 'string' ? resources.get(uri) : undefined
    default:
      return undefined
  }
}

import type { CallContext } from './context.ts'
import type { Entry } from './definition.ts'
import type { Bound } from './feature-index.ts'

/** Hidden means unknown in every way: the same answer as for something that does not exist. */
export async function isVisible({ config }: Entry, context: CallContext): Promise<boolean> {
  return config.visible === undefined || (await config.visible(context as never)) // the app's type was settled at definition
}

/** Undefined for a hidden feature. A mounted one is judged by its own definition, with its own `app`. */
export async function findVisible<B extends Bound<Entry>>(
  bound: B | undefined,
  context: CallContext,
): Promise<B | undefined> {
  if (bound === undefined || bound.mount || bound.entry.config.visible === undefined) return bound
  return (await isVisible(bound.entry, context)) ? bound : undefined
}

import type { CallContext } from './context.ts'
import type { Entry } from './definition.ts'

/** Hidden means unknown in every way: the same answer as for something that does not exist. */
export async function isVisible({ config }: Entry, context: CallContext): Promise<boolean> {
  return config.visible === undefined || (await config.visible(context as never)) // the app's type was settled at definition
}

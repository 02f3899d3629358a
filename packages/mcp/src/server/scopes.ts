import type { CallContext } from './context.ts'

/** Refuses a caller that lacks what a feature asks for, fixed or by what is asked of it. */
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

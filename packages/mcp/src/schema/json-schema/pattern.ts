import { createMatcher, type Matcher } from './matcher.ts'

/** A pattern that can be used, or why it cannot. */
export type CompiledPattern =
  | { readonly kind: 'matcher'; readonly matches: Matcher }
  | { readonly kind: 'refused'; readonly reason: string }

/** Compiles an ECMA-262 pattern; only a trusted one may use `RegExp`, whose time can grow without bound. */
export function compilePattern(source: string, isTrusted: boolean): CompiledPattern {
  const expression = createExpression(source)
  if (!expression) return { kind: 'refused', reason: 'is not a regular expression' }
  const matches = createMatcher(source, expression.unicode)
  if (matches) return { kind: 'matcher', matches }
  if (isTrusted) return { kind: 'matcher', matches: (text) => expression.test(text) }
  return {
    kind: 'refused',
    reason: 'needs backtracking (look-around, a back-reference, \\b or a very large repetition)',
  }
}

/** Many patterns in use escape more than the `u` flag allows; those get the older rules. */
function createExpression(source: string): RegExp | undefined {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(source, flags)
    } catch {
      // Tried with the older rules next, and then refused.
    }
  }
  return undefined
}

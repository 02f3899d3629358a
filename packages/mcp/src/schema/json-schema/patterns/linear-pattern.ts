import { createPatternCompiler } from '../pattern.ts'

/** Whether a text has a match of a pattern anywhere, or why the pattern cannot be used. */
export type LinearPattern =
  | { readonly ok: true; readonly test: (text: string) => boolean }
  | { readonly ok: false; readonly reason: string }

/**
 * Compiles an ECMA-262 pattern to a matcher whose time grows linearly with the text, whatever the text. Refused is what
 * needs backtracking: look-around, back-references, `\b`, very large repetitions.
 */
export function compileLinearPattern(source: string): LinearPattern {
  if (!isPattern(source)) return { ok: false, reason: 'is not a valid regular expression' }
  let rejection: string | undefined
  const matcher = createPatternCompiler(false)(source, (reason) => {
    rejection = reason
  })
  if (rejection !== undefined) return { ok: false, reason: rejection }
  return { ok: true, test: (text) => matcher(text, { steps: Infinity }) }
}

function isPattern(source: string): boolean {
  try {
    return Boolean(new RegExp(source)) // compiled, never run
  } catch {
    return false
  }
}

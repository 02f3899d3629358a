import { createAutomaton } from './patterns/automaton.ts'
import { createMatcher, type Matcher } from './patterns/matcher.ts'

/** Compiles the patterns of one document; one that cannot be used is reported to `refuse`, and matches nothing. */
export type CompilePattern = (source: string, reject: (reason: string) => void) => Matcher

const maxStates = 2_000
const maxStatesTogether = 20_000
const needsBacktracking =
  'needs backtracking (look-around, a back-reference, \\b or a very large repetition)'

/** Compiles ECMA-262 patterns; only trusted ones may use `RegExp`, whose time can grow without bound. */
export function createPatternCompiler(isTrusted: boolean): CompilePattern {
  const matchers = new Map<string, Matcher>()
  let statesLeft = isTrusted ? Infinity : maxStatesTogether

  return (source, reject) => {
    const matcher = matchers.get(source) ?? compile(source, reject)
    matchers.set(source, matcher)
    return matcher
  }

  function compile(source: string, reject: (reason: string) => void): Matcher {
    const expression = createExpression(source)
    if (!expression) return () => false // refused where it was read
    const { unicode } = expression
    const automaton = createAutomaton(source, unicode, Math.min(maxStates, statesLeft))
    // A pattern that was given up has cost as much as the largest that is not.
    statesLeft -= automaton?.stateCount ?? maxStates
    if (automaton) return createMatcher(automaton, unicode)
    if (!isTrusted) reject(needsBacktracking)
    return (text) => expression.test(text)
  }
}

/** Many patterns in use escape more than the `u` flag allows; those get the older rules. Returns undefined when the pattern is invalid. */
export function createExpression(source: string): RegExp | undefined {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(source, flags)
    } catch {
      // Tried with the older rules next, and then refused.
    }
  }
  return undefined
}

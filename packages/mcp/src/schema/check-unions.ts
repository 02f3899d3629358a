import { array, type Check, type Problem } from './check.ts'

// A file of its own: a client in a page needs these checks only when the server asks for input, and bundlers split by file.

/** One, or an array of them. */
/* @__NO_SIDE_EFFECTS__ */
export function oneOrMany<T>(item: Check<T>): Check<T | readonly T[]> {
  const many = array(item)
  return (value) => (Array.isArray(value) ? many(value) : item(value))
}

/** Any of several; prefer `tagged`, which knows the variant that was meant. */
/* @__NO_SIDE_EFFECTS__ */
export function union<T extends readonly unknown[]>(
  ...checks: { readonly [I in keyof T]: Check<T[I]> }
): Check<T[number]> {
  return (value) => {
    let closest: Problem | undefined
    for (const check of checks) {
      const problem = check(value)
      if (problem === undefined) return undefined
      closest = closest === undefined ? problem : closer(closest, problem)
    }
    return closest
  }
}

/** A value that passes both checks. */
/* @__NO_SIDE_EFFECTS__ */
export function both<A, B>(first: Check<A>, second: Check<B>): Check<A & B> {
  return (value) => first(value) ?? second(value)
}

/** A check that is built when first used, for a type that contains itself. */
/* @__NO_SIDE_EFFECTS__ */
export function lazy<T>(build: () => Check<T>): Check<T> {
  let check: Check<T> | undefined
  return (value) => (check ??= build())(value)
}

function closer(first: Problem, second: Problem): Problem {
  if (first.path.length !== second.path.length) {
    return first.path.length > second.path.length ? first : second
  }
  if (first.path.length > 0) return first
  return { path: [], expected: `${first.expected} or ${second.expected}` }
}

/**
 * Checks of values from outside, whose types cannot differ from what they check.
 *
 * A `Check<T>` returns the first problem, with its path, or undefined; nothing is copied or changed. `object`, `array`, `optional`
 * and the others combine checks. Tools' schemas of authors are not checked by these: see `json-schema/`.
 */
import { isJsonObject, type JsonObject } from './json.ts'

// Each call that makes a check is marked as free of side effects, so that bundlers drop unused checks.

/** Says why a value is not a `T`, or nothing. Invariant in `T`: neither looser nor stricter than its type. */
export interface Check<T> {
  (value: unknown): Problem | undefined
  /** Never set; carries `T`. */
  readonly type?: (value: T) => T
}

/** The expected value, and the path to it. */
export interface Problem {
  readonly path: readonly (string | number)[]
  readonly expected: string
}

/** A check without its type. */
type Test = (value: unknown) => Problem | undefined

/** The check of a field that may be absent. */
export interface OptionalCheck<T> {
  readonly ifPresent: Check<T>
}

/** One check per field of `T`, optional where the field is. An index signature has none. */
export type Shape<T> = {
  readonly [K in keyof T as string extends K ? never : K]-?: {} extends Pick<T, K>
    ? OptionalCheck<Exclude<T[K], undefined>>
    : Check<T[K]>
}

/** The check of an object, with its fields to build others from. */
export interface ObjectCheck<T> extends Check<T> {
  readonly shape: Shape<T>
}

/** The check for each value of the tag `K`. */
export type Variants<T, K extends keyof T> = {
  readonly [V in T[K] & string]: Check<VariantOf<T, K, V>>
}
type VariantOf<T, K extends keyof T, V> = T extends unknown ? (V extends T[K] ? T : never) : never

/** One line for people: `content.4.resource.text: a string`. */
export function describeProblem({ path, expected }: Problem): string {
  return path.length === 0 ? expected : `${path.join('.')}: ${expected}`
}

/** A check of one condition. */
/* @__NO_SIDE_EFFECTS__ */
export function is<T>(expected: string, condition: (value: unknown) => boolean): Check<T> {
  const problem: Problem = { path: [], expected }
  return (value) => (condition(value) ? undefined : problem)
}

/** A string. */
export const string = is<string>('a string', (value) => typeof value === 'string')
/** True or false. */
export const boolean = is<boolean>('a boolean', (value) => typeof value === 'boolean')
/** A number JSON can say. */
export const number = is<number>('a number', Number.isFinite)
/** A number without a fraction. */
export const integer = is<number>('an integer', Number.isInteger)
/** A string or an integer: what names a request, or its progress. */
export const stringOrInteger = is<string | number>(
  'a string or an integer',
  (value) => typeof value === 'string' || Number.isInteger(value),
)
/** Any value but undefined. */
export const unknown = is<unknown>('a value', (value) => value !== undefined)
/** An object with any members; not an array. */
export const jsonObject = is<JsonObject>('an object', isJsonObject)

/** A number from `minimum` to `maximum`, both included. */
/* @__NO_SIDE_EFFECTS__ */
export function range(minimum: number, maximum: number): Check<number> {
  return is(
    `a number from ${minimum} to ${maximum}`,
    (value) => typeof value === 'number' && value >= minimum && value <= maximum,
  )
}

/** Exactly this string. */
/* @__NO_SIDE_EFFECTS__ */
export function literal<const T extends string>(expected: T): Check<T> {
  return is(JSON.stringify(expected), (value) => value === expected)
}

/** One of these strings. */
/* @__NO_SIDE_EFFECTS__ */
export function oneOf<const T extends string>(values: readonly T[]): Check<T> {
  const allowed: ReadonlySet<unknown> = new Set(values)
  return is(listed(values), (value) => allowed.has(value))
}

/** Marks a field that may be absent; `undefined` counts as absent, since it is not sent. */
/* @__NO_SIDE_EFFECTS__ */
export function optional<T>(ifPresent: Check<T>): OptionalCheck<T> {
  return { ifPresent }
}

/** An array whose every item is a `T`. */
/* @__NO_SIDE_EFFECTS__ */
export function array<T>(item: Check<T>): Check<readonly T[]> {
  return (value) => {
    if (!Array.isArray(value)) return notAnArray
    for (let index = 0; index < value.length; index++) {
      const problem = item(value[index])
      if (problem !== undefined) return below(index, problem)
    }
    return undefined
  }
}

/** An object whose every own member is a `T`. */
/* @__NO_SIDE_EFFECTS__ */
export function record<T>(member: Check<T>): Check<{ readonly [key: string]: T }> {
  return (value) => {
    if (!isJsonObject(value)) return notAnObject
    // Not `Object.keys`: it allocates, and V8 serves this loop from the shape's cache.
    for (const key in value) {
      if (!Object.hasOwn(value, key) || value[key] === undefined) continue
      const problem = member(value[key])
      if (problem !== undefined) return below(key, problem)
    }
    return undefined
  }
}

/** An object with these fields among its own; others pass, as does what it inherits, unread. */
/* @__NO_SIDE_EFFECTS__ */
export function object<T>(shape: Shape<NoInfer<T>>): ObjectCheck<T> {
  // Every member of a `Shape` is one of the two; only the compiler needs to know of what type.
  const entries = Object.entries(shape as { [key: string]: Test | { readonly ifPresent: Test } })
  const keys = entries.map(([key]) => key)
  const isOptional = entries.map(([, field]) => 'ifPresent' in field)
  const checks = entries.map(([, field]) => ('ifPresent' in field ? field.ifPresent : field))

  const check: Check<T> = (value) => {
    if (!isJsonObject(value)) return notAnObject
    for (let index = 0; index < keys.length; index++) {
      const key = keys[index]!
      const member = Object.hasOwn(value, key) ? value[key] : undefined
      if (member === undefined && isOptional[index]) continue
      const problem = checks[index]!(member)
      if (problem !== undefined) return below(key, problem)
    }
    return undefined
  }
  return Object.assign(check, { shape })
}

/** The fields of several shapes or objects as one shape. Not by spreads: bundlers keep those, even if nobody uses them. */
/* @__NO_SIDE_EFFECTS__ */
export function fields<const Parts extends readonly object[]>(...parts: Parts): AllFields<Parts> {
  const shapes = parts.map((part) => ('shape' in part ? part.shape : part))
  return Object.assign({}, ...shapes) as AllFields<Parts> // as the type says
}

type AllFields<Parts extends readonly unknown[]> = Parts extends readonly [
  infer First,
  ...infer Rest,
]
  ? (First extends { readonly shape: infer Fields } ? Fields : First) & AllFields<Rest>
  : unknown

/** A union whose variants differ by the string in `tag`. */
/* @__NO_SIDE_EFFECTS__ */
export function tagged<T extends object, K extends keyof T & string>(
  tag: K,
  variants: Variants<T, K>,
): Check<T> {
  const checks = new Map<unknown, Test>(Object.entries<Test>(variants))
  const unknownTag: Problem = { path: [tag], expected: listed(Object.keys(variants)) }

  return (value) => {
    if (!isJsonObject(value)) return notAnObject
    const check = Object.hasOwn(value, tag) ? checks.get(value[tag]) : undefined
    return check === undefined ? unknownTag : check(value)
  }
}

/**
 * A union whose variants are told apart by a key that only they have. Where a value has the keys of several it must
 * be each of them, so that `key in value` may be trusted; where it has none, it must be what `otherwise` says.
 */
/* @__NO_SIDE_EFFECTS__ */
export function keyed<T, K extends string>(
  variants: { readonly [V in K]: Check<Extract<T, { readonly [Key in V]: unknown }>> },
  otherwise: Check<Exclude<T, { [V in K]: { readonly [Key in V]: unknown } }[K]>>,
): Check<T> {
  const entries = Object.entries<Test>(variants)

  return (value) => {
    if (!isJsonObject(value)) return notAnObject
    let check: Test | undefined
    for (const [key, variant] of entries) {
      if (!Object.hasOwn(value, key) || value[key] === undefined) continue
      check = variant
      const problem = check(value)
      if (problem !== undefined) return problem
    }
    return check === undefined ? otherwise(value) : undefined
  }
}

const notAnObject: Problem = { path: [], expected: 'an object' }
const notAnArray: Problem = { path: [], expected: 'an array' }

function below(key: string | number, { path, expected }: Problem): Problem {
  return { path: [key, ...path], expected }
}

function listed(values: readonly string[]): string {
  return values.map((value) => JSON.stringify(value)).join(' or ')
}

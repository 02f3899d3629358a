/**
 * Predicates that say "valid, and parsing would not change it": known keys only, right types, no default to add.
 *
 * A `true` spares the Zod schema: the value is used as it is. A `false` decides nothing, the schema is asked. So a predicate may refuse
 * what it is unsure of, such as objects of classes, and must never accept what the schema would refuse or change.
 */

export type Predicate = (value: unknown) => boolean
export type Fields = Readonly<Record<string, Predicate>>

export const string: Predicate = (value) => typeof value === 'string'
export const boolean: Predicate = (value) => typeof value === 'boolean'
export const number: Predicate = (value) => typeof value === 'number' && Number.isFinite(value)
export const integer: Predicate = (value) => Number.isSafeInteger(value)
export const anything: Predicate = () => true
export const fraction: Predicate = (value) => typeof value === 'number' && value >= 0 && value <= 1

/** Accepts objects as `JSON.parse` makes them. */
export function isPlain(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  )
}

/** Accepts nothing as well. */
export function optional(check: Predicate): Predicate {
  return (value) => value === undefined || check(value)
}

/** Accepts one of these strings. */
export function literal(...allowed: readonly string[]): Predicate {
  const [only] = allowed
  if (allowed.length === 1) return (value) => value === only
  return (value) => typeof value === 'string' && allowed.includes(value)
}

/** Accepts arrays without holes of accepted items. */
export function array(check: Predicate): Predicate {
  return (value) => {
    if (!Array.isArray(value)) return false
    for (let index = 0; index < value.length; index++) {
      if (!(index in value) || !check(value[index])) return false
    }
    return true
  }
}

/** Accepts records of accepted values. Zod leaves `__proto__` out, so it is for the schema. */
export function record(check: Predicate): Predicate {
  return (value) => {
    if (!isPlain(value)) return false
    for (const key in value) if (key === '__proto__' || !check(value[key])) return false
    return Object.getOwnPropertySymbols(value).length === 0
  }
}

/** Accepts objects that have all required fields, all of them right, and no others. */
export function object(required: Fields, others: Fields = {}): Predicate {
  return withFields(required, others, false)
}

/** Accepts objects that have all required fields, all of them right, and any others. */
export function looseObject(required: Fields, others: Fields = {}): Predicate {
  return withFields(required, others, true)
}

function withFields(required: Fields, others: Fields, isLoose: boolean): Predicate {
  // A map: a message may have a field named `constructor`.
  const checks = new Map<string, { readonly check: Predicate; readonly isRequired: boolean }>()
  for (const [key, check] of Object.entries(others)) checks.set(key, { check, isRequired: false })
  for (const [key, check] of Object.entries(required)) checks.set(key, { check, isRequired: true })
  const needed = Object.keys(required).length
  return (value) => {
    if (!isPlain(value)) return false
    let found = 0
    for (const key in value) {
      const known = checks.get(key)
      if (known === undefined) {
        if (!isLoose || key === '__proto__') return false
        continue
      }
      const field = value[key]
      if (known.isRequired) found++
      else if (field === undefined) continue
      if (!known.check(field)) return false
    }
    return found === needed && Object.getOwnPropertySymbols(value).length === 0
  }
}

import { isJsonObject } from '../json/json.ts'

/** Narrows to what JSON calls an object. */
export const isObject: (value: unknown) => value is Readonly<Record<string, unknown>> = isJsonObject

/** A member that is really there: not inherited, and not `undefined`, which JSON would leave out. */
export function readOwn(value: object, name: string): unknown {
  // `value` is only ever read by name, and what is read stays unknown.
  return Object.hasOwn(value, name) ? (value as Readonly<Record<string, unknown>>)[name] : undefined
}

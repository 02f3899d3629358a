/** Anything JSON can say. */
export type JsonValue = string | number | boolean | null | JsonArray | JsonObject

/** A JSON array. */
export type JsonArray = readonly JsonValue[]

/** A JSON object; a member that is `undefined` is not sent. */
export interface JsonObject {
  /** Any member. */
  readonly [key: string]: JsonValue | undefined
}

/** Narrows to an object that is not an array. Its members are not checked: parsed text is JSON already. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The same for values that need not be JSON throughout. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return isJsonObject(value)
}

/** A member that is really there: not inherited, and not `undefined`, which JSON would leave out. */
export function readMember(value: object, name: string): unknown {
  // `value` is only ever read by name, and what is read stays unknown.
  return Object.hasOwn(value, name) ? (value as Readonly<Record<string, unknown>>)[name] : undefined
}

/** A copy without some members; the object itself when it has none of them. */
export function omit<T extends object>(value: T, keys: readonly string[]): T {
  if (!keys.some((key) => key in value)) return value
  // Only optional members are ever named, so what is left is still a `T`.
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key))) as T
}

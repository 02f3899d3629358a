/** Anything JSON can say. */
export type JsonValue = string | number | boolean | null | JsonArray | JsonObject

/** A JSON array. */
export type JsonArray = readonly JsonValue[]

/** A JSON object; a member that is `undefined` is not sent. */
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined
}

/** Narrows to an object that is no array. Its members are not looked at: what was parsed is JSON. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Anything JSON can say. */
export type JsonValue = string | number | boolean | null | JsonArray | JsonObject

/** A JSON array. */
export type JsonArray = readonly JsonValue[]

/** A JSON object; a member that is `undefined` is not sent. */
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined
}

import type { JsonObject } from './json/json.ts'

/** Something beyond the core protocol that both sides have to know: its methods, and what it says about itself. */
export interface Extension<Context = unknown> {
  /** With a prefix, such as `com.example/audit`. */
  readonly id: string
  /** Told to the peer under `capabilities.extensions`. @defaultValue {} */
  readonly settings?: JsonObject | undefined
  /** Requests it answers, by method. */
  readonly methods?: { readonly [method: string]: ExtensionMethod<Context> } | undefined
}

/** Params have been decoded, not checked: they are the extension's own. */
export type ExtensionMethod<Context = unknown> = (
  params: JsonObject,
  context: Context,
) => Promise<JsonObject> | JsonObject

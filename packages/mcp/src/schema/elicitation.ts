import type { ElicitSchema } from './elicit-schema.ts'
import type { MetaObject } from './metadata.ts'
import type { RequestMeta } from './progress.ts'
import type { Schema } from './standard-schema.ts'

/** A question with a form to fill in. */
export interface ElicitRequestFormParams<S extends Schema = Schema> {
  /** @defaultValue 'form' */
  readonly mode?: 'form'
  readonly message: string
  /** A flat object of strings, numbers, booleans and enums; anything else is refused when asked. */
  readonly requestedSchema: S
  readonly _meta?: RequestMeta
}

/** A question answered elsewhere: a link to open. */
export interface ElicitRequestURLParams {
  readonly mode: 'url'
  readonly message: string
  readonly url: string
  /** 2025-11-25 only: what `notifications/elicitation/complete` refers to. */
  readonly elicitationId?: string
  readonly _meta?: RequestMeta
}

/** What `elicitation/create` asks, as it is on the wire. */
export type ElicitRequestParams = ElicitRequestFormParams<ElicitSchema> | ElicitRequestURLParams

/** One answer in a form. */
export type ElicitValue = string | number | boolean | readonly string[]

/** The answers in a form, by property. */
export interface ElicitContent {
  readonly [property: string]: ElicitValue
}

/** What the user did with a question. `content` exists only when they accepted a form. */
export type ElicitResult<Content = object> =
  | { readonly action: 'accept'; readonly content: Content }
  | { readonly action: 'decline' }
  | { readonly action: 'cancel' }

/** What the user did with a link; whether they finished there is learnt by looking. */
export interface ElicitURLResult {
  readonly action: 'accept' | 'decline' | 'cancel'
}

/** The answer to `elicitation/create` as it is on the wire, before it is held against its question. */
export interface ElicitWireResult {
  readonly action: 'accept' | 'decline' | 'cancel'
  readonly content?: ElicitContent
  readonly _meta?: MetaObject
}

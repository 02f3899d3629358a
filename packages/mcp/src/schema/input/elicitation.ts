import { union } from '../check-unions.ts'
import * as s from '../check.ts'
import { isJsonObject } from '../json.ts'
import { type MetaObject, optionalMeta } from '../metadata.ts'
import { type RequestMeta, optionalRequestMeta } from '../progress.ts'
import type { Schema } from '../standard-schema.ts'
import { elicitSchema, type ElicitSchema } from './elicit-schema.ts'

/** A question with a form to fill in. */
export interface ElicitRequestFormParams<S extends Schema = Schema> {
  /** @defaultValue 'form' */
  readonly mode?: 'form'
  /** The question, for the user. */
  readonly message: string
  /** A flat object of strings, numbers, booleans and enums; anything else is refused when asked. */
  readonly requestedSchema: S
  /** Extra data of the request. */
  readonly _meta?: RequestMeta
}

/** A question answered elsewhere: a link to open. */
export interface ElicitRequestURLParams {
  /** Says that it is a link, not a form. */
  readonly mode: 'url'
  /** Why the user should open it. */
  readonly message: string
  /** The address to open in a browser, with the user's consent. */
  readonly url: string
  /** 2025-11-25 only: what `notifications/elicitation/complete` refers to. */
  readonly elicitationId?: string
  /** Extra data of the request. */
  readonly _meta?: RequestMeta
}

/** Params of `elicitation/create`, as on the wire. */
export type ElicitRequestParams = ElicitRequestFormParams<ElicitSchema> | ElicitRequestURLParams

/** One answer in a form. */
export type ElicitValue = string | number | boolean | readonly string[]

/** The answers in a form, by property. */
export interface ElicitContent {
  readonly [property: string]: ElicitValue
}

/** The user's reply. `content` exists only when they accepted a form. */
export type ElicitResult<Content = object> =
  | {
      /** The user accepted. */
      readonly action: 'accept'
      /** The form as filled in by the user, checked by the schema; undefined for a link. */
      readonly content: Content
    }
  | {
      /** The user said no. */
      readonly action: 'decline'
    }
  | {
      /** The user closed the question without an answer. */
      readonly action: 'cancel'
    }

/** The user's reply to a link; whether they finished there has to be polled. */
export interface ElicitURLResult {
  /** `accept`: the user agreed to open it. `decline`: the user said no. `cancel`: the user closed the question. */
  readonly action: 'accept' | 'decline' | 'cancel'
  /** To a server, in 2025-11-25: what it says when the user has finished there. */
  readonly elicitationId?: string
}

/** The answer to `elicitation/create` as it is on the wire, before it is held against its question. */
export interface ElicitWireResult {
  readonly action: 'accept' | 'decline' | 'cancel'
  readonly content?: ElicitContent
  readonly _meta?: MetaObject
}

const formParams = s.object<ElicitRequestFormParams<ElicitSchema>>({
  mode: s.optional(s.literal('form')),
  message: s.string,
  requestedSchema: elicitSchema,
  _meta: optionalRequestMeta,
})

const urlParams = s.object<ElicitRequestURLParams>({
  mode: s.literal('url'),
  message: s.string,
  url: s.string,
  elicitationId: s.optional(s.string),
  _meta: optionalRequestMeta,
})

/** Params of `notifications/elicitation/complete`. */
export interface ElicitationCompleteParams {
  readonly elicitationId: string
  readonly _meta?: MetaObject
}

/** Params of `notifications/elicitation/complete`. */
export const elicitationCompleteParams = s.object<ElicitationCompleteParams>({
  elicitationId: s.string,
  _meta: optionalMeta,
})

const anyMode = s.object<{ readonly mode?: 'form' | 'url' }>({
  mode: s.optional(s.oneOf(['form', 'url'])),
})

/** Params of `elicitation/create`; no mode means a form. */
export const elicitParams: s.Check<ElicitRequestParams> = (value) =>
  anyMode(value) ?? (isUrlMode(value) ? urlParams(value) : formParams(value))

const elicitContent: s.Check<ElicitContent> = s.record(
  union(s.string, s.number, s.boolean, s.array(s.string)),
)

/** Result of `elicitation/create`. */
export const elicitResult = s.object<ElicitWireResult>({
  action: s.oneOf(['accept', 'decline', 'cancel']),
  content: s.optional(elicitContent),
  _meta: optionalMeta,
})

function isUrlMode(value: unknown): boolean {
  return isJsonObject(value) && Object.hasOwn(value, 'mode') && value['mode'] === 'url'
}

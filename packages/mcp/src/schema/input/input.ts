import { both, lazy } from '../check-unions.ts'
import * as s from '../check.ts'
import type { JsonObject } from '../json.ts'
import { type MetaObject, optionalMeta } from '../metadata.ts'
import { inputMethods, type InputMethod } from '../methods/server-requests.ts'

/** A request for input inside a result: for the user, the model or the client. It has no id. */
export interface InputRequest {
  readonly method: InputMethod
  readonly params?: JsonObject
}

/** Questions by the server's own keys. */
export interface InputRequests {
  readonly [key: string]: InputRequest
}

/** Answers by the keys of their questions; each is the bare result of its method. */
export interface InputResponses {
  readonly [key: string]: JsonObject
}

/** The end of a round: the client sends the same request again, with the responses and the unchanged state. */
export interface InputRequiredResult {
  readonly resultType: 'input_required'
  readonly inputRequests?: InputRequests
  /** Means nothing to the client. */
  readonly requestState?: string
}

/** Params that a repeated request carries: the responses and the state. */
export interface InputResponseParams {
  readonly inputResponses?: InputResponses
  readonly requestState?: string
}

const inputRequest = s.object<InputRequest>({
  method: lazy(() => s.oneOf(inputMethods())),
  params: s.optional(s.jsonObject),
})

/** Questions, wherever they stand. */
export const inputRequests: s.Check<InputRequests> = s.record(inputRequest)

/** The fields of params that carry answers. */
export const inputResponseShape: s.Shape<InputResponseParams> = {
  inputResponses: s.optional(s.record(s.jsonObject)),
  requestState: s.optional(s.string),
}

/** A result that asks; it asks for something, or says at least where to go on. */
export const inputRequiredResult: s.Check<InputRequiredResult> = both(
  s.object<InputRequiredResult>({
    resultType: s.literal('input_required'),
    inputRequests: s.optional(inputRequests),
    requestState: s.optional(s.string),
  }),
  (value) => {
    const { inputRequests: inputRequestsSent, requestState } = value as InputRequiredResult // the first check passed
    return inputRequestsSent === undefined && requestState === undefined
      ? { path: ['inputRequests'], expected: 'an object, or a requestState' }
      : undefined
  },
)

/** @deprecated Roots are deprecated since 2026-07-28 (SEP-2577). Take paths as tool arguments. */
export interface Root {
  /** Always a `file://` URI. */
  readonly uri: string
  /** For people. */
  readonly name?: string
  /** Extra data, under keys with a prefix of your own; neither side has to understand it. */
  readonly _meta?: MetaObject
}

/** @deprecated See {@link Root}. */
export interface ListRootsResult {
  readonly roots: readonly Root[]
  readonly _meta?: MetaObject
}

const fileUri = s.is<string>(
  'a file:// URI',
  (value) => typeof value === 'string' && value.startsWith('file://'),
)

const root = s.object<Root>({
  uri: fileUri,
  name: s.optional(s.string),
  _meta: optionalMeta,
})

/** Result of `roots/list`. */
export const listRootsResult = s.object<ListRootsResult>({
  roots: s.array(root),
  _meta: optionalMeta,
})

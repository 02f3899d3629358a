import { lazy } from '../check-unions.ts'
import * as s from '../check.ts'
import type { JsonObject } from '../json/json.ts'
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

/** What ends a round: the same request again, with the answers and the state as it was, goes on. */
export interface InputRequiredResult {
  readonly resultType: 'input_required'
  readonly inputRequests?: InputRequests
  /** Means nothing to the client. */
  readonly requestState?: string
}

/** What a request that may be asked back carries when it comes again. */
export interface AnsweredParams {
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
export const answeredShape: s.Shape<AnsweredParams> = {
  inputResponses: s.optional(s.record(s.jsonObject)),
  requestState: s.optional(s.string),
}

import * as s from './check.ts'
import { type MetaObject, optionalMeta } from './metadata.ts'

/** How far a request has come. */
export interface Progress {
  /** Grows with every notification, even where the total is unknown. */
  readonly progress: number
  /** The value of `progress` at the end; absent if unknown. */
  readonly total?: number
  /** For people. */
  readonly message?: string
}

/** The token that a request sends to receive its progress. */
export type ProgressToken = string | number

/** `_meta` of a request's params. */
export interface RequestMeta extends MetaObject {
  /** Asks for `notifications/progress` that carry this token. */
  readonly progressToken?: ProgressToken
}

/** Params of `notifications/progress`. */
export interface ProgressNotificationParams extends Progress {
  /** The token of the request that goes on. */
  readonly progressToken: ProgressToken
  readonly _meta?: MetaObject
}

/** `_meta` of a request. */
export const requestMeta = s.object<RequestMeta>({ progressToken: s.optional(s.stringOrInteger) })
/** `_meta` of a request's params; see `optionalMeta`. */
export const optionalRequestMeta = s.optional(requestMeta)

/** Params of `notifications/progress`. */
export const progressParams = s.object<ProgressNotificationParams>({
  progressToken: s.stringOrInteger,
  progress: s.number,
  total: s.optional(s.number),
  message: s.optional(s.string),
  _meta: optionalMeta,
})

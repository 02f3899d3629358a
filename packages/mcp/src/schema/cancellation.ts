import * as s from './check.ts'
import { type MetaObject, optionalMeta } from './metadata.ts'

/** What a request is answered by. Never null. */
export type RequestId = string | number

/** What `notifications/cancelled` says: the answer to this request is no longer wanted. */
export interface CancelledNotificationParams {
  readonly requestId: RequestId
  /** For people. */
  readonly reason?: string
  readonly _meta?: MetaObject
}

/** Params of `notifications/cancelled`. */
export const cancelledParams = s.object<CancelledNotificationParams>({
  requestId: s.stringOrInteger,
  reason: s.optional(s.string),
  _meta: optionalMeta,
})

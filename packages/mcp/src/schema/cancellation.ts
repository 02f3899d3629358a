import * as s from './check.ts'
import { meta, type MetaObject } from './metadata.ts'

/** What a request is answered by. Never null. */
export type RequestId = string | number

/** What `notifications/cancelled` says: the answer to this request is no longer wanted. */
export interface CancelledNotificationParams {
  readonly requestId: RequestId
  /** For people. */
  readonly reason?: string
  readonly _meta?: MetaObject
}

const requestId = s.is<RequestId>(
  'a string or an integer',
  (value) => typeof value === 'string' || Number.isInteger(value),
)

/** Params of `notifications/cancelled`. */
export const cancelledParams = s.object<CancelledNotificationParams>({
  requestId,
  reason: s.optional(s.string),
  _meta: s.optional(meta),
})

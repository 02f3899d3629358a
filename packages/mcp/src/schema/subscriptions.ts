import * as s from './check.ts'
import { type MetaObject, optionalMeta } from './metadata.ts'
import { type RequestMeta, optionalRequestMeta } from './progress.ts'

/** Which notifications to receive, as in `subscriptions/listen`; usable in every revision. */
export interface SubscriptionFilter {
  /** Hear when the list of tools changes. */
  readonly toolsListChanged?: boolean
  /** Hear when the list of prompts changes. */
  readonly promptsListChanged?: boolean
  /** Hear when the list of resources or templates changes. */
  readonly resourcesListChanged?: boolean
  /** URIs of the resources whose updates to receive. */
  readonly resourceSubscriptions?: readonly string[]
  /** Tasks whose states to receive, where both sides have that extension. */
  readonly taskIds?: readonly string[]
}

/** Params of `subscriptions/listen`. */
export interface ListenParams {
  readonly notifications: SubscriptionFilter
  readonly _meta?: RequestMeta
}

/** Params of `notifications/subscriptions/acknowledged`: the notifications that will be sent. */
export interface AcknowledgedParams {
  readonly notifications: SubscriptionFilter
  readonly _meta?: MetaObject
}

const subscriptionFilter = s.object<SubscriptionFilter>({
  toolsListChanged: s.optional(s.boolean),
  promptsListChanged: s.optional(s.boolean),
  resourcesListChanged: s.optional(s.boolean),
  resourceSubscriptions: s.optional(s.array(s.string)),
  taskIds: s.optional(s.array(s.string)),
})

/** Params of `subscriptions/listen`. */
export const listenParams = s.object<ListenParams>({
  notifications: subscriptionFilter,
  _meta: optionalRequestMeta,
})

/** Params of `notifications/subscriptions/acknowledged`. */
export const acknowledgedParams = s.object<AcknowledgedParams>({
  notifications: subscriptionFilter,
  _meta: optionalMeta,
})

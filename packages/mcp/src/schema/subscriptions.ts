/** What to be told about; the words of `subscriptions/listen`, usable in every revision. */
export interface SubscriptionFilter {
  readonly toolsListChanged?: boolean
  readonly promptsListChanged?: boolean
  readonly resourcesListChanged?: boolean
  /** URIs of the resources to be told about. */
  readonly resourceSubscriptions?: readonly string[]
}

export { createCluster, type ClusterOptions, type StoreCluster } from './cluster/create-cluster.ts'
export type { ClusterSecret } from './cluster/cluster-secrets.ts'
export type { ClusterMetric, OnMetric } from './cluster/metrics.ts'
export type { GrantKey, StoredGrants, VersionedGrant } from './cluster/stored-grants.ts'
export type { StoredValues } from './cluster/stored-values.ts'
export { createMemoryCluster } from './memory/memory-cluster.ts'
export { createMemoryClusterStore } from './memory/memory-store.ts'
export {
  type ClusterBudgets,
  type ClusterBus,
  StoreUnavailable,
  type ClusterStore,
  feedPageSize,
  maxFeedEntries,
  type FeedPage,
  type ClusterFeeds,
  type ClusterLeases,
  type LiveNode,
  type OnceMarks,
  type RecordKey,
  type RecordPage,
  type ClusterRecords,
  type VersionedText,
} from './store/cluster-store.ts'
export type {
  StreamBatch,
  StreamKey,
  StreamLimits,
  StreamPage,
  ClusterStreams,
} from './store/streams.ts'

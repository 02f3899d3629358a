export { createCluster, type ClusterOptions, type StoreCluster } from './cluster/create-cluster.ts'
export type { ClusterSecret } from './cluster/cluster-secrets.ts'
export type { ClusterMetric, OnMetric } from './cluster/metrics.ts'
export type { GrantKey, StoredGrants, VersionedGrant } from './cluster/stored-grants.ts'
export type { StoredValues } from './cluster/stored-values.ts'
export { memoryCluster } from './memory/memory-cluster.ts'
export { createMemoryStore } from './memory/memory-store.ts'
export {
  type Budgets,
  type Bus,
  StoreUnavailable,
  type ClusterStore,
  feedPageSize,
  maxFeedEntries,
  type FeedPage,
  type Feeds,
  type Leases,
  type LiveNode,
  type OnceMarks,
  type RecordKey,
  type RecordPage,
  type Records,
  type VersionedText,
} from './store/cluster-store.ts'
export type { StreamBatch, StreamKey, StreamLimits, StreamPage, Streams } from './store/streams.ts'

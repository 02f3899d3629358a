import { readSecrets } from '../cluster/cluster-secrets.ts'
import { createCluster, type ClusterOptions, type StoreCluster } from '../cluster/create-cluster.ts'
import { createRedisClusterStore, type RedisStoreOptions } from './redis-store.ts'

/** Serves one endpoint from many processes, with Redis 6.2 or newer, or Valkey, between them. */
export function createRedisCluster(options: RedisStoreOptions & ClusterOptions): StoreCluster {
  readSecrets(options.secret) // before anything is opened
  return createCluster(createRedisClusterStore(options), options)
}

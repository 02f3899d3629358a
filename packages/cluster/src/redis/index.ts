export { createRedisCluster } from './redis-cluster.ts'
export { createRedisClusterStore, type RedisStoreOptions } from './redis-store.ts'
export type { RedisClient } from './redis-client.ts'

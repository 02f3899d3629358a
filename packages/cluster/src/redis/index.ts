export { redisCluster } from './redis-cluster.ts'
export { createRedisStore, type RedisStoreOptions } from './redis-store.ts'
export type { RedisClient } from './redis-client.ts'

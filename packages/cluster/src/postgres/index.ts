export { createPostgresCluster } from './postgres-cluster.ts'
export { createPostgresClusterStore, type PostgresStoreOptions } from './postgres-store.ts'

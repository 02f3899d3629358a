export { postgresCluster } from './postgres-cluster.ts'
export { createPostgresStore, type PostgresStoreOptions } from './postgres-store.ts'

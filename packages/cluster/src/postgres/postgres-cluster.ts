import { readSecrets } from '../cluster/cluster-secrets.ts'
import { createCluster, type ClusterOptions, type StoreCluster } from '../cluster/create-cluster.ts'
import { createPostgresClusterStore, type PostgresStoreOptions } from './postgres-store.ts'

/** Serves one endpoint from many processes, with PostgreSQL between them: for some hundred messages a second. */
export function createPostgresCluster(
  options: PostgresStoreOptions & ClusterOptions,
): StoreCluster {
  readSecrets(options.secret) // before anything is opened
  return createCluster(createPostgresClusterStore(options), options)
}

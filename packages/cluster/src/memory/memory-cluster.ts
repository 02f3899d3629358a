import { randomSecret } from '../cluster/cluster-secrets.ts'
import { createCluster, type ClusterOptions, type StoreCluster } from '../cluster/create-cluster.ts'
import { createMemoryClusterStore } from './memory-store.ts'

/** A cluster of one process, with a secret of its own: for tests, and for several endpoints in one process. */
export function createMemoryCluster(options: Partial<ClusterOptions> = {}): StoreCluster {
  const { secret = randomSecret() } = options
  return createCluster(createMemoryClusterStore(), { ...options, secret })
}

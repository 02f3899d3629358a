import { randomSecret } from '../cluster/cluster-secrets.ts'
import { createCluster, type ClusterOptions, type StoreCluster } from '../cluster/create-cluster.ts'
import { createMemoryStore } from './memory-store.ts'

/** A cluster of one process, with a secret of its own: for tests, and for several endpoints in one process. */
export function memoryCluster(options: Partial<ClusterOptions> = {}): StoreCluster {
  const { secret = randomSecret() } = options
  return createCluster(createMemoryStore(), { ...options, secret })
}

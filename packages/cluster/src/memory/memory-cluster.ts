import { createCluster, type ClusterOptions, type StoreCluster } from '../cluster/create-cluster.ts'
import { createMemoryStore } from './memory-store.ts'

/** Several endpoints in one process that take each other for different ones: for tests. */
export function memoryCluster(options: ClusterOptions = {}): StoreCluster {
  return createCluster(createMemoryStore(), options)
}

import { randomBytes } from 'node:crypto'

import { type ClusterStore, createMemoryClusterStore } from '@parley/cluster'
import { createPostgresClusterStore } from '@parley/cluster/postgres'
import { createRedisClusterStore } from '@parley/cluster/redis'

import { hasPostgres, sharedPostgres } from '../../../test-support/postgres-server.ts'
import { hasRedis, sharedRedis } from '../../../test-support/redis-server.ts'
import { isThorough } from '../../../test-support/thorough.ts'

/** A kind of store, on a server that all tests of a run share. */
export interface StoreKind {
  readonly name: string
  readonly isInstalled: boolean
  /** The address of its server. */
  address(): Promise<string>
  /** An empty store under names of its own; the function opens that one as often as it is called. */
  create(address: string): () => ClusterStore
}

/** For a machine that does other work besides. */
const timeoutMs = 20_000

export const memory: StoreKind = {
  name: 'memory',
  isInstalled: true,
  address: async () => '',
  create() {
    const store = createMemoryClusterStore()
    return () => store
  },
}

export const redis: StoreKind = {
  name: 'Redis',
  isInstalled: hasRedis,
  address: sharedRedis,
  create(url) {
    const prefix = `${newName()}:`
    return () => createRedisClusterStore({ url, prefix, timeoutMs })
  },
}

export const postgres: StoreKind = {
  name: 'PostgreSQL',
  isInstalled: hasPostgres,
  address: () => sharedPostgres(),
  create(connectionString) {
    const schema = newName()
    return () => createPostgresClusterStore({ connectionString, schema, timeoutMs })
  },
}

/** For tests of what a cluster does with its store: one by day. Each store meets the contract of stores every day. */
export const stores: readonly StoreKind[] = isThorough ? [memory, redis, postgres] : [memory]

/** For tests of several processes, which cannot share a store in memory. */
export const sharedStores: readonly StoreKind[] = isThorough ? [redis, postgres] : [redis]

/** Fits a prefix and a schema. */
export function newName(): string {
  return `test_${randomBytes(8).toString('hex')}`
}

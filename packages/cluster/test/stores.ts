import { randomBytes } from 'node:crypto'

import {
  hasPostgres,
  installPostgres,
  sharedPostgres,
} from '../../../test-support/postgres-server.ts'
import { hasRedis, installRedis, sharedRedis } from '../../../test-support/redis-server.ts'
import { isThorough } from '../../../test-support/thorough.ts'
import { createMemoryStore, type ClusterStore } from '../src/index.ts'
import { createPostgresStore } from '../src/postgres/index.ts'
import { createRedisStore } from '../src/redis/index.ts'

/** A kind of store, on a server that all tests of a run share. */
export interface StoreKind {
  readonly name: string
  readonly isInstalled: boolean
  /** Its name, and what to install where its server is missing. */
  readonly title: string
  /** The address of its server. */
  address(): Promise<string>
  /** An empty store under names of its own; the function opens that one as often as it is called. */
  create(address: string): () => ClusterStore
}

/** For a machine that does other work besides. */
const timeoutMs = 20_000

export const memory: StoreKind = {
  ...titled('memory', true, ''),
  address: async () => '',
  create() {
    const store = createMemoryStore()
    return () => store
  },
}

export const redis: StoreKind = {
  ...titled('Redis', hasRedis, installRedis),
  address: sharedRedis,
  create(url) {
    const prefix = `${newName()}:`
    return () => createRedisStore({ url, prefix, timeoutMs })
  },
}

export const postgres: StoreKind = {
  ...titled('PostgreSQL', hasPostgres, installPostgres),
  address: () => sharedPostgres(),
  create(connectionString) {
    const schema = newName()
    return () => createPostgresStore({ connectionString, schema, timeoutMs })
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

function titled(name: string, isInstalled: boolean, install: string) {
  return { name, isInstalled, title: isInstalled ? name : `${name}: needs ${install}` }
}

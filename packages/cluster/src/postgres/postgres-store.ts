import { Pool, type PoolConfig } from 'pg'

import { type ClusterStore, requireStarted, type StoreState } from '../store/cluster-store.ts'
import { checkTimeout, withDeadline } from '../store/deadline.ts'
import { quoteSchema } from './names.ts'
import { createPostgresBudgets } from './postgres-budgets.ts'
import { createPostgresBus } from './postgres-bus.ts'
import { createPostgresFeeds } from './postgres-feeds.ts'
import { createPostgresLeases } from './postgres-leases.ts'
import { createPostgresOnceMarks } from './postgres-once-marks.ts'
import { createPostgresQueries, type PostgresQueries } from './postgres-queries.ts'
import { createPostgresRecords } from './postgres-records.ts'
import { checkFormat, openSchema, reopening } from './postgres-schema.ts'
import { checkConnectionString, explainPostgresStart } from './postgres-start.ts'
import { createPostgresStreams } from './postgres-streams.ts'
import { createPostgresSweeper } from './postgres-sweeper.ts'

/** Which database, and which schema in it. One of `connectionString`, `connection` and `pool` is needed. */
export interface PostgresStoreOptions {
  /** For example `postgres://user:password@localhost:5432/parley`. */
  readonly connectionString?: string | undefined
  /** Options of pg, beside or instead of `connectionString`: TLS, size of the pool. */
  readonly connection?: PoolConfig | undefined
  /** A pool of pg. It is not closed with the store. */
  readonly pool?: Pool | undefined
  /**
   * Where the tables are; made if it does not exist. Clusters that share a database need different ones.
   *
   * @defaultValue `parley1`
   */
  readonly schema?: string | undefined
  /**
   * After how many milliseconds without an answer a statement has failed.
   *
   * @defaultValue 2000
   */
  readonly timeoutMs?: number | undefined
  /**
   * How often expired rows are deleted, in milliseconds.
   *
   * @defaultValue 10000
   */
  readonly sweepMs?: number | undefined
}

/** A store on PostgreSQL 12 or newer: for those who have one already, and some hundred messages a second. */
export function createPostgresClusterStore(options: PostgresStoreOptions): ClusterStore {
  const { schema = 'parley1', timeoutMs = 2_000, sweepMs = 10_000 } = options
  checkTimeout(timeoutMs)
  checkConnectionString(options.connectionString)
  const name = quoteSchema(schema)
  const pool = options.pool ?? openPool(options, timeoutMs)
  // A connection that breaks while nobody uses it is replaced with the next statement.
  const ignore = (): void => undefined
  pool.on('error', ignore)
  const sent = createPostgresQueries(pool, timeoutMs)
  const bus = createPostgresBus(sent, pool.options, { schema, timeoutMs })
  let sweeper: Disposable | undefined
  let state: StoreState = 'new'

  const whole = reopening(sent, schema)
  const queries: PostgresQueries = {
    ...whole,
    async rows(statement, values) {
      requireStarted(state)
      return whole.rows(statement, values)
    },
  }

  return {
    records: createPostgresRecords(queries, name),
    feeds: createPostgresFeeds(queries, name),
    once: createPostgresOnceMarks(queries, name),
    leases: createPostgresLeases(queries, name, (format) => checkFormat(schema, format)),
    streams: createPostgresStreams(queries, name),
    budgets: createPostgresBudgets(queries, name),
    bus,

    async start() {
      if (state === 'closed') requireStarted(state)
      try {
        await openSchema(sent, schema)
      } catch (error) {
        throw explainPostgresStart(options, error)
      }
      if (state !== 'new') return
      state = 'started'
      bus.connect()
      sweeper = createPostgresSweeper(queries, name, sweepMs)
    },

    async close() {
      if (state === 'closed') return
      state = 'closed'
      sweeper?.[Symbol.dispose]()
      await bus[Symbol.asyncDispose]()
      if (options.pool) pool.off('error', ignore)
      else await withDeadline(pool.end(), timeoutMs, 'PostgreSQL').catch(ignore)
    },
  }
}

function openPool({ connectionString, connection }: PostgresStoreOptions, timeoutMs: number): Pool {
  if (connectionString === undefined && connection === undefined) {
    throw new Error(
      'no PostgreSQL database is configured: set `connectionString`, for example postgres://localhost:5432/parley, or `connection`, or `pool`',
    )
  }
  return new Pool({
    application_name: 'parley',
    keepAlive: true,
    ...connection,
    ...(connectionString !== undefined && { connectionString }),
    connectionTimeoutMillis: timeoutMs,
  })
}

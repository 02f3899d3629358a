import { errorMessage } from '@parley/mcp/json'

import { StoreUnavailable } from '../store/cluster-store.ts'
import type { ObjectStorage, SqlValue } from './cloudflare-types.ts'

type Row = Record<string, SqlValue>

/** The database of an object, whose calls are over when they return. */
export interface ObjectDatabase {
  /** Milliseconds since 1970, by the clock of the store. */
  now(): number
  rows<Found extends Row>(query: string, ...values: SqlValue[]): Found[]
  /** Runs `work` as one step. What it throws becomes `StoreUnavailable`. */
  step<Value>(work: () => Value): Promise<Value>
}

const tables = [
  `CREATE TABLE IF NOT EXISTS parley_records (
    position INTEGER PRIMARY KEY AUTOINCREMENT, owner TEXT NOT NULL, id TEXT NOT NULL, text TEXT NOT NULL,
    parts INTEGER NOT NULL, version INTEGER NOT NULL, kept_until INTEGER NOT NULL, UNIQUE (owner, id))`,
  'CREATE INDEX IF NOT EXISTS parley_records_listed ON parley_records (owner, position)',
  'CREATE INDEX IF NOT EXISTS parley_records_until ON parley_records (kept_until)',
  `CREATE TABLE IF NOT EXISTS parley_streams (
    position INTEGER PRIMARY KEY AUTOINCREMENT, session TEXT NOT NULL, stream TEXT NOT NULL, writer TEXT NOT NULL,
    about TEXT NOT NULL, last INTEGER NOT NULL, dropped INTEGER NOT NULL, bytes INTEGER NOT NULL,
    is_ended INTEGER NOT NULL, read_at INTEGER, read_after INTEGER, kept_until INTEGER NOT NULL,
    UNIQUE (session, stream))`,
  'CREATE INDEX IF NOT EXISTS parley_streams_until ON parley_streams (kept_until)',
  `CREATE TABLE IF NOT EXISTS parley_events (
    position INTEGER NOT NULL, number INTEGER NOT NULL, text TEXT NOT NULL, parts INTEGER NOT NULL,
    bytes INTEGER NOT NULL, PRIMARY KEY (position, number)) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS parley_parts (
    owner TEXT NOT NULL, part INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (owner, part)) WITHOUT ROWID`,
  'CREATE TABLE IF NOT EXISTS parley_marks (id TEXT PRIMARY KEY, kept_until INTEGER NOT NULL) WITHOUT ROWID',
  'CREATE INDEX IF NOT EXISTS parley_marks_until ON parley_marks (kept_until)',
  `CREATE TABLE IF NOT EXISTS parley_budgets (
    id TEXT PRIMARY KEY, amount REAL NOT NULL, at INTEGER NOT NULL, kept_until INTEGER NOT NULL) WITHOUT ROWID`,
  'CREATE INDEX IF NOT EXISTS parley_budgets_until ON parley_budgets (kept_until)',
]

/** Opens the database of an object, and makes its tables. Their names begin with `parley_`. */
export function openObjectDatabase(storage: ObjectStorage): ObjectDatabase {
  for (const table of tables) storage.sql.exec(table)
  return {
    now: () => Date.now(),
    rows: <Found extends Row>(query: string, ...values: SqlValue[]) =>
      storage.sql.exec<Found>(query, ...values).toArray(),
    async step(work) {
      try {
        return storage.transactionSync(work)
      } catch (cause) {
        const why = errorMessage(cause)
        throw new StoreUnavailable(`the storage of the Durable Object failed: ${why}`, { cause })
      }
    },
  }
}

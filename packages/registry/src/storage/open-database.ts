import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

import { Migrator, sql, type Migration } from 'kysely'

import { openPostgres, postgresFlavour } from './postgres.ts'
import { rebuildIndex } from './search-index.ts'
import { openSqlite, sqliteFlavour } from './sqlite.ts'
import type { Flavour, Queries, RegistryDatabase } from './tables.ts'

/**
 * Opens a database and brings its tables up to date. A `postgres:` URL is a PostgreSQL server; everything else is a file
 * of SQLite: a path, a `file:` URL, or `:memory:`.
 */
export async function openDatabase(address: string): Promise<RegistryDatabase> {
  const isPostgres = /^postgres(?:ql)?:/.test(address)
  const flavour = isPostgres ? postgresFlavour : sqliteFlavour
  const queries = isPostgres ? await openPostgres(address) : openSqlite(readPath(address))
  try {
    await migrate(queries, flavour)
  } catch (error) {
    await queries.destroy()
    throw error
  }
  return {
    queries,
    flavour,
    [Symbol.asyncDispose]: () => queries.destroy(),
  }
}

function readPath(address: string): string {
  if (address === ':memory:') return address
  if (/^(?!file:)[a-z][a-z0-9+.-]+:/i.test(address)) {
    const scheme = address.slice(0, address.indexOf(':'))
    throw new TypeError(
      `the database address begins with ${JSON.stringify(scheme)}: use a path, or postgres://user@host/name`,
    )
  }
  const path = address.startsWith('file:') ? fileURLToPath(address) : address
  mkdirSync(dirname(path), { recursive: true })
  return path
}

/** Steps after which everything that is listed is listed again, in the same transaction. */
const indexSteps = new Set(['004-search'])

async function migrate(queries: Queries, flavour: Flavour): Promise<void> {
  const migrations = Object.entries(flavour.steps).map(([step, statements]) => [
    step,
    stepOf(statements, indexSteps.has(step) ? flavour : undefined),
  ])
  const migrator = new Migrator({
    db: queries,
    provider: { getMigrations: async () => Object.fromEntries(migrations) },
  })
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined) throw error
}

function stepOf(statements: readonly string[], indexed: Flavour | undefined): Migration {
  return {
    async up(database: Queries) {
      for (const statement of statements) await sql.raw(statement).execute(database)
      if (indexed !== undefined) await rebuildIndex(database, indexed)
    },
  }
}

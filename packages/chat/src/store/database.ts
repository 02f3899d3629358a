import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'

import { openSqlite, type SqliteFile, type SqliteStatement } from '@parley/foundation/native'

import { migrations } from './migrations.ts'

/** What a statement takes and gives. */
export type SqlValue = string | number | null

/** One file of SQLite. */
export interface SqlDatabase {
  /** The rows of a query. */
  all(text: string, ...values: readonly SqlValue[]): readonly SqlRow[]
  run(text: string, ...values: readonly SqlValue[]): void
  /** All of it or nothing. What it returned for is on disk. */
  write<T>(work: () => T): T
  close(): void
}

/** A row, by the names of its columns. */
export interface SqlRow {
  readonly [column: string]: SqlValue
}

/** How long a writer of another process is waited for. */
const busyMs = 5_000

/** Opens a file and brings its tables up to date. Several processes may do so at once. */
export function openSqlDatabase(file: string): SqlDatabase {
  if (file !== ':memory:') {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    closeSync(openSync(file, 'a', 0o600)) // conversations are for their owner to read
  }
  const database = openSqlite(file)
  try {
    database.exec(`pragma busy_timeout = ${busyMs}`) // first: another process may be opening it too
    database.exec('pragma journal_mode = WAL')
    database.exec('pragma synchronous = FULL')
    database.exec('pragma foreign_keys = ON')
    const opened = wrap(database)
    migrate(opened, file, (statement) => database.exec(statement))
    return opened
  } catch (error) {
    database.close()
    throw notOurs(error, file)
  }
}

function wrap(database: SqliteFile): SqlDatabase {
  const statements = new Map<string, SqliteStatement>()
  function prepared(text: string) {
    const existing = statements.get(text)
    if (existing !== undefined) return existing
    const statement = database.prepare(text)
    statements.set(text, statement)
    return statement
  }
  return {
    all: (text, ...values) => prepared(text).all(values) as SqlRow[], // one object for each row
    run: (text, ...values) => void prepared(text).run(values),
    write(work) {
      database.exec('begin immediate') // one that starts by reading could not become a writer while another process writes
      try {
        const result = work()
        database.exec('commit')
        return result
      } catch (error) {
        if (database.inTransaction) database.exec('rollback')
        throw error
      }
    },
    close() {
      statements.clear()
      database.close()
    },
  }
}

function migrate(database: SqlDatabase, file: string, exec: (statement: string) => void): void {
  if (versionOf(database) === migrations.length) return
  database.write(() => {
    const version = versionOf(database) // another process may have been quicker
    if (version > migrations.length) {
      throw new Error(
        `${file} was written by a newer Parley (form ${version}; this one knows ${migrations.length}): update Parley, or name another file`,
      )
    }
    for (const statements of migrations.slice(version)) {
      for (const statement of statements) exec(statement)
    }
    exec(`pragma user_version = ${migrations.length}`)
  })
}

function versionOf(database: SqlDatabase): number {
  const [row] = database.all('select user_version as version from pragma_user_version')
  return Number(row?.['version'] ?? 0)
}

function notOurs(error: unknown, file: string): unknown {
  const isOther = error instanceof Error && /not a database|SQLITE_NOTADB/i.test(error.message)
  if (!isOther) return error
  const message = `${file} holds no conversations, it is some other file: name another one`
  return new Error(message, { cause: error })
}

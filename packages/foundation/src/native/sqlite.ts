/** One way to two libraries: SQLite as Node has it, and `libsql` where Node has none or one without full text search. */

import { createRequire } from 'node:module'

import { findNative, requireNative } from './native-packages.ts'

/** A value in a row. */
export type SqliteValue = string | number | null

/** A compiled statement. Its values are those of the question marks. */
export interface SqliteStatement {
  /** It gives rows. */
  readonly reader: boolean
  /** All rows. */
  all(values: readonly SqliteValue[]): unknown[]
  /** Changes something. */
  run(values: readonly SqliteValue[]): {
    changes: number | bigint
    lastInsertRowid: number | bigint
  }
  /** The rows, one at a time. */
  iterate(values: readonly SqliteValue[]): IterableIterator<unknown>
}

/** An open file. */
export interface SqliteFile {
  /** Between `begin` and its end. */
  readonly inTransaction: boolean
  /** Compiles a statement. */
  prepare(text: string): SqliteStatement
  /** Runs statements without values. */
  exec(text: string): void
  /** Ends its use. */
  close(): void
}

/** Whether `openSqlite` finds a library. */
export function hasSqlite(env?: { readonly [name: string]: string | undefined }): boolean {
  return nodeSqlite() !== undefined || findNative('libsql', env) !== undefined
}

/** Opens a file, or `:memory:`. Throws `NativeMissing` if there is no library for it. */
export function openSqlite(path: string): SqliteFile {
  const Own = nodeSqlite()
  if (Own !== undefined) return fromNode(new Own(path))
  const Database = requireNative('libsql') as new (file: string) => LibsqlFile // by its own declarations
  return fromLibsql(new Database(path))
}

interface LibsqlFile {
  readonly inTransaction: boolean
  prepare(text: string): SqliteStatement
  exec(text: string): void
  close(): void
}

function fromLibsql(file: LibsqlFile): SqliteFile {
  return {
    get inTransaction() {
      return file.inTransaction
    },
    prepare(text) {
      const statement = file.prepare(text)
      return {
        reader: statement.reader,
        all: (values) => statement.all(checked(values)),
        run: (values) => statement.run(checked(values)),
        iterate: (values) => statement.iterate(checked(values)),
      }
    },
    exec: (text) => file.exec(text),
    close: () => file.close(),
  }
}

/** The library ends the whole process when it is given anything else. */
function checked(values: readonly unknown[]): SqliteValue[] {
  return values.map((value) => {
    const isFine = value === null || typeof value === 'string' || typeof value === 'number'
    if (!isFine) throw new TypeError(`a ${typeof value} cannot be stored`)
    return value
  })
}

/** The part of `node:sqlite` that is used; its types are not in those of Node 20. */
interface NodeFile {
  readonly isTransaction?: boolean
  prepare(text: string): {
    columns?(): readonly unknown[]
    all(...values: readonly SqliteValue[]): unknown[]
    run(...values: readonly SqliteValue[]): { changes: number; lastInsertRowid: number }
    iterate(...values: readonly SqliteValue[]): IterableIterator<unknown>
  }
  exec(text: string): void
  close(): void
}

let loaded: { readonly Own: (new (path: string) => NodeFile) | undefined } | undefined

/** Undefined where Node has none, or where it lacks what we need of it. */
function nodeSqlite(): (new (path: string) => NodeFile) | undefined {
  loaded ??= { Own: findNodeSqlite() }
  return loaded.Own
}

function findNodeSqlite(): (new (path: string) => NodeFile) | undefined {
  try {
    const { DatabaseSync } = createRequire(import.meta.url)('node:sqlite') as {
      DatabaseSync: new (path: string) => NodeFile
    } // by its documentation
    const file = new DatabaseSync(':memory:')
    file.exec("create virtual table words using fts5 (text, content = '', contentless_delete = 1)")
    const isWhole = file.isTransaction === false && file.prepare('select 1').columns !== undefined
    file.close()
    return isWhole ? DatabaseSync : undefined
  } catch {
    return undefined
  }
}

function fromNode(file: NodeFile): SqliteFile {
  return {
    get inTransaction() {
      return file.isTransaction === true
    },
    prepare(text) {
      const statement = file.prepare(text)
      return {
        reader: (statement.columns?.() ?? []).length > 0,
        all: (values) => statement.all(...checked(values)),
        run: (values) => statement.run(...checked(values)),
        iterate: (values) => statement.iterate(...checked(values)),
      }
    },
    exec: (text) => file.exec(text),
    close: () => file.close(),
  }
}

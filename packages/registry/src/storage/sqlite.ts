import {
  openSqlite as openFile,
  type SqliteFile,
  type SqliteValue,
} from '@parley/foundation/native'
import { BoundedMap } from '@parley/mcp/internal'
import {
  CompiledQuery,
  Kysely,
  sql,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
  type DatabaseConnection,
  type Driver,
  type SqliteDatabase,
  type SqliteDialectConfig,
  type SqliteStatement,
} from 'kysely'

import type { Flavour, Tables } from './tables.ts'

/** Statements that are kept compiled. */
const maxStatements = 200
/** How long a writer of another process is waited for. */
const busyMs = 5_000

/** Opens a file, or `:memory:`. What was committed is on disk: a power cut loses nothing that was acknowledged. */
export function openSqlite(path: string): Kysely<Tables> {
  const database = openFile(path)
  database.exec(`pragma busy_timeout = ${busyMs}`) // first: another process may be opening it too
  database.exec('pragma journal_mode = WAL')
  database.exec('pragma synchronous = FULL')
  database.exec('pragma foreign_keys = ON')
  return new Kysely<Tables>({ dialect: new WritingDialect({ database: keepStatements(database) }) })
}

/** All our transactions write. One that starts by reading could not become a writer while another process writes. */
class WritingDialect extends SqliteDialect {
  readonly #config: SqliteDialectConfig

  constructor(config: SqliteDialectConfig) {
    super(config)
    this.#config = config
  }

  override createDriver(): Driver {
    return new WritingDriver(this.#config)
  }

  override createAdapter(): SqliteAdapter {
    return new LockingAdapter()
  }
}

/** Tables are made in one transaction, so that of several processes which open a new file one makes them. */
class LockingAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

class WritingDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }

  /** A full disk ends the transaction by itself; what went wrong is told, and not that there is nothing left to end. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await super.rollbackTransaction(connection)
    } catch (error) {
      const isOver = error instanceof Error && error.message.includes('no transaction is active')
      if (!isOver) throw error
    }
  }
}

/** Compiling a statement costs more than running most of them. */
function keepStatements(database: SqliteFile): SqliteDatabase {
  const statements = new BoundedMap<string, SqliteStatement>(maxStatements)
  return {
    prepare(text) {
      const existing = statements.get(text)
      if (existing !== undefined) return existing
      const { reader, all, run, iterate } = database.prepare(text)
      const valuesOf = (values: readonly unknown[]) => values as readonly SqliteValue[] // checked there
      const statement: SqliteStatement = {
        reader,
        all: (values) => all(valuesOf(values)),
        run: (values) => run(valuesOf(values)),
        iterate: (values) => iterate(valuesOf(values)),
      }
      statements.set(text, statement)
      return statement
    },
    close: () => database.close(),
  }
}

/** Nearly the words that ranking compares, of versions that were listed before there was a table of them. */
const plain = (column: string) =>
  `' ' || lower(replace(replace(replace(${column}, '.', ' '), '/', ' '), '-', ' ')) || ' '`

/** One file, one writer at a time; substrings by FTS5. */
export const sqliteFlavour: Flavour = {
  kind: 'sqlite',
  steps: {
    '001-versions': [
      `create table server_versions (
        id integer primary key autoincrement,
        name text not null, version text not null,
        status text not null check (status in ('active', 'deprecated', 'deleted')), status_message text,
        status_changed_at text not null, published_at text not null, updated_at text not null,
        is_latest integer not null, sequence integer not null,
        haystack text not null, skeleton text not null, flags text, source text, upstream text,
        document text not null)`,
      'create unique index server_versions_key on server_versions (name, version)',
      'create unique index server_versions_latest on server_versions (name) where is_latest = 1',
      'create unique index server_versions_latest_key on server_versions (name, version) where is_latest = 1',
      'create index server_versions_updated on server_versions (updated_at)',
      'create unique index server_versions_sequence on server_versions (sequence)',
      'create index server_versions_skeleton on server_versions (skeleton) where is_latest = 1',
      'create table server_remotes (url text not null, name text not null, version text not null, primary key (url, name, version)) without rowid',
      'create index server_remotes_name on server_remotes (name, version)',
      'create table server_facets (id integer not null, facet text not null, value text not null, primary key (id, facet, value)) without rowid',
      'create index server_facets_value on server_facets (facet, value, id)',
      'create table registry_clock (id integer primary key check (id = 1), sequence integer not null, at text not null)',
      "insert into registry_clock values (1, 0, '')",
      'create table registry_settings (key text primary key, value text not null)',
      `create virtual table server_words using fts5 (name, title, description, more,
        content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3')`,
      `create virtual table server_substrings using fts5 (haystack,
        content = '', contentless_delete = 1, tokenize = 'trigram')`,
    ],
    '002-curation': [
      'alter table server_versions add column hidden integer not null default 0',
      'alter table server_versions add column hidden_reason text',
      'alter table server_versions add column overlay text',
      'alter table server_versions add column checks text',
      'create index server_versions_private on server_versions (id) where hidden = 2',
      'create index server_versions_flagged on server_versions (id) where flags is not null',
      `create table registry_rules (id integer primary key autoincrement, kind text not null, pattern text not null,
        value text, reason text not null, author text not null, at text not null)`,
      'create unique index registry_rules_key on registry_rules (kind, pattern)',
      `create table registry_notes (id integer primary key autoincrement, name text not null, text text not null,
        author text not null, at text not null)`,
      'create index registry_notes_name on registry_notes (name)',
      `create table server_snapshots (name text not null, version text not null, hash text not null,
        tools text not null, author text not null, at text not null, primary key (name, version))`,
      `create table server_listed (id integer primary key, name text not null, title text not null,
        description text not null, facets text not null)`,
      `insert into server_listed select v.id, ${plain('v.name')}, ${plain("coalesce(json_extract(v.document, '$.title'), '')")},
        ${plain("coalesce(json_extract(v.document, '$.description'), '')")},
        coalesce((select group_concat(facet || char(9) || value, char(10)) from server_facets f where f.id = v.id), '')
        from server_versions v where v.is_latest = 1 and v.status <> 'deleted'`,
    ],
    '003-reports': [
      `create table registry_reports (id integer primary key autoincrement, name text not null, version text not null,
        kind text not null, text text not null, author text not null, at text not null)`,
      'create index registry_reports_name on registry_reports (name)',
    ],
    '004-search': [
      'drop table server_words',
      'drop table server_listed',
      'create table server_listed (id integer primary key, facets text not null)',
      'create table server_terms (id integer not null, term text not null, score integer not null, primary key (id, term)) without rowid',
      'create index server_terms_best on server_terms (term, score, id)',
      'create table search_words (word text primary key, term text not null, in_names integer not null, is_joined integer not null, uses integer not null) without rowid',
      'create table search_spellings (spelling text not null, word text not null, primary key (spelling, word)) without rowid',
    ],
  },
  async lock() {
    // A transaction that writes is alone.
  },
  async addSubstrings(writing, id, haystack) {
    await sql`insert or replace into server_substrings (rowid, haystack) values (${id}, ${haystack})`.execute(
      writing,
    )
  },
  eachOf: (rows) => sql`json_each(${JSON.stringify(rows)})`,
  listIds: (ids) => sql`(select value from json_each(${JSON.stringify(ids)}))`,
}

import { createHash } from 'node:crypto'

import { Kysely, PostgresDialect, sql } from 'kysely'
import type * as Pg from 'pg'

import type { Flavour, Tables } from './tables.ts'

/** Connections of one process. */
const maxConnections = 10

/** Connects to a server; any number of processes may share one database. */
export async function openPostgres(connectionString: string): Promise<Kysely<Tables>> {
  const { Pool } = await loadPg()
  const pool = new Pool({
    connectionString,
    max: maxConnections,
    connectionTimeoutMillis: 10_000,
    options: '-c statement_timeout=30000 -c idle_in_transaction_session_timeout=30000',
  })
  const ignore = (): void => undefined
  pool.on('error', ignore) // a lost connection is told to who uses the next one
  pool.on('connect', (client) => void client.on('error', ignore)) // also between two statements of a transaction
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
}

async function loadPg(): Promise<typeof Pg> {
  try {
    return await import('pg')
  } catch (cause) {
    throw new Error('PostgreSQL needs the package pg: npm install pg', { cause })
  }
}

/** Text sorts by its bytes, as in SQLite, whatever the locale of the server. */
const text = 'text collate "C"'

/** Nearly the words that ranking compares, of versions that were listed before there was a table of them. */
const plain = (column: string) =>
  `' ' || lower(regexp_replace(${column}, '[^[:alnum:]]+', ' ', 'g')) || ' '`

/** Many writers; substrings by trigrams where the server has them. */
export const postgresFlavour: Flavour = {
  kind: 'postgres',
  steps: {
    '001-versions': [
      `create table server_versions (
        id bigint generated always as identity primary key,
        name ${text} not null, version ${text} not null,
        status text not null check (status in ('active', 'deprecated', 'deleted')), status_message text,
        status_changed_at ${text} not null, published_at ${text} not null, updated_at ${text} not null,
        is_latest smallint not null, sequence bigint not null,
        haystack text not null, skeleton ${text} not null, flags text, source text, upstream text,
        document text not null)`,
      'create unique index server_versions_key on server_versions (name, version)',
      'create unique index server_versions_latest on server_versions (name) where is_latest = 1',
      'create unique index server_versions_latest_key on server_versions (name, version) where is_latest = 1',
      'create index server_versions_updated on server_versions (updated_at)',
      'create unique index server_versions_sequence on server_versions (sequence)',
      'create index server_versions_skeleton on server_versions (skeleton) where is_latest = 1',
      'create table server_remotes (url text not null, name text not null, version text not null, primary key (url, name, version))',
      'create index server_remotes_name on server_remotes (name, version)',
      'create table server_facets (id bigint not null, facet text not null, value text not null, primary key (id, facet, value))',
      'create index server_facets_value on server_facets (facet, value, id)',
      `create table registry_clock (id integer primary key check (id = 1), sequence bigint not null, at ${text} not null)`,
      "insert into registry_clock values (1, 0, '')",
      'create table registry_settings (key text primary key, value text not null)',
      'create table server_words (id bigint primary key, words tsvector not null)',
      'create index server_words_index on server_words using gin (words)',
      // An extension that not every server has, or lets us make; substrings are then found by reading all rows.
      `do $$ begin
        create extension if not exists pg_trgm;
        create index server_versions_haystack on server_versions using gin (haystack gin_trgm_ops);
      exception when others then null; end $$`,
    ],
    '002-curation': [
      'alter table server_versions add column hidden smallint not null default 0',
      'alter table server_versions add column hidden_reason text',
      'alter table server_versions add column overlay text',
      'alter table server_versions add column checks text',
      'create index server_versions_private on server_versions (id) where hidden = 2',
      'create index server_versions_flagged on server_versions (id) where flags is not null',
      `create table registry_rules (id bigint generated always as identity primary key, kind text not null, pattern ${text} not null,
        value text, reason text not null, author text not null, at text not null)`,
      'create unique index registry_rules_key on registry_rules (kind, pattern)',
      `create table registry_notes (id bigint generated always as identity primary key, name ${text} not null, text text not null,
        author text not null, at text not null)`,
      'create index registry_notes_name on registry_notes (name)',
      `create table server_snapshots (name ${text} not null, version ${text} not null, hash text not null,
        tools text not null, author text not null, at text not null, primary key (name, version))`,
      `create table server_listed (id bigint primary key, name text not null, title text not null,
        description text not null, facets text not null)`,
      `insert into server_listed select v.id, ${plain('v.name')}, ${plain("coalesce(v.document::json ->> 'title', '')")},
        ${plain("coalesce(v.document::json ->> 'description', '')")},
        coalesce((select string_agg(facet || chr(9) || value, chr(10)) from server_facets f where f.id = v.id), '')
        from server_versions v where v.is_latest = 1 and v.status <> 'deleted'`,
    ],
    '003-reports': [
      `create table registry_reports (id bigint generated always as identity primary key, name ${text} not null,
        version ${text} not null, kind text not null, text text not null, author text not null, at text not null)`,
      'create index registry_reports_name on registry_reports (name)',
    ],
    '004-search': [
      'drop table server_words',
      'drop table server_listed',
      'create table server_listed (id bigint primary key, facets text not null)',
      `create table server_terms (id bigint not null, term ${text} not null, score integer not null, primary key (id, term))`,
      'create index server_terms_best on server_terms (term, score, id)',
      `create table search_words (word ${text} primary key, term ${text} not null, in_names integer not null, is_joined integer not null, uses bigint not null)`,
      `create table search_spellings (spelling ${text} not null, word ${text} not null, primary key (spelling, word))`,
    ],
  },
  async lock(writing, keys) {
    // All in one order, so that no two writers wait for each other.
    const numbers = [...new Set(keys.map(lockNumber))].toSorted((a, b) => (a < b ? -1 : 1))
    for (const number of numbers) {
      await sql`select pg_advisory_xact_lock(${String(number)}::bigint)`.execute(writing)
    }
  },
  async addSubstrings() {
    // Indexed by the table itself.
  },
  eachOf: (rows) => sql`jsonb_array_elements(${JSON.stringify(rows)}::jsonb) as each_row(value)`,
  // Written out: there is a limit for parameters, and these are our own numbers.
  listIds: (ids) => sql.raw(`(${ids.map((id) => Math.trunc(id)).join(',')})`),
}

function lockNumber(key: string): bigint {
  return createHash('sha256').update(`parley-registry:${key}`).digest().readBigInt64BE()
}

import type { ColumnType, Kysely, RawBuilder, Transaction } from 'kysely'

import type { ReportKind } from '../curation/reports.ts'
import type { RuleKind } from '../curation/rules.ts'
import type { ServerStatus } from '../document/server-document.ts'

/** PostgreSQL answers with text for large numbers: read them by `Number`. */
type Whole = ColumnType<number | string, number, number>
type Id = ColumnType<number | string, never, never>

/** The tables that both databases have. */
export interface Tables {
  server_versions: VersionTable
  /** Remote URLs of versions that are not deleted: one belongs to one name. */
  server_remotes: { readonly url: string; readonly name: string; readonly version: string }
  /** What listed versions, the latest of each name, are filtered by. */
  server_facets: { readonly id: Whole; readonly facet: string; readonly value: string }
  /** The facets of listed versions in one text, for counting. */
  server_listed: { readonly id: Whole; readonly facets: string }
  registry_clock: { readonly id: number; readonly sequence: Whole; readonly at: string }
  registry_settings: { readonly key: string; readonly value: string }
  registry_rules: RuleTable
  registry_notes: NoteTable
  registry_reports: ReportTable
  server_snapshots: SnapshotTable
}

/** What operators decided about names. */
interface RuleTable {
  id: Id
  kind: RuleKind
  /** A name, `name@version`, a beginning followed by `*`, or a namespace. */
  pattern: string
  /** The version of a pin, the JSON of an overlay. */
  value: string | null
  reason: string
  author: string
  at: string
}

/** What moderators tell each other. */
interface NoteTable {
  id: Id
  name: string
  text: string
  author: string
  at: string
}

/** What people say is wrong with a server. */
interface ReportTable extends NoteTable {
  version: string
  kind: ReportKind
}

/** Tools of a version, as somebody saw them who started it. */
interface SnapshotTable {
  name: string
  version: string
  hash: string
  /** JSON. */
  tools: string
  author: string
  at: string
}

/** One row is one version. */
interface VersionTable {
  id: Id
  name: string
  version: string
  status: ServerStatus
  status_message: string | null
  /** Times are ISO 8601 in UTC with milliseconds: text order is time order. */
  status_changed_at: string
  published_at: string
  updated_at: string
  /** 1 or 0: the SQLite library cannot bind booleans. */
  is_latest: Whole
  /** Grows with every change of any row, in the order of commits. */
  sequence: Whole
  /** Name and description in lower case, for substrings. */
  haystack: string
  /** The name as it looks, to find others that look the same. */
  skeleton: string
  /** What was noticed at publication, a JSON array of texts. */
  flags: string | null
  /** The registry it was mirrored from; null if it was published here. */
  source: string | null
  /** `_meta` as the source had it, JSON. */
  upstream: string | null
  /** The `server.json`, as JSON text. */
  document: string
  /** By rule: 0 shown, 1 hidden, 2 private. */
  hidden: ColumnType<number | string, number | undefined, number>
  /** Why it is hidden. */
  hidden_reason: ColumnType<string | null, string | null | undefined, string | null>
  /** More for its `_meta`, JSON. */
  overlay: ColumnType<string | null, string | null | undefined, string | null>
  /** What was checked at publication, JSON. */
  checks: ColumnType<string | null, string | null | undefined, string | null>
}

/** The tables, inside a transaction or not. */
export type Queries = Kysely<Tables>
export type Writing = Transaction<Tables>

/** What the two databases do differently. */
export interface Flavour {
  readonly kind: 'sqlite' | 'postgres'
  /** Statements that make the tables, by the step that has them; steps run in the order of their names, each once. */
  readonly steps: { readonly [step: string]: readonly string[] }
  /** Held until the transaction ends; writers of the same key wait. */
  lock(writing: Writing, keys: readonly string[]): Promise<void>
  /** Makes a version findable by substrings of name and description. */
  addSubstrings(writing: Writing, id: number, haystack: string): Promise<void>
  /** A table with a column `value` that has one array per row: one statement and one parameter for any number of rows. */
  eachOf(rows: readonly (readonly (string | number)[])[]): RawBuilder<unknown>
  /** For `id in …`; never empty. One text for any number, where statements are kept compiled. */
  listIds(ids: readonly number[]): RawBuilder<unknown>
}

/** An open database whose tables are up to date. */
export interface RegistryDatabase extends AsyncDisposable {
  readonly queries: Queries
  readonly flavour: Flavour
}

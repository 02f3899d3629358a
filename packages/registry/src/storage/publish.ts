import { sql } from 'kysely'

import type { Rules } from '../curation/rules.ts'
import { loadRules } from '../curation/stored-rules.ts'
import { differsByOneEdit, skeletonOf } from '../document/look-alike.ts'
import { haystackOf, remoteUrls } from '../document/read-document.ts'
import type { ServerDocument } from '../document/server-document.ts'
import { compareVersions } from '../versions/compare-versions.ts'
import { tick } from './clock.ts'
import { entryColumns, isListed, readEntry, type StoredEntry } from './entry.ts'
import { findRemoteInUse, lockKeys, takeRemotes, type RemoteInUse } from './remote-urls.ts'
import { addToIndex, removeFromIndex } from './search-index.ts'
import type { RegistryDatabase, Writing } from './tables.ts'
import { write } from './write.ts'

/** What became of one document. */
export type PublishOutcome =
  | { readonly kind: 'published'; readonly entry: StoredEntry }
  | { readonly kind: 'duplicate' }
  | { readonly kind: 'too-many-versions'; readonly most: number }
  | { readonly kind: 'blocked'; readonly why: string }
  | { readonly kind: 'looks-alike'; readonly other: string }
  | RemoteInUse

/** Versions of one name. */
const maxVersions = 10_000
/** Names that begin alike and are compared with a new one. */
const maxCompared = 200
/** Names that a flag names. */
const maxNamed = 5

/**
 * Publishes validated documents in one transaction: once this returns, what it says is on disk. A document that is
 * refused leaves the others alone.
 */
export async function publishDocuments(
  database: RegistryDatabase,
  documents: readonly ServerDocument[],
  now: () => number,
  options: PublishOptions = {},
): Promise<readonly PublishOutcome[]> {
  return write(database, async (writing) => {
    const keys = documents.flatMap((document) => lockKeys(document.name, remoteUrls(document)))
    await database.flavour.lock(writing, keys)
    const rules = await loadRules(writing)
    const outcomes: PublishOutcome[] = []
    for (const document of documents) {
      outcomes.push(await publish(database, writing, { document, rules, ...options }, now))
    }
    return outcomes
  })
}

/** How a publication differs from an import. */
export interface PublishOptions {
  /** What was checked before, JSON. */
  readonly checks?: string | undefined
  /** Refuses a new name that looks like one of another publisher, instead of flagging it. */
  readonly rejectsLookAlikes?: boolean | undefined
}

/** One document inside a transaction of somebody else, who holds its locks. */
export async function publishWithin(
  database: RegistryDatabase,
  writing: Writing,
  document: ServerDocument,
  now: () => number,
  options: PublishOptions = {},
): Promise<PublishOutcome> {
  const rules = await loadRules(writing)
  return publish(database, writing, { document, rules, ...options }, now)
}

/** One document to publish. */
interface Publication extends PublishOptions {
  readonly document: ServerDocument
  readonly rules: Rules
}

async function publish(
  { flavour }: RegistryDatabase,
  writing: Writing,
  { document, checks, rules, rejectsLookAlikes = false }: Publication,
  now: () => number,
): Promise<PublishOutcome> {
  const { name, version } = document
  const blocked = rules.findBlock(name)
  if (blocked !== undefined) return { kind: 'blocked', why: blocked }
  const urls = remoteUrls(document)
  const inUse = await findRemoteInUse(writing, name, urls)
  if (inUse !== undefined) return inUse
  const { count, existing, latest } = await readName(writing, name, version)
  if (existing) return { kind: 'duplicate' }
  if (count >= maxVersions) return { kind: 'too-many-versions', most: maxVersions }
  const alike = latest === undefined ? await findLookAlikes(writing, name) : []
  const stolen = alike.find((other) => publisherOf(other) !== publisherOf(name))
  if (rejectsLookAlikes && stolen !== undefined) return { kind: 'looks-alike', other: stolen }
  // A name that was flagged once stays flagged: another version makes it no better.
  const flags = latest?.flags ?? flagsOf(alike)

  const { first, at } = await tick(writing, 2, now())
  const ruleOutcome = rules.classify(name, version)
  const { hidden } = ruleOutcome
  const candidate = { version, publishedAt: at, id: Infinity }
  const pin = rules.pinOf(name)
  const isHigher = (than: NonNullable<typeof latest>) =>
    pin === version || (pin !== than.version && compareVersions(candidate, than) > 0)
  const isLatest = latest === undefined || (hidden !== 1 && (!latest.isListed || isHigher(latest)))
  if (isLatest && latest !== undefined) {
    await writing
      .updateTable('server_versions')
      .set({ is_latest: 0, updated_at: at, sequence: first })
      .where('id', '=', latest.id)
      .execute()
    await removeFromIndex(writing, latest.id)
  }
  const haystack = haystackOf(document)
  const row = await writing
    .insertInto('server_versions')
    .values({
      name,
      version,
      status: 'active',
      status_message: null,
      status_changed_at: at,
      published_at: at,
      updated_at: at,
      is_latest: isLatest ? 1 : 0,
      sequence: first + 1,
      haystack,
      skeleton: skeletonOf(name),
      flags,
      source: null,
      upstream: null,
      document: JSON.stringify(document),
      hidden,
      hidden_reason: hidden === 1 ? (ruleOutcome.reason ?? null) : null,
      overlay: ruleOutcome.overlay ?? null,
      checks: checks ?? null,
    })
    .returning(entryColumns)
    .executeTakeFirstOrThrow()
  const entry = readEntry(row)
  await takeRemotes(writing, document, urls)
  await flavour.addSubstrings(writing, entry.id, haystack)
  if (isLatest && hidden !== 1) await addToIndex(writing, flavour, entry.id, document)
  return { kind: 'published', entry }
}

async function readName(writing: Writing, name: string, version: string) {
  const { count } = await writing
    .selectFrom('server_versions')
    .select((build) => build.fn.countAll().as('count'))
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  if (Number(count) === 0) return { count: 0, existing: false, latest: undefined }
  const rows = await writing
    .selectFrom('server_versions')
    .select(['id', 'version', 'published_at', 'is_latest', 'status', 'hidden', 'flags'])
    .where('name', '=', name)
    .where((build) => build.or([build('version', '=', version), sql<boolean>`is_latest = 1`]))
    .execute()
  const latest = rows.find(({ is_latest: flag }) => Number(flag) === 1)
  return {
    count: Number(count),
    existing: rows.some((row) => row.version === version),
    // When no version is listed the highest keeps the flag, but gives way to any that is.
    latest:
      latest === undefined
        ? undefined
        : {
            id: Number(latest.id),
            version: latest.version,
            publishedAt: latest.published_at,
            flags: latest.flags,
            isListed: isListed({ status: latest.status, hidden: Number(latest.hidden) }),
          },
  }
}

/** Other names that look the same, or are a typo of this one. */
async function findLookAlikes(writing: Writing, name: string): Promise<readonly string[]> {
  const same = await findSameLooks(writing, name)
  const skeleton = skeletonOf(name)
  const start = skeleton.slice(0, Math.ceil(skeleton.length / 2))
  const rows = await writing
    .selectFrom('server_versions')
    .select(['name', 'skeleton'])
    .where('skeleton', '>=', start)
    .where('skeleton', '<', `${start}\u{10ffff}`)
    .where(sql<boolean>`is_latest = 1`)
    .where('name', '<>', name)
    .limit(maxCompared)
    .execute()
  const typos = rows.filter((row) => isTypo(row, { name, skeleton })).map((row) => row.name)
  return [...same, ...typos].slice(0, maxNamed)
}

/** What is noticed about a name that looks like these, and about its document, as it is stored. */
export function flagsOf(alike: readonly string[], problems: readonly string[] = []): string | null {
  const flags = [...alike.map((other) => `${looksLike}${other}`), ...problems]
  return flags.length === 0 ? null : JSON.stringify(flags)
}

/** The names that flags say it looks like. */
export function looksIn(flags: string | undefined): readonly string[] {
  const all = JSON.parse(flags ?? '[]') as readonly string[] // as it was stored
  return all.flatMap((flag) => (flag.startsWith(looksLike) ? [flag.slice(looksLike.length)] : []))
}

const looksLike = 'looks like '

function publisherOf(name: string): string {
  return name.slice(0, name.indexOf('/'))
}

/** Other names that are easily taken for this one, however many names there are. */
export async function findSameLooks(writing: Writing, name: string): Promise<readonly string[]> {
  const rows = await writing
    .selectFrom('server_versions')
    .select('name')
    .where('skeleton', '=', skeletonOf(name))
    .where(sql<boolean>`is_latest = 1`)
    .where('name', '<>', name)
    .limit(maxNamed)
    .execute()
  return rows.map((row) => row.name)
}

/** One letter off in the namespace, with the same name behind it: two servers of one publisher may differ that little. */
function isTypo(a: NameAndLook, b: NameAndLook): boolean {
  const lastOf = ({ name }: NameAndLook) => name.slice(name.indexOf('/'))
  return lastOf(a) === lastOf(b) && differsByOneEdit(a.skeleton, b.skeleton)
}

interface NameAndLook {
  readonly name: string
  readonly skeleton: string
}

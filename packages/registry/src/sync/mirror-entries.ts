import type { Rules } from '../curation/rules.ts'
import { loadRules } from '../curation/stored-rules.ts'
import { skeletonOf } from '../document/look-alike.ts'
import { haystackOf, remoteUrls } from '../document/read-document.ts'
import type { OfficialMetadata, ServerDocument } from '../document/server-document.ts'
import { findInstallProblems } from '../install/judge-entry.ts'
import { covers } from '../publishers/permissions.ts'
import { tick } from '../storage/clock.ts'
import { entryColumns, readEntry, type StoredEntry } from '../storage/entry.ts'
import { findVersions } from '../storage/find-entries.ts'
import { moveLatest } from '../storage/latest.ts'
import { findSameLooks, flagsOf, looksIn } from '../storage/publish.ts'
import { freeRemotes, lockKeys, takeRemotes } from '../storage/remote-urls.ts'
import { removeFromIndex } from '../storage/search-index.ts'
import type { RegistryDatabase, Writing } from '../storage/tables.ts'
import { write } from '../storage/write.ts'
import { sharesNamespace, type SyncSource } from './options.ts'

/** A version as its source has it. */
export interface MirroredEntry {
  readonly document: ServerDocument
  readonly official: OfficialMetadata
  /** `_meta` of the answer, all of it. */
  readonly meta: object
}

/** Where versions come from, and which names are not for others to add to. */
export interface Mirroring {
  readonly source: Pick<SyncSource, 'id' | 'allow'>
  /** Names, or beginnings followed by `*`, that publishers of this registry may use. */
  readonly local: readonly string[]
}

/**
 * What became of them. A name that was published here, or came from another source first, is not taken over; neither is a new name in
 * a namespace of this registry, which its users would take for one of their own.
 */
export interface MirrorOutcome {
  readonly changed: number
  /** Why names were left alone. */
  readonly conflicts: readonly string[]
}

/** Takes over versions of one source, in one transaction. Those that are here already and equal are left alone. */
export async function mirrorEntries(
  database: RegistryDatabase,
  { source, local }: Mirroring,
  entries: readonly MirroredEntry[],
  now: () => number,
): Promise<MirrorOutcome> {
  const byName = new Map<string, MirroredEntry[]>()
  for (const entry of entries) {
    const { name } = entry.document
    byName.set(name, [...(byName.get(name) ?? []), entry])
  }
  return write(database, async (writing) => {
    const keys = entries.flatMap(({ document }) => lockKeys(document.name, remoteUrls(document)))
    await database.flavour.lock(writing, keys)
    const rules = await loadRules(writing)
    let changed = 0
    const conflicts: string[] = []
    for (const [name, versions] of byName) {
      const before = await findVersions(writing, name, true)
      if (before.some((entry) => entry.source !== source.id)) {
        conflicts.push(`${name} is published here, or by another source`)
      } else if (before.length === 0 && (await isForeign(writing, name, { source, local }))) {
        const namespace = name.slice(0, name.indexOf('/') + 1)
        conflicts.push(`${name} is in a namespace of this registry: allow ${namespace}* to take it`)
      } else {
        const change = { source: source.id, before, versions, rules, now }
        changed += await mirrorName(database, writing, change)
      }
    }
    return { changed, conflicts }
  })
}

/** A name that a source adds to a namespace in which somebody publishes here, or may. */
async function isForeign(
  writing: Writing,
  name: string,
  { source, local }: Mirroring,
): Promise<boolean> {
  if (sharesNamespace(source, name)) return false
  const namespace = name.slice(0, name.indexOf('/'))
  if (local.some((resource) => covers({ action: 'publish', resource }, namespace))) return true
  const own = await writing
    .selectFrom('server_versions')
    .select('id')
    .where('name', '>=', `${namespace}/`)
    .where('name', '<', `${namespace}0`) // the character after the slash
    .where('source', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return own !== undefined
}

interface NameChange {
  readonly source: string
  readonly before: readonly StoredEntry[]
  readonly versions: readonly MirroredEntry[]
  readonly rules: Rules
  readonly now: () => number
}

async function mirrorName(
  { flavour }: RegistryDatabase,
  writing: Writing,
  { source, before, versions, rules, now }: NameChange,
): Promise<number> {
  const byVersion = new Map(before.map((entry) => [entry.version, entry]))
  const rows = new Map(versions.map((version) => [version.document.version, version])) // a version that is listed twice counts once
  const changing = [...rows.values()].filter((row) => {
    const entry = byVersion.get(row.document.version)
    return entry === undefined || !isEqual(entry, row)
  })
  if (changing.length === 0) return 0
  const { first, at } = await tick(writing, changing.length + 2, now())
  // A name that was flagged once stays flagged: another version makes it no better.
  const looks =
    before.length === 0
      ? await findSameLooks(writing, changing[0]?.document.name ?? '')
      : [...new Set(before.flatMap((entry) => looksIn(entry.flags)))]
  let sequence = first
  for (const item of changing) {
    const entry = byVersion.get(item.document.version)
    const flags = flagsOf(looks, adviseAgainst(item.document))
    const stored = await store(writing, item, { source, entry, flags, rules, at, sequence })
    sequence += 1
    byVersion.set(stored.version, stored)
    if (entry?.isLatest) await removeFromIndex(writing, entry.id)
    await flavour.addSubstrings(writing, stored.id, haystackOf(item.document))
    await freeRemotes(writing, stored)
    if (stored.status !== 'deleted') await takeRemotes(writing, stored, remoteUrls(item.document))
  }
  const move = {
    entries: [...byVersion.values()],
    pin: rules.pinOf(versions[0]?.document.name ?? ''),
    at,
    nextSequence: () => sequence++,
  }
  await moveLatest(writing, flavour, move)
  return changing.length
}

async function store(
  writing: Writing,
  { document, official, meta }: MirroredEntry,
  target: {
    readonly source: string
    readonly entry: StoredEntry | undefined
    /** What was noticed about the name and the document, as it is stored. */
    readonly flags: string | null
    readonly rules: Rules
    readonly at: string
    readonly sequence: number
  },
): Promise<StoredEntry> {
  const { source, entry, flags, rules, at, sequence } = target
  const { hidden, reason, overlay } = rules.classify(document.name, document.version)
  const values = {
    status: official.status,
    status_message: official.statusMessage ?? null,
    status_changed_at: official.statusChangedAt,
    published_at: official.publishedAt,
    // When it changed here: who mirrors this registry asks for that.
    updated_at: at,
    sequence,
    haystack: haystackOf(document),
    skeleton: skeletonOf(document.name),
    source,
    flags,
    upstream: JSON.stringify(meta),
    document: JSON.stringify(document),
    hidden,
    hidden_reason: hidden === 1 ? (reason ?? null) : null,
    overlay: overlay ?? null,
  }
  const row =
    entry === undefined
      ? await writing
          .insertInto('server_versions')
          .values({
            ...values,
            name: document.name,
            version: document.version,
            is_latest: 0,
          })
          .returning(entryColumns)
          .executeTakeFirstOrThrow()
      : await writing
          .updateTable('server_versions')
          .set(values)
          .where('id', '=', entry.id)
          .returning(entryColumns)
          .executeTakeFirstOrThrow()
  return readEntry(row)
}

/** Why `parley add` would refuse some of it. Bundles, which it does not know yet, are no fault of theirs. */
function adviseAgainst(document: ServerDocument): readonly string[] {
  const { packages = [] } = document
  return findInstallProblems(document)
    .filter(({ path }) => {
      const [, index] = /^packages\[(\d+)\]/.exec(path) ?? []
      return index === undefined || packages[Number(index)]?.registryType !== 'mcpb'
    })
    .slice(0, maxProblems)
    .map(({ path, reason }) => `\`parley add\` refuses it: ${path} ${reason}`.slice(0, 300))
}

const maxProblems = 3

/** Whether nothing would change but the time of looking. */
function isEqual(entry: StoredEntry, { document, official, meta }: MirroredEntry): boolean {
  return (
    entry.document === JSON.stringify(document) &&
    entry.status === official.status &&
    entry.statusMessage === official.statusMessage &&
    entry.upstream === JSON.stringify(meta)
  )
}

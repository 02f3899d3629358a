import { readDocument } from '../document/read-document.ts'
import { highestVersion } from '../versions/compare-versions.ts'
import { isListed, type StoredEntry } from './entry.ts'
import { addToIndex, removeFromIndex } from './search-index.ts'
import type { Flavour, Writing } from './tables.ts'

/** Which of all versions of a name is the latest: the pinned or the highest that is listed, or of all if none is. */
export function latestOf(
  entries: readonly StoredEntry[],
  pin: string | undefined,
): StoredEntry | undefined {
  const listed = entries.filter(isListed)
  const pinned = listed.find(({ version }) => version === pin)
  return pinned ?? highestVersion(listed.length > 0 ? listed : entries)
}

/** The version that an operator has made the latest of a name. */
export async function readPin(writing: Writing, name: string): Promise<string | undefined> {
  const row = await writing
    .selectFrom('registry_rules')
    .select('value')
    .where('kind', '=', 'pin')
    .where('pattern', '=', name)
    .executeTakeFirst()
  return row?.value ?? undefined
}

/** All versions of a name, and what is needed to number changes of them. */
interface LatestMove {
  readonly entries: readonly StoredEntry[]
  readonly pin: string | undefined
  /** When it happens: a row that loses or gets the flag has changed. */
  readonly at: string
  readonly nextSequence: () => number
}

/**
 * Moves the flag to where it belongs now and lists the version it is on. Cleared and set by two statements, because the
 * index that allows one per name looks at every row by itself.
 */
export async function moveLatest(
  writing: Writing,
  flavour: Flavour,
  { entries, pin, at, nextSequence }: LatestMove,
): Promise<readonly StoredEntry[]> {
  const before = entries.find(({ isLatest }) => isLatest)
  const latest = latestOf(entries, pin)
  const isMoved = before?.id !== latest?.id
  if (before !== undefined) await removeFromIndex(writing, before.id)
  const moved: StoredEntry[] = []
  async function setFlag(entry: StoredEntry, isLatest: boolean): Promise<void> {
    const sequence = nextSequence()
    moved.push({ ...entry, isLatest, updatedAt: at, sequence })
    await writing
      .updateTable('server_versions')
      .set({ is_latest: isLatest ? 1 : 0, updated_at: at, sequence })
      .where('id', '=', entry.id)
      .execute()
  }
  if (isMoved && before !== undefined) await setFlag(before, false)
  if (isMoved && latest !== undefined) await setFlag(latest, true)
  if (latest !== undefined && isListed(latest)) {
    await addToIndex(writing, flavour, latest.id, readDocument(latest.document))
  }
  return entries.map((entry) => moved.find(({ id }) => id === entry.id) ?? entry)
}

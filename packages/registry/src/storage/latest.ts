import { readDocument } from '../document/read-document.ts'
import { highestVersion } from '../versions/compare-versions.ts'
import type { StoredEntry } from './entry.ts'
import { addToIndex, removeFromIndex } from './search-index.ts'
import type { Flavour, Writing } from './tables.ts'

/** Which of all versions of a name is the latest: the highest that is not deleted, or of all if all are. */
export function latestOf(entries: readonly StoredEntry[]): StoredEntry | undefined {
  const kept = entries.filter(({ status }) => status !== 'deleted')
  return highestVersion(kept.length > 0 ? kept : entries)
}

/**
 * Moves the flag to where it belongs now and lists the version it is on. Cleared and set by two statements, because the
 * index that allows one per name looks at every row by itself.
 */
export async function moveLatest(
  writing: Writing,
  flavour: Flavour,
  entries: readonly StoredEntry[],
  nextSequence: () => number,
): Promise<readonly StoredEntry[]> {
  const before = entries.find(({ isLatest }) => isLatest)
  const latest = latestOf(entries)
  const isMoved = before?.id !== latest?.id
  if (before !== undefined) await removeFromIndex(writing, flavour, before.id)
  const moved: StoredEntry[] = []
  async function setFlag(entry: StoredEntry, isLatest: boolean): Promise<void> {
    const sequence = nextSequence()
    moved.push({ ...entry, isLatest, sequence })
    await writing
      .updateTable('server_versions')
      .set({ is_latest: isLatest ? 1 : 0, sequence })
      .where('id', '=', entry.id)
      .execute()
  }
  if (isMoved && before !== undefined) await setFlag(before, false)
  if (isMoved && latest !== undefined) await setFlag(latest, true)
  if (latest !== undefined && latest.status !== 'deleted') {
    await addToIndex(writing, flavour, latest.id, readDocument(latest.document))
  }
  return entries.map((entry) => moved.find(({ id }) => id === entry.id) ?? entry)
}

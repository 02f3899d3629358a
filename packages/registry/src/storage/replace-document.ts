import { haystackOf, remoteUrls } from '../document/read-document.ts'
import type { ServerDocument } from '../document/server-document.ts'
import { tick } from './clock.ts'
import { isListed, type StoredEntry } from './entry.ts'
import { findVersion } from './find-entries.ts'
import {
  findRemoteInUse,
  freeRemotes,
  lockKeys,
  takeRemotes,
  type RemoteInUse,
} from './remote-urls.ts'
import { addToIndex, removeFromIndex } from './search-index.ts'
import type { RegistryDatabase } from './tables.ts'
import { write } from './write.ts'

/** What became of it. */
export type ReplaceOutcome =
  | { readonly kind: 'replaced'; readonly entry: StoredEntry }
  | { readonly kind: 'not-found' }
  | RemoteInUse

/** Overwrites the document of a version that exists; what the registry says of it stays. */
export async function replaceDocument(
  database: RegistryDatabase,
  document: ServerDocument,
  now: () => number,
): Promise<ReplaceOutcome> {
  const { flavour } = database
  const { name, version } = document
  const urls = remoteUrls(document)
  return write(database, async (writing) => {
    await flavour.lock(writing, lockKeys(name, urls))
    const entry = await findVersion(writing, name, version, true)
    if (entry === undefined) return { kind: 'not-found' }
    const isDeleted = entry.status === 'deleted'
    const inUse = isDeleted ? undefined : await findRemoteInUse(writing, name, urls)
    if (inUse !== undefined) return inUse
    const { first: sequence, at: updatedAt } = await tick(writing, 1, now())
    const text = JSON.stringify(document)
    const haystack = haystackOf(document)
    await writing
      .updateTable('server_versions')
      .set({ document: text, haystack, updated_at: updatedAt, sequence })
      .where('id', '=', entry.id)
      .execute()
    await flavour.addSubstrings(writing, entry.id, haystack)
    await freeRemotes(writing, document)
    if (!isDeleted) await takeRemotes(writing, document, urls)
    if (entry.isLatest && isListed(entry)) {
      await removeFromIndex(writing, entry.id)
      await addToIndex(writing, flavour, entry.id, document)
    }
    return { kind: 'replaced', entry: { ...entry, document: text, updatedAt, sequence } }
  })
}

import type { PublisherKey } from '../client/publisher-key.ts'
import {
  documentHash,
  signIndex,
  type IndexEntry,
  type SignedIndex,
} from '../client/signed-index.ts'
import { readDocument } from '../document/read-document.ts'
import { isListed } from '../storage/entry.ts'
import { letOthersIn } from '../storage/let-others-in.ts'
import { listEntries, type Position } from '../storage/list-entries.ts'
import { readSequence } from '../storage/read-changes.ts'
import type { RegistryDatabase } from '../storage/tables.ts'

const pageSize = 100

/** Everything that strangers may read, deleted versions included, signed. */
export async function createIndex(
  database: RegistryDatabase,
  key: PublisherKey,
  now: () => number,
): Promise<SignedIndex> {
  // Read first: what changes meanwhile may be in the index already, never the other way round.
  const sequence = await readSequence(database.queries)
  const entries: IndexEntry[] = []
  let after: Position | undefined
  for (;;) {
    const page = await listEntries(database, { after, limit: pageSize, includeDeleted: true })
    for (const entry of page.entries) {
      const status = isListed(entry) ? entry.status : 'deleted'
      const hash = documentHash(readDocument(entry.document))
      entries.push([entry.name, entry.version, status, hash])
    }
    after = page.entries.at(-1)
    if (!page.hasMore) break
    await letOthersIn(database)
  }
  return signIndex(entries, { at: new Date(now()).toISOString(), sequence }, key)
}

/** Made once for each state of the registry; whoever asks meanwhile waits for the same one. */
export function createIndexCache(
  database: RegistryDatabase,
  key: PublisherKey,
  now: () => number,
): () => Promise<string> {
  let cached: { readonly sequence: number; readonly json: Promise<string> } | undefined
  return async () => {
    const sequence = await readSequence(database.queries)
    if (cached === undefined || cached.sequence !== sequence) {
      const json = createIndex(database, key, now).then((index) => JSON.stringify(index))
      cached = { sequence, json }
      json.catch(() => (cached = undefined))
    }
    return cached.json
  }
}

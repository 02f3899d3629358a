import { remoteUrls } from '../document/read-document.ts'
import type { ServerDocument } from '../document/server-document.ts'
import { tick } from './clock.ts'
import type { StoredEntry } from './entry.ts'
import { findVersions } from './find-entries.ts'
import { moveLatest, readPin } from './latest.ts'
import { publishWithin, type PublishOptions, type PublishOutcome } from './publish.ts'
import { freeRemotes, lockKeys } from './remote-urls.ts'
import type { RegistryDatabase } from './tables.ts'
import { write } from './write.ts'

/** What became of it. */
export type RenameOutcome =
  | { readonly kind: 'renamed'; readonly entry: StoredEntry }
  | { readonly kind: 'not-found' }
  | Exclude<PublishOutcome, { readonly kind: 'published' }>

/**
 * Publishes a document under its new name and deletes all versions of the old one, with a message that names the new one.
 * In one transaction: remote URLs change hands, and nobody else can take them in between.
 */
export async function renameServer(
  database: RegistryDatabase,
  from: string,
  document: ServerDocument,
  now: () => number,
  options: PublishOptions = {},
): Promise<RenameOutcome> {
  const urls = remoteUrls(document)
  let rejection: RenameOutcome | undefined
  try {
    return await write(database, async (writing) => {
      await database.flavour.lock(writing, [
        ...lockKeys(from, urls),
        ...lockKeys(document.name, urls),
      ])
      const entries = await findVersions(writing, from, true)
      const moving = entries.filter(({ status }) => status !== 'deleted')
      if (moving.length === 0) return { kind: 'not-found' }
      const { first, at } = await tick(writing, moving.length + 2, now())
      let sequence = first
      const message = `moved to ${document.name}`
      for (const entry of moving) {
        await freeRemotes(writing, entry)
        await writing
          .updateTable('server_versions')
          .set({
            status: 'deleted',
            status_message: message,
            status_changed_at: at,
            updated_at: at,
            sequence,
          })
          .where('id', '=', entry.id)
          .execute()
        sequence += 1
      }
      const deleted = entries.map((entry) => ({ ...entry, status: 'deleted' as const }))
      const pin = await readPin(writing, from)
      await moveLatest(writing, database.flavour, {
        entries: deleted,
        pin,
        at,
        nextSequence: () => sequence++,
      })
      const outcome = await publishWithin(database, writing, document, now, options)
      if (outcome.kind === 'published') return { kind: 'renamed', entry: outcome.entry }
      rejection = outcome
      throw new Error('refused') // nothing of the above counts
    })
  } catch (error) {
    if (rejection === undefined) throw error
    return rejection
  }
}

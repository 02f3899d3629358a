import { readDocument, remoteUrls } from '../document/read-document.ts'
import type { ServerStatus } from '../document/server-document.ts'
import { tick } from './clock.ts'
import type { StoredEntry } from './entry.ts'
import { findVersions } from './find-entries.ts'
import { moveLatest, readPin } from './latest.ts'
import {
  findRemoteInUse,
  freeRemotes,
  lockKeys,
  takeRemotes,
  type RemoteInUse,
} from './remote-urls.ts'
import type { RegistryDatabase } from './tables.ts'
import { write } from './write.ts'

/** What to change. */
export interface StatusChange {
  readonly name: string
  /** All versions without one. */
  readonly version?: string | undefined
  readonly status: ServerStatus
  readonly message?: string | undefined
}

/** What became of it. */
export type StatusOutcome =
  | { readonly kind: 'changed'; readonly entries: readonly StoredEntry[] }
  | { readonly kind: 'not-found' }
  | { readonly kind: 'unchanged' }
  | RemoteInUse

/** All or nothing, in one transaction. Deleted versions are found too: that is how they come back. */
export async function changeStatus(
  database: RegistryDatabase,
  change: StatusChange,
  now: () => number,
): Promise<StatusOutcome> {
  const { flavour, queries } = database
  const { name, status, message } = change
  const isMeant = (entry: StoredEntry): boolean =>
    change.version === undefined || entry.version === change.version
  const isChanged = (entry: StoredEntry): boolean =>
    isMeant(entry) && (entry.status !== status || entry.statusMessage !== message)
  const before = await findVersions(queries, name, true)
  const urls = before.filter(isMeant).flatMap((entry) => remoteUrls(readDocument(entry.document)))

  return write(database, async (writing) => {
    await flavour.lock(writing, lockKeys(name, urls))
    const entries = await findVersions(writing, name, true)
    if (!entries.some(isMeant)) return { kind: 'not-found' }
    const changing = entries.filter(isChanged)
    if (changing.length === 0) return { kind: 'unchanged' }
    for (const entry of changing.filter((candidate) => candidate.status === 'deleted')) {
      const own = remoteUrls(readDocument(entry.document))
      const inUse = await findRemoteInUse(writing, name, own)
      if (inUse !== undefined && status !== 'deleted') return inUse
    }

    const { first, at } = await tick(writing, changing.length + 2, now())
    let sequence = first
    const changed: StoredEntry[] = []
    for (const entry of changing) {
      const statusChangedAt = entry.status === status ? entry.statusChangedAt : at
      const next = { ...entry, status, statusMessage: message, statusChangedAt, updatedAt: at }
      changed.push({ ...next, sequence })
      await writing
        .updateTable('server_versions')
        .set({
          status,
          status_message: message ?? null,
          status_changed_at: statusChangedAt,
          updated_at: at,
          sequence,
        })
        .where('id', '=', entry.id)
        .execute()
      sequence += 1
      if (entry.status === status) continue
      if (status === 'deleted') await freeRemotes(writing, entry)
      else if (entry.status === 'deleted') {
        await takeRemotes(writing, entry, remoteUrls(readDocument(entry.document)))
      }
    }
    const all = entries.map((entry) => changed.find(({ id }) => id === entry.id) ?? entry)
    const pin = await readPin(writing, name)
    const move = { entries: all, pin, at, nextSequence: () => sequence++ }
    const resolved = await moveLatest(writing, flavour, move)
    const ids = new Set(changed.map(({ id }) => id))
    return { kind: 'changed', entries: resolved.filter(({ id }) => ids.has(id)) }
  })
}

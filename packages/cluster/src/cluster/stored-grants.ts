import { randomUUID } from 'node:crypto'

import type { ClusterStore, RecordKey } from '../store/cluster-store.ts'
import { withRecordLock } from './record-lock.ts'
import { createEncryptedTexts } from './sealed-text.ts'

/** Grants of an OAuth client, as `@parley/auth/client` takes them for its `store`. They are encrypted in the store. */
export interface StoredGrants {
  /** The grant; undefined if there is none. */
  get(key: GrantKey): Promise<VersionedGrant | undefined>
  /** False: `expectedVersion` is no longer current. */
  set(key: GrantKey, grant: VersionedGrant, expectedVersion?: string): Promise<boolean>
  /** False: `expectedVersion` is no longer current. */
  delete(key: GrantKey, expectedVersion?: string): Promise<boolean>
  /** One at a time for each key, at whichever process. */
  withLock<T>(
    key: GrantKey,
    work: () => Promise<T>,
    options: { readonly timeoutMs: number },
  ): Promise<T>
}

/** The key of a grant: members that are text. The same members are the same key. */
export type GrantKey = object

/** A grant, and a version that is new with every change. */
export interface VersionedGrant {
  /** New with every change. */
  readonly version: string
  /** An opaque text with tokens in it. */
  readonly value: string
}

/** In the place of a grant for the moment before its record is gone. */
const removed = ''
/** Somebody else was first so often that something must be wrong. */
const maxTries = 100
/** Nobody comes back to a grant that was not used for so long. */
const keepMs = 400 * 24 * 3_600_000

export function createStoredGrants(
  { records }: Pick<ClusterStore, 'records'>,
  secrets: () => readonly string[],
): StoredGrants {
  const texts = createEncryptedTexts(secrets, 'grants')

  async function find(key: RecordKey) {
    const { text = removed, version = 0 } = (await records.get(key)) ?? {}
    const opened = texts.open(text, key.group)
    const grant = opened === undefined ? undefined : readGrant(opened)
    return { version, grant, isThere: text !== removed }
  }

  /** Compares and sets in one step, however often others come in between. Undefined removes. */
  async function change(
    key: RecordKey,
    expectedVersion: string | undefined,
    grant: VersionedGrant | undefined,
  ): Promise<boolean> {
    for (let tries = 0; tries < maxTries; tries += 1) {
      const found = await find(key)
      if (expectedVersion !== undefined && found.grant?.version !== expectedVersion) return false
      if (grant === undefined && !found.isThere) return false
      const text = grant === undefined ? removed : texts.encrypt(JSON.stringify(grant), key.group)
      const isFirst = await records.put(key, text, found.version, grant === undefined ? 1 : keepMs)
      if (isFirst) return true
    }
    throw new Error(`a grant was changed by others ${maxTries} times in a row`)
  }

  return {
    get: async (key) => (await find(keyOf(key))).grant,
    set: (key, { version, value }, expectedVersion) =>
      change(keyOf(key), expectedVersion, { version, value }),
    delete: (key, expectedVersion) => change(keyOf(key), expectedVersion, undefined),
    withLock: (key, work, { timeoutMs }) =>
      withRecordLock(records, { ...keyOf(key), id: 'lock' }, randomUUID(), work, timeoutMs),
  }
}

function readGrant(text: string): VersionedGrant {
  return JSON.parse(text) as VersionedGrant // as `change` wrote it
}

/** A group of its own for each grant: groups are spread over the nodes of a store. */
function keyOf(key: GrantKey): RecordKey {
  const members = Object.entries(key).filter(([, value]) => value !== undefined)
  return {
    group: `grant/${JSON.stringify(members.toSorted(([a], [b]) => (a < b ? -1 : 1)))}`,
    id: 'grant',
  }
}

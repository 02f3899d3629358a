import { isJsonObject } from '@parley/mcp/json'

import type { AuthServerStore } from '../stores/memory-store.ts'
import type { StoreLock } from '../stores/store-lock.ts'
import { linkMs } from './links.ts'

/** Which provider stands for somebody, and which grants use what it gave us. */
export interface GrantList {
  /** Undefined for who did not sign in with a provider. */
  providerOf(subject: string): Promise<string | undefined>
  /** The provider that somebody signed in with last. Call it while holding their lock. */
  setProvider(subject: string, provider: string): Promise<void>
  /** A token was issued by this grant. Nothing happens for who did not sign in with a provider. */
  noteGrant(subject: string, grantId: string): Promise<void>
  /** Whether a grant of somebody may use what their provider gave us. */
  hasGrant(subject: string, grantId: string): Promise<boolean>
  /** Takes a grant away; whose it was, if it was their last. */
  releaseGrant(grantId: string): Promise<string | undefined>
  /** Takes all grants of somebody away. Call it while holding their lock. */
  clear(subject: string): Promise<void>
}

interface Entry {
  readonly provider: string
  /** Grants, and when each is over for certain, in milliseconds since 1970. */
  readonly grants: { readonly [grantId: string]: number }
}

export function createGrantList(
  store: AuthServerStore,
  lock: StoreLock,
  now: () => number,
): GrantList {
  async function read(subject: string): Promise<Entry | undefined> {
    const entry = await store.get('ThirdParty', subject)
    return isEntry(entry) ? entry : undefined
  }

  function write(subject: string, { provider, grants }: Entry): Promise<void> {
    const left = Object.entries(grants).filter(([, until]) => until > now())
    const entry: Entry = { provider, grants: Object.fromEntries(left) }
    return store.set('ThirdParty', subject, entry, linkMs)
  }

  return {
    providerOf: async (subject) => (await read(subject))?.provider,

    async setProvider(subject, provider) {
      const { grants = {} } = (await read(subject)) ?? {}
      await write(subject, { provider, grants })
    },

    async noteGrant(subject, grantId) {
      const existing = await read(subject)
      if (existing === undefined || Object.hasOwn(existing.grants, grantId)) return
      await lock(subject, async () => {
        const entry = (await read(subject)) ?? existing
        await store.set('ThirdPartyGrant', grantId, subject, linkMs)
        await write(subject, { ...entry, grants: { ...entry.grants, [grantId]: now() + linkMs } })
      })
    },

    async hasGrant(subject, grantId) {
      const { grants = {} } = (await read(subject)) ?? {}
      return Object.hasOwn(grants, grantId) && Number(grants[grantId]) > now()
    },

    async releaseGrant(grantId) {
      const subject = await store.get('ThirdPartyGrant', grantId)
      if (typeof subject !== 'string') return undefined
      return lock(subject, async () => {
        await store.delete('ThirdPartyGrant', grantId)
        const entry = await read(subject)
        if (entry === undefined) return undefined
        const { [grantId]: _released, ...grants } = entry.grants
        await write(subject, { ...entry, grants })
        const isLast = !Object.values(grants).some((until) => until > now())
        return isLast ? subject : undefined
      })
    },

    async clear(subject) {
      const entry = await read(subject)
      if (entry !== undefined) await write(subject, { ...entry, grants: {} })
    },
  }
}

function isEntry(value: unknown): value is Entry {
  return (
    isJsonObject(value) && typeof value['provider'] === 'string' && isJsonObject(value['grants'])
  )
}

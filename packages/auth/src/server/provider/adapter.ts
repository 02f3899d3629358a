import { isJsonObject } from '@parley/mcp/json'
import type { Adapter, AdapterPayload, errors as Errors } from 'oidc-provider'

import type { Settings } from '../settings.ts'

const day = 86_400_000

/** A client that registered itself and was never used is forgotten so soon. */
export const unusedClientMs = day
/** A client that registered itself is kept for so long after its last use. */
export const usedClientMs = 365 * day
/** From then on it is written on the thing itself that it is spent; no request takes that long. */
const spendingMs = 600_000
/** Longer than anything that belongs to a grant. */
const revokedMs = 100 * day

/** Puts what the provider remembers into our store. */
export function createAdapter(
  kind: string,
  {
    store,
    now,
    onRevoked,
  }: Pick<Settings, 'store' | 'now'> & {
    /** Is told of every grant that ends before its time. */
    readonly onRevoked: (grantId: string) => Promise<void>
  },
  errors: typeof Errors,
): Adapter {
  async function find(id: string): Promise<AdapterPayload | undefined> {
    const payload = await store.get(kind, id)
    if (!isJsonObject(payload)) return undefined
    const grantId = payload['grantId']
    // Entries of a revoked grant are treated as missing, so that no list of them is needed.
    if (typeof grantId === 'string' && (await store.get('Revoked', grantId))) return undefined
    return payload
  }

  async function revoke(grantId: string): Promise<void> {
    await store.set('Revoked', grantId, true, revokedMs)
    await onRevoked(grantId)
  }

  return {
    find,

    async upsert(id, payload, expiresIn) {
      const ttlMs = expiresIn === undefined ? unusedClientMs : expiresIn * 1000
      await store.set(kind, id, payload, ttlMs)
      if (kind === 'Session' && payload.uid) await store.set('SessionUid', payload.uid, id, ttlMs)
    },

    async findByUid(uid) {
      const id = await store.get('SessionUid', uid)
      return typeof id === 'string' ? find(id) : undefined
    },

    /** Belongs to the device flow, which is not supported. */
    async findByUserCode() {
      return undefined
    },

    async consume(id) {
      const payload = await find(id)
      if (payload === undefined) throw new errors.InvalidGrant('it was revoked')
      const { exp = 0, grantId } = payload
      const left = Math.max(exp * 1000 - now(), 1000)
      // The provider looked whether it is spent, but so may others have, before one of them spent it.
      const isSpent =
        payload.consumed !== undefined ||
        !(await store.add('Spent', `${kind}\n${id}`, true, Math.min(left, spendingMs)))
      if (isSpent) {
        if (grantId !== undefined) await revoke(grantId)
        throw new errors.InvalidGrant('it was used before')
      }
      await store.set(kind, id, { ...payload, consumed: Math.floor(now() / 1000) }, left)
    },

    async destroy(id) {
      await store.delete(kind, id)
    },

    revokeByGrantId: revoke,
  }
}

import { RpcError } from '../../rpc/errors/rpc-error.ts'

/** Remembers keys for as long as they could be used again. */
export interface SingleUseSet {
  /** True the first time. */
  add(key: string, ttlMs: number): Promise<boolean>
}

/** More keys at once are refused. */
const mostKeys = 100_000

/** Kept in the memory of this process. */
export function createSingleUseSet(now: () => number = Date.now): SingleUseSet {
  const expiries = new Map<string, number>()

  function forgetExpired(): void {
    for (const [key, expiry] of expiries) if (expiry <= now()) expiries.delete(key)
  }

  return {
    async add(key, ttlMs) {
      const known = expiries.get(key)
      if (known !== undefined && known > now()) return false
      if (expiries.size >= mostKeys) forgetExpired()
      if (expiries.size >= mostKeys) throw new RpcError('overloaded', 'too many calls to remember')
      expiries.set(key, now() + ttlMs)
      return true
    },
  }
}

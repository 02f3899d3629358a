import { RpcError } from '../../rpc/errors/rpc-error.ts'

/** Remembers what has been used, for as long as it could be used again. */
export interface SingleUseSet {
  /** True the first time. */
  add(key: string, ttlMs: number): Promise<boolean>
}

/** More at once means somebody is filling it. */
const mostKeys = 100_000

/** In the memory of this process; several processes need one they share. */
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

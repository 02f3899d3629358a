import { RpcError } from './errors/rpc-error.ts'

/** How many bytes callers may make this process hold. */
export interface ByteLimits {
  /** One caller. */
  readonly callerBytes: number
  /** All together. */
  readonly totalBytes: number
  /** All that were not verified, together. @defaultValue totalBytes */
  readonly anonymousBytes?: number
  /** @defaultValue nobody */
  readonly isAnonymous?: (caller: string) => boolean
}

/**
 * What callers make this process hold, in bytes: bodies, requests being worked on, what sessions remember, events kept for
 * resuming, answers nobody has read. Nothing of that is held before it is reserved here. A caller without a name may be
 * many, and has all there is.
 */
export interface MemoryBudget {
  /** Reserved now, by all. */
  readonly total: number
  /**
   * Undefined if there is room, which is taken then; else why there is none. What can be done without asks for a share
   * only, so that it never stands in the way of the rest.
   */
  reserve(caller: string, bytes: number, share?: number): RpcError<'overloaded'> | undefined
  release(caller: string, bytes: number): void
}

export function createMemoryBudget(limits: ByteLimits): MemoryBudget {
  const { callerBytes, totalBytes, anonymousBytes = totalBytes, isAnonymous = () => false } = limits
  const byCaller = new Map<string, number>()
  let total = 0
  let anonymous = 0

  function add(caller: string, bytes: number): void {
    total += bytes
    if (isAnonymous(caller)) anonymous += bytes
    if (caller === '') return // apart, as on most machines it is all there is
    const reserved = (byCaller.get(caller) ?? 0) + bytes
    if (reserved === 0) byCaller.delete(caller)
    else byCaller.set(caller, reserved)
  }

  return {
    get total() {
      return total
    },
    reserve(caller, bytes, share = 1) {
      const own = caller === '' ? 0 : (byCaller.get(caller) ?? 0) + bytes
      if (own > callerBytes * share)
        return noRoom("this caller's requests", 'callerBytes', callerBytes, own)
      const all = total + bytes
      if (all > totalBytes * share)
        return noRoom('all callers together', 'totalBytes', totalBytes, all)
      const most = anonymous + bytes
      if (most > anonymousBytes * share && isAnonymous(caller)) {
        return noRoom('all anonymous callers together', 'totalBytes', anonymousBytes, most)
      }
      add(caller, bytes)
      return undefined
    },
    release: (caller, bytes) => add(caller, -bytes),
  }
}

function noRoom(
  who: string,
  limit: 'callerBytes' | 'totalBytes',
  allowed: number,
  seen: number,
): RpcError<'overloaded'> {
  const why = `${who} need ${seen} bytes; limits.${limit} allows ${allowed}`
  return new RpcError('overloaded', why, { data: { retryAfterMs: 1_000, limit, allowed, seen } })
}

/**
 * What one thing holds of its caller's account: a request, a session, an answer on its way. Whoever keeps it closes it,
 * and the last of them gives all of it back. A class, because one is made for every request.
 */
export class MemoryShare {
  private readonly budget: MemoryBudget
  private readonly caller: string
  private reserved = 0
  private owners = 1

  constructor(account: MemoryBudget, caller: string) {
    this.budget = account
    this.caller = caller
  }

  get bytes(): number {
    return this.reserved
  }

  /** Reserves room and returns undefined, or returns why there is no room. */
  reserve(bytes: number, share?: number): RpcError<'overloaded'> | undefined {
    if (this.owners <= 0) return undefined // it is over
    const refusal = this.budget.reserve(this.caller, bytes, share)
    if (refusal === undefined) this.reserved += bytes
    return refusal
  }

  /** At most what it holds. */
  release(bytes: number): void {
    const given = Math.min(bytes, this.reserved)
    if (given === 0) return
    this.reserved -= given
    this.budget.release(this.caller, given)
  }

  /** As much as this from now on, whether that is more or less. */
  resize(bytes: number): RpcError<'overloaded'> | undefined {
    if (bytes > this.reserved) return this.reserve(bytes - this.reserved)
    this.release(this.reserved - bytes)
    return undefined
  }

  /** One more has to close it. */
  keep(): this {
    this.owners += 1
    return this
  }

  close(): void {
    this.owners -= 1
    if (this.owners === 0) this.release(this.reserved)
  }
}

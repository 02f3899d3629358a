import { RpcError } from './errors/rpc-error.ts'

/** Limits of the bytes that callers make this process keep. */
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
 * Bytes that callers make this process keep: bodies, calls in flight, session data, events for
 * resuming, unread responses. Nothing is kept before it is reserved here. A caller without a key may be
 * many callers, and is limited by the total only.
 */
export interface MemoryBudget {
  /** Reserved now, by all. */
  readonly total: number
  /**
   * Returns undefined and reserves the bytes, or returns the error. Optional data, such as events for resuming, passes a `share`
   * below 1, so that it cannot use up the memory that requests need.
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
        return noCapacity("this caller's requests", 'callerBytes', callerBytes, own)
      const all = total + bytes
      if (all > totalBytes * share)
        return noCapacity('all callers together', 'totalBytes', totalBytes, all)
      const most = anonymous + bytes
      if (most > anonymousBytes * share && isAnonymous(caller)) {
        return noCapacity('all anonymous callers together', 'totalBytes', anonymousBytes, most)
      }
      add(caller, bytes)
      return undefined
    },
    release: (caller, bytes) => add(caller, -bytes),
  }
}

function noCapacity(
  who: string,
  limit: 'callerBytes' | 'totalBytes',
  allowed: number,
  seen: number,
): RpcError<'overloaded'> {
  const why = `${who} need ${seen} bytes; limits.${limit} allows ${allowed}`
  return new RpcError('overloaded', why, { data: { retryAfterMs: 1_000, limit, allowed, seen } })
}

/**
 * The memory of one thing: a request, a session, a response on its way. Each of its owners closes it,
 * and the last one releases all of it. A class, because every request creates one.
 */
export class MemoryShare {
  private readonly budget: MemoryBudget
  private readonly caller: string
  private reserved = 0
  private owners = 1

  constructor(quotaKey: MemoryBudget, caller: string) {
    this.budget = quotaKey
    this.caller = caller
  }

  get bytes(): number {
    return this.reserved
  }

  /** Reserves room and returns undefined, or returns why there is no room. */
  reserve(bytes: number, share?: number): RpcError<'overloaded'> | undefined {
    if (this.owners <= 0) return undefined // it is over
    const rejection = this.budget.reserve(this.caller, bytes, share)
    if (rejection === undefined) this.reserved += bytes
    return rejection
  }

  /** At most what it holds. */
  release(bytes: number): void {
    const released = Math.min(bytes, this.reserved)
    if (released === 0) return
    this.reserved -= released
    this.budget.release(this.caller, released)
  }

  /** Changes the reservation to this size, up or down. */
  resize(bytes: number): RpcError<'overloaded'> | undefined {
    if (bytes > this.reserved) return this.reserve(bytes - this.reserved)
    this.release(this.reserved - bytes)
    return undefined
  }

  /** Adds an owner, which has to close it too. */
  keep(): this {
    this.owners += 1
    return this
  }

  close(): void {
    this.owners -= 1
    if (this.owners === 0) this.release(this.reserved)
  }
}

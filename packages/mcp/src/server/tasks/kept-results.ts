import type { Clock } from '../../rpc/time/clock.ts'

/** How tasks ended, for as long as it is remembered; for each account within so many bytes. */
export interface KeptEnds {
  /** What one account may have. */
  readonly maxBytes: number
  /** Forgets it in time, or sooner where a later end needs the room: the oldest go first. */
  keep(account: string, end: KeptEnd): void
}

export interface KeptEnd {
  /** Not more than all may have. */
  readonly bytes: number
  readonly keepMs: number
  readonly clock: Clock
  readonly forget: () => void
}

export function createKeptEnds(maxBytes: number): KeptEnds {
  /** In the order in which they ended. */
  const accounts = new Map<string, Set<Held>>()

  function makeRoom(ends: ReadonlySet<Held>, bytes: number): void {
    let excess = bytes - maxBytes
    for (const held of ends) excess += held.bytes
    for (const held of ends) {
      if (excess <= 0) return
      excess -= held.bytes
      held.drop()
    }
  }

  return {
    maxBytes,
    keep(account, { bytes, keepMs, clock, forget }) {
      const ends = accounts.get(account) ?? new Set()
      makeRoom(ends, bytes)
      accounts.set(account, ends)
      const timer = clock.setTimer(() => held.drop(), keepMs)
      const held: Held = {
        bytes,
        drop() {
          timer[Symbol.dispose]()
          ends.delete(held)
          if (ends.size === 0) accounts.delete(account)
          forget()
        },
      }
      ends.add(held)
    },
  }
}

interface Held {
  readonly bytes: number
  drop(): void
}

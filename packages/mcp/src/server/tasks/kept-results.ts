import { RpcError } from '../../rpc/errors/rpc-error.ts'
import type { Clock } from '../../rpc/time/clock.ts'
import type { Codec } from '../../wire/codec.ts'
import type { TaskEvent } from './task-state.ts'

/** Results of tasks that have ended, kept for a time and, for each account, within a number of bytes. */
export interface KeptResults {
  /** Allowed for one account. */
  readonly maxBytes: number
  /** Forgets it after `keepMs`, or sooner if a later result needs the room: the oldest go first. */
  keep(account: string, end: KeptResult): void
}

export interface KeptResult {
  /** At most `maxBytes`. */
  readonly bytes: number
  readonly keepMs: number
  readonly clock: Clock
  readonly forget: () => void
}

export function createKeptResults(maxBytes: number): KeptResults {
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

/** The last event of a task and its size; a result too large to be kept becomes a failure that says so. */
export function fitResult(
  event: TaskEvent,
  maxBytes: number,
  codec: Codec,
): { readonly end: TaskEvent; readonly bytes: number } {
  const bytes = sizeOf(event)
  return bytes <= maxBytes
    ? { end: event, bytes }
    : { end: tooLarge(bytes, maxBytes, codec), bytes: 0 }
}

function sizeOf(event: TaskEvent): number {
  try {
    return new TextEncoder().encode(JSON.stringify(event)).byteLength
  } catch {
    return 0 // a value without JSON is refused when somebody asks for it
  }
}

function tooLarge(seen: number, allowed: number, codec: Codec): TaskEvent {
  const why = `the result has ${seen} bytes, and ${allowed} are kept for the tasks of one caller`
  const data = { limit: 'maxBytes', allowed, seen }
  const error = codec.encodeError(new RpcError('limit_exceeded', why, { data }))
  return { type: 'failed', error }
}

import type { EventLog, SessionRecords } from '@parley/mcp/http'

import type { MaybePromise } from '../../src/rpc/promise.ts'

/** How a store behaves that is somewhere else. */
export interface Faults {
  /** Nothing reaches it, or its answers get lost on the way: what was asked may have been done. */
  isDown: false | 'before' | 'after'
  /** How often it was asked. */
  asked: number
}

export function createFaults(): Faults {
  return { isDown: false, asked: 0 }
}

/** Asks something of a store that is somewhere else. */
export async function farAway<T>(faults: Faults, ask: () => MaybePromise<T>): Promise<T> {
  faults.asked += 1
  await new Promise((resolve) => setImmediate(resolve))
  if (faults.isDown === 'before') throw new Error('the store is away')
  const answer = await ask()
  await new Promise((resolve) => setImmediate(resolve))
  if (faults.isDown) throw new Error('the answer got lost')
  return answer
}

/** A log that takes its time, fails when told to, and whose hints never come. */
export function createFarLog(log: EventLog, faults: Faults): EventLog {
  const { ending } = log
  return {
    append: (stream, batch) => farAway(faults, () => log.append(stream, batch)),
    read: (stream, after, limit) => farAway(faults, () => log.read(stream, after, limit)),
    lastRead: (stream) => farAway(faults, () => log.lastRead(stream)),
    watch: () => () => undefined,
    dropSession: (sessionId) => farAway(faults, () => log.dropSession(sessionId)),
    ending: ending && {
      endIfDisconnected: (stream, last, makeTexts) =>
        farAway(faults, () => ending.endIfDisconnected(stream, last, makeTexts)),
      endOwn: (stream, texts) => farAway(faults, () => ending.endOwn(stream, texts)),
    },
  }
}

/** Records that take their time, and fail when told to. */
export function createFarRecords(records: SessionRecords, faults: Faults): SessionRecords {
  return {
    get: (key) => farAway(faults, () => records.get(key)),
    update: (key, record, keepMs) => farAway(faults, () => records.update(key, record, keepMs)),
    end: (key, keepMs) => farAway(faults, () => records.end(key, keepMs)),
  }
}

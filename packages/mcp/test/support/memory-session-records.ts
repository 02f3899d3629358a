import { ShortLivedMap } from '../../src/rpc/short-lived.ts'
import { systemClock, type Clock } from '../../src/rpc/time/clock.ts'
import type {
  SessionRecord,
  SessionRecords,
} from '../../src/transport/http/sessions/session-records.ts'

interface KeptRecord extends SessionRecord {
  readonly dueAt: number
}

/** Records in memory, for endpoints of one process that take each other for different ones. */
export function createMemorySessionRecords(
  clock: Clock = systemClock,
): SessionRecords & { /** Kept now. */ readonly size: number } {
  const records = new ShortLivedMap<string, KeptRecord>() // in the order of their last update
  const revoked: { readonly id: string; readonly number: number; readonly dueAt: number }[] = []
  let lastNumber = 0

  function find(id: string): KeptRecord | undefined {
    const record = records.get(id)
    return record !== undefined && record.dueAt > clock.now() ? record : undefined
  }

  /** What has been left longest is gone first; nobody asks for it, so nobody else would notice. */
  function forgetOld(): void {
    const now = clock.now()
    for (const { facts, dueAt } of records.values()) {
      if (dueAt > now) break
      records.take(facts.id)
    }
    while (revoked[0] !== undefined && revoked[0].dueAt <= now) revoked.shift()
  }

  return {
    get size() {
      return records.size
    },
    get: find,

    update({ facts, version }, keepMs) {
      const { id } = facts
      if ((find(id)?.version ?? 0) !== version) return false
      forgetOld()
      records.set(id, { facts, version: version + 1, dueAt: clock.now() + keepMs })
      return true
    },

    revoke(id, listMs) {
      forgetOld()
      records.take(id)
      revoked.push({ id, number: ++lastNumber, dueAt: clock.now() + listMs })
    },

    revokedSince(cursor) {
      const after = cursor === undefined ? lastNumber : Number(cursor)
      const ids = revoked.flatMap(({ id, number }) => (number > after ? [id] : []))
      return { ids, cursor: String(lastNumber) }
    },
  }
}

import type { Clock } from '@parley/mcp'
import type { SessionRecord, SessionRecords } from '@parley/mcp/http'

import { systemClock } from '../../src/rpc/clock.ts'

interface KeptRecord {
  readonly record: SessionRecord | 'ended'
  readonly dueAt: number
}

/** Records in memory, for endpoints of one process that take each other for different ones. */
export interface MemorySessionRecords extends SessionRecords {
  /** Kept now. */
  readonly size: number
  /** How often something was asked or written. */
  readonly asked: number
  /** Loses everything. */
  clear(): void
}

export function createMemorySessionRecords(clock: Clock = systemClock): MemorySessionRecords {
  const kept = new Map<string, KeptRecord>()
  let asked = 0

  function find(key: string): SessionRecord | 'ended' | undefined {
    const found = kept.get(key)
    if (found !== undefined && found.dueAt <= clock.now()) kept.delete(key)
    return kept.get(key)?.record
  }

  function keep(key: string, record: KeptRecord['record'], keepMs: number): void {
    kept.set(key, { record, dueAt: clock.now() + keepMs })
  }

  return {
    get size() {
      return kept.size
    },
    get asked() {
      return asked
    },
    clear: () => kept.clear(),

    get(key) {
      asked += 1
      return find(key)
    },

    update(key, { data, version }, keepMs) {
      asked += 1
      const found = find(key)
      if (found === 'ended' || (found?.version ?? 0) !== version) return false
      keep(key, { data, version: version + 1 }, keepMs)
      return true
    },

    end(key, keepMs) {
      asked += 1
      keep(key, 'ended', keepMs)
    },
  }
}

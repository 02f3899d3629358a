import type { RecordKey, Records, VersionedText } from '../store/records.ts'
import { createExpiringMap, type ExpiringMap } from './expiring-map.ts'

interface Stored extends VersionedText {
  readonly order: number
}

export function createMemoryRecords(now: () => number): Records {
  const groups = createExpiringMap<ExpiringMap<Stored>>(now)
  let lastOrder = 0

  function find({ group, id }: RecordKey): Stored | undefined {
    return groups.get(group)?.get(id)
  }

  return {
    async get(key) {
      const found = find(key)
      return found && { text: found.text, version: found.version }
    },

    async put(key, text, expected, keepMs) {
      const known = find(key)
      if ((known?.version ?? 0) !== expected) return false
      const order = known?.order ?? (lastOrder += 1)
      const group = groups.get(key.group) ?? createExpiringMap<Stored>(now)
      group.set(key.id, { text, version: expected + 1, order }, keepMs)
      groups.set(key.group, group, longestKeep(group, keepMs))
      return true
    },

    async remove({ group, id }) {
      groups.get(group)?.delete(id)
    },

    async list(name, cursor, limit) {
      const after = cursor === undefined ? 0 : Number(cursor)
      const all = [...(groups.get(name)?.entries() ?? [])].map(([, stored]) => stored)
      const rest = all.toSorted((a, b) => a.order - b.order).filter(({ order }) => order > after)
      const page = rest.slice(0, limit)
      const texts = page.map(({ text }) => text)
      const last = page.at(-1)
      return rest.length > limit && last ? { texts, cursor: String(last.order) } : { texts }
    },
  }

  /** A group is kept for as long as its longest record. */
  function longestKeep(group: ExpiringMap<Stored>, keepMs: number): number {
    const longest = Math.max(keepMs, keeps.get(group) ?? 0)
    keeps.set(group, longest)
    return longest
  }
}

const keeps = new WeakMap<ExpiringMap<Stored>, number>()

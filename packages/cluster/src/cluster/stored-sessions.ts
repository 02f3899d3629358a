import type { SessionData, SessionRecords } from '@parley/mcp/http'

import { StoreUnavailable, type ClusterStore, type RecordKey } from '../store/cluster-store.ts'

/** In place of the facts of a session that is over. */
const ended = 'ended'
/** Somebody else was first so often that something must be wrong. */
const maxTries = 100

/** Sessions as records of a store. */
export function createStoredSessions({ records }: Pick<ClusterStore, 'records'>): SessionRecords {
  return {
    async get(key) {
      const found = await records.get(positionOf(key))
      if (found === undefined) return undefined
      if (found.text === ended) return ended
      const data = JSON.parse(found.text) as SessionData // as `update` wrote them
      return { data, version: found.version }
    },

    update: (key, { data, version }, keepMs) =>
      records.put(positionOf(key), JSON.stringify(data), version, keepMs),

    async end(key, keepMs) {
      const recordKey = positionOf(key)
      for (let tries = 0; tries < maxTries; tries += 1) {
        const found = await records.get(recordKey)
        if (found?.text === ended) return
        if (await records.put(recordKey, ended, found?.version ?? 0, keepMs)) return
      }
      throw new StoreUnavailable(`a session was changed by others ${maxTries} times in a row`)
    },
  }
}

/** A group of its own for each session: groups are spread over the nodes of a store. */
function positionOf(key: string): RecordKey {
  return { group: `session/${key}`, id: 'facts', isAlone: true }
}

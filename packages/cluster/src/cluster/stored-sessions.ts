import type { SessionFacts, SessionRecords } from '@parley/mcp/http'

import type { ClusterStore } from '../store/cluster-store.ts'
import type { RecordKey } from '../store/records.ts'

/** Which sessions were ended, for every process that still has them in memory. */
const endedSessions = 'sessions/ended'

/** Sessions as records of a store. */
export function createStoredSessions({
  records,
  feeds,
}: Pick<ClusterStore, 'records' | 'feeds'>): SessionRecords {
  return {
    async get(id) {
      const found = await records.get(keyOf(id))
      if (found === undefined) return undefined
      const facts = JSON.parse(found.text) as SessionFacts // as `update` wrote them
      return { facts, version: found.version }
    },

    update: ({ facts, version }, keepMs) =>
      records.put(keyOf(facts.id), JSON.stringify(facts), version, keepMs),

    async revoke(id, listMs) {
      // Told first: if the store fails in between, the session is still there to be ended again.
      await feeds.append(endedSessions, id, listMs)
      await records.remove(keyOf(id))
    },

    async revokedSince(cursor) {
      const page = await feeds.readSince(endedSessions, cursor)
      return { ids: page.texts, cursor: page.cursor }
    },
  }
}

/** A group of its own for each session: groups are spread over the nodes of a store. */
function keyOf(id: string): RecordKey {
  return { group: `session/${id}`, id: 'facts' }
}

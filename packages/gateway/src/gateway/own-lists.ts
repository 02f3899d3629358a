import type { JsonObject } from '@parley/mcp'
import { ForwardedCall, type ProxySession, type RelayedCall } from '@parley/mcp/proxy'

import {
  listRules,
  readEntries,
  type ListName,
  type UpstreamLists,
} from '../upstreams/upstream-lists.ts'

/** Pages of one list that are asked for on behalf of one client. */
const maxPages = 100

/** Lists of a server as it shows them to one client, in that client's own session. */
export async function readOwnLists(
  at: ProxySession,
  call: RelayedCall,
  wanted: readonly ListName[],
): Promise<Partial<UpstreamLists>> {
  const read: { [Name in ListName]?: readonly JsonObject[] } = {}
  for (const list of wanted) {
    const entries: unknown[] = []
    let cursor: unknown
    for (let page = 0; page < maxPages; page += 1) {
      const params: JsonObject = typeof cursor === 'string' ? { cursor } : {}
      const routed = new ForwardedCall(call, { operation: listRules[list].method, params })
      const answer = await at.request(routed)
      if (answer.kind !== 'raw') break
      const result = answer.result as JsonObject // as it came
      const listed = result[list]
      if (Array.isArray(listed)) entries.push(...(listed as unknown[])) // each is looked at
      cursor = result['nextCursor']
      if (typeof cursor !== 'string') break
    }
    read[list] = readEntries(list, entries).entries
  }
  return read
}

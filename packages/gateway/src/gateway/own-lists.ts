import type { JsonObject } from '@parley/mcp'
import { ForwardedCall, type BackendCall } from '@parley/mcp/internal/relay'
import { type ProxySession } from '@parley/mcp/proxy'

import { listRules, readEntries, type ListName } from '../upstreams/upstream-lists.ts'

/** Pages of one list that are asked for on behalf of one client. */
const maxPages = 100

/** One list of a server as it shows it to one client, in that client's own session. Rejects where it cannot be read. */
export async function readGatewayList(
  at: ProxySession,
  call: BackendCall,
  list: ListName,
): Promise<readonly JsonObject[]> {
  const entries: unknown[] = []
  let cursor: unknown
  for (let page = 0; page < maxPages; page += 1) {
    const params: JsonObject = typeof cursor === 'string' ? { cursor } : {}
    const { method } = listRules[list]
    const answer = await at.request(new ForwardedCall(call, { operation: method, params }))
    if (answer.kind === 'error') throw new Error(`${method} failed: ${answer.error.message}`)
    const result = answer.kind === 'raw' ? (answer.result as JsonObject) : {} // as it came
    const listed = result[list]
    if (!Array.isArray(listed)) throw new TypeError(`${method} was answered with no list`)
    entries.push(...(listed as unknown[])) // each is looked at
    cursor = result['nextCursor']
    if (typeof cursor !== 'string') break
  }
  return readEntries(list, entries).entries
}

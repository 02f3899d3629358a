import { isJsonObject } from '@parley/mcp/json'

import { criticalPaths, timeByWho } from './critical-path.ts'
import type { PathWho } from './path-segment.ts'
import type { TraceRecord } from './record.ts'

/** The parties that the calls of one method waited for. */
export interface TimeSpent {
  /** The server. */
  readonly connection: string
  /** The method. */
  readonly method: string
  /** How many calls there were. */
  readonly count: number
  /** How long all of them took together. */
  readonly durationMs: number
  /** Milliseconds of that. */
  readonly timeSpent: { readonly [who in PathWho]: number }
}

/** Calls that no other call led to, by connection and method; what took longest comes first. */
export function timeSpent(records: Iterable<TraceRecord>): readonly TimeSpent[] {
  const all = [...records]
  const bySeq = new Map(all.map((record) => [record.seq, record]))
  const groups = new Map<string, TimeSpent>()
  for (const path of criticalPaths(all)) {
    const { connection = '', message } = bySeq.get(path.seq) ?? {}
    const { method } = isJsonObject(message) ? message : {}
    if (typeof method !== 'string') continue
    const key = JSON.stringify([connection, method])
    const group = groups.get(key)
    const { server, client, person, network, unknown } = timeByWho(path)
    groups.set(key, {
      connection,
      method,
      count: (group?.count ?? 0) + 1,
      durationMs: (group?.durationMs ?? 0) + path.durationMs,
      timeSpent: {
        server: (group?.timeSpent.server ?? 0) + server,
        client: (group?.timeSpent.client ?? 0) + client,
        person: (group?.timeSpent.person ?? 0) + person,
        network: (group?.timeSpent.network ?? 0) + network,
        unknown: (group?.timeSpent.unknown ?? 0) + unknown,
      },
    })
  }
  return [...groups.values()].toSorted((a, b) => b.durationMs - a.durationMs)
}

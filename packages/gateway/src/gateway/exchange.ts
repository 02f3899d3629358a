import { isDeepStrictEqual } from 'node:util'

import type { GatewayServer } from '../upstreams/server-options.ts'
import type { Upstream } from '../upstreams/upstream.ts'

/** Which servers a reload has changed, by name. */
export interface GatewayDifference {
  /** New servers. */
  readonly added: readonly string[]
  /** Servers that are gone. */
  readonly removed: readonly string[]
  /** Started anew. */
  readonly changed: readonly string[]
}

/** Another set of servers: those that are the same stay as they are, with their connections. */
export function exchange(
  before: ReadonlyMap<string, Upstream>,
  servers: { readonly [name: string]: GatewayServer },
  create: (name: string, server: GatewayServer) => Upstream,
): {
  readonly kept: ReadonlyMap<string, Upstream>
  readonly gone: readonly Upstream[]
  readonly difference: GatewayDifference
} {
  const kept = new Map<string, Upstream>()
  const added: string[] = []
  const changed: string[] = []
  for (const [name, server] of Object.entries(servers)) {
    const known = before.get(name)
    if (known && isDeepStrictEqual(known.server, server)) {
      kept.set(name, known)
      continue
    }
    kept.set(name, create(name, server))
    if (known) changed.push(name)
    else added.push(name)
  }
  const removed = [...before.keys()].filter((name) => !kept.has(name))
  const gone = [...before.values()].filter((each) => kept.get(each.name) !== each)
  return { kept, gone, difference: { added, removed, changed } }
}

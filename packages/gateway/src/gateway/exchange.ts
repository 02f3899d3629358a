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
  const remaining = new Map<string, Upstream>()
  const added: string[] = []
  const changed: string[] = []
  for (const [name, server] of Object.entries(servers)) {
    const previous = before.get(name)
    if (previous && isDeepStrictEqual(previous.server, server)) {
      remaining.set(name, previous)
      continue
    }
    remaining.set(name, create(name, server))
    if (previous) changed.push(name)
    else added.push(name)
  }
  const removed = [...before.keys()].filter((name) => !remaining.has(name))
  const gone = [...before.values()].filter((each) => remaining.get(each.name) !== each)
  return { kept: remaining, gone, difference: { added, removed, changed } }
}

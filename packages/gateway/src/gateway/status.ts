import type { JsonObject } from '@parley/mcp'
import type { BackendCaller } from '@parley/mcp/internal/relay'

import type { Caller, Check } from '../checks/check.ts'
import { describeOutgoing } from '../identity/describe-outgoing.ts'
import { listedBy } from '../naming/catalogue.ts'
import { listNames, type ListName } from '../upstreams/upstream-lists.ts'
import type { Upstream } from '../upstreams/upstream.ts'
import { callerOf } from './caller.ts'
import type { GatewayCore } from './core.ts'

/**
 * What a caller is told of the servers: of those that it may use something of, of all, or of all if the function says so of
 * this caller.
 */
export type StatusShown = 'own' | 'all' | ((caller: Caller) => boolean)

/** The resource that says how the servers are. */
export const statusUri = 'gateway://status'

/** Its entry in the list of resources. */
export const statusResource: JsonObject = {
  uri: statusUri,
  name: 'gateway-status',
  title: 'Status of the gateway',
  description: 'The servers behind this gateway: their states, what they offer, and warnings.',
  mimeType: 'application/json',
}

/** How all servers are now, as JSON: for whoever runs the gateway. */
export function statusOf(core: GatewayCore): JsonObject {
  const { info, upstreams, catalogue } = core
  const servers = [...upstreams.values()].map((upstream) => {
    const { proxy, lists, server } = upstream
    const counts = Object.fromEntries(listNames.map((name) => [name, lists[name].length]))
    return [
      upstream.name,
      {
        ...describe(upstream, counts),
        connections: proxy.connections,
        ...(server.auth && { calledAs: describeOutgoing(server) }),
      },
    ]
  })
  return asJson({
    gateway: info,
    servers: Object.fromEntries(servers) as object,
    warnings: catalogue().warnings,
  })
}

/** The answer to `resources/read`: what this caller may know. */
export async function readStatus(core: GatewayCore, from: BackendCaller): Promise<JsonObject> {
  const text = JSON.stringify(await statusFor(core, from), undefined, 2)
  return { contents: [{ uri: statusUri, mimeType: 'application/json', text }] }
}

async function statusFor(core: GatewayCore, from: BackendCaller): Promise<JsonObject> {
  const { info, upstreams, checks, statusShown, naming } = core
  const caller = callerOf(from)
  const mayAll = typeof statusShown === 'function' ? statusShown(caller) : statusShown === 'all'
  if (mayAll || checks.length === 0) return statusOf(core)
  const servers: [string, object][] = []
  for (const upstream of upstreams.values()) {
    const lists = await core.listsFor(upstream, from.auth)
    const isAway = listNames.every((name) => lists[name].length === 0)
    const shown: [ListName, number][] = listNames.map((name) => {
      // One that is away has nothing in the lists: whoever could use it may know why it no longer can.
      const items = listedBy(upstream, isAway ? upstream.lastLists : lists, name, naming)
      return [name, items.filter(({ subject }) => !isHidden(checks, caller, subject)).length]
    })
    if (shown.every(([, count]) => count === 0)) continue
    const counts = shown.map(([name, count]) => [name, isAway ? 0 : count] as const)
    servers.push([upstream.name, describe(upstream, Object.fromEntries(counts))])
  }
  return asJson({ gateway: info, servers: Object.fromEntries(servers) as object, warnings: [] })
}

function isHidden(
  checks: readonly Check[],
  caller: Caller,
  subject: Parameters<NonNullable<Check['shows']>>[1],
): boolean {
  return checks.some((check) => check.shows?.(caller, subject) === false)
}

function describe(
  { state, description }: Upstream,
  counts: { readonly [list: string]: number },
): object {
  const { since, ...rest } = state
  const next = 'nextAt' in rest ? { nextAt: new Date(rest.nextAt).toISOString() } : {}
  return {
    ...rest,
    ...next,
    since: new Date(since).toISOString(),
    ...counts,
    ...(description?.info && { server: { ...description.info } }),
  }
}

function asJson(status: object): JsonObject {
  return status as unknown as JsonObject // made of JSON alone
}

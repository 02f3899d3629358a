import type { JsonObject } from '@parley/mcp'

import { describeOutgoing } from '../identity/describe-outgoing.ts'
import type { GatewayCore } from './core.ts'

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

/** How the servers are now, as JSON. */
export function statusOf({ info, upstreams, catalogue }: GatewayCore): JsonObject {
  const servers = [...upstreams.values()].map(
    ({ name, server, state, lists, proxy, description }) => {
      const { since, ...rest } = state
      const next = 'nextAt' in rest ? { nextAt: new Date(rest.nextAt).toISOString() } : {}
      const { tools, prompts, resources, resourceTemplates } = lists
      return [
        name,
        {
          ...rest,
          ...next,
          since: new Date(since).toISOString(),
          connections: proxy.connections,
          tools: tools.length,
          prompts: prompts.length,
          resources: resources.length,
          resourceTemplates: resourceTemplates.length,
          ...(description?.info && { server: { ...description.info } }),
          ...(server.auth && { calledAs: describeOutgoing(server) }),
        },
      ]
    },
  )
  const status = {
    gateway: info,
    servers: Object.fromEntries(servers) as object,
    warnings: catalogue().warnings,
  }
  return status as unknown as JsonObject // made of JSON alone
}

/** The answer to `resources/read`. */
export function readStatus(core: GatewayCore): JsonObject {
  const text = JSON.stringify(statusOf(core), undefined, 2)
  return { contents: [{ uri: statusUri, mimeType: 'application/json', text }] }
}

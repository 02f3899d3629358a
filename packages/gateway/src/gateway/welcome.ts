import type { ServerCapabilities } from '@parley/mcp'

import type { GatewayCore } from './core.ts'
import { taskCapabilities } from './task-kinds.ts'

/** Longest instructions of one server that are passed on; a model has to read them all. */
const mostCharacters = 8_000

/**
 * What clients are told that the gateway can do. It does not depend on which servers are there just now: one that starts
 * later would be of no use otherwise.
 */
export function capabilitiesOf({ upstreams }: GatewayCore): ServerCapabilities {
  const known = [...upstreams.values()].map(({ description }) => description?.capabilities ?? {})
  const { tasks, ...kept } = taskCapabilities(upstreams.values())
  const extensions = Object.assign(
    { ...kept.extensions },
    ...known.map((each) => each.extensions ?? {}),
  )
  return {
    tools: { listChanged: true },
    prompts: { listChanged: true },
    resources: { listChanged: true, subscribe: true },
    completions: {},
    logging: {},
    ...(tasks && { tasks }),
    ...(Object.keys(extensions).length > 0 && { extensions }),
  }
}

/** What the servers say about their use, each under its name. */
export function instructionsOf({ upstreams }: GatewayCore): string | undefined {
  const parts = [...upstreams.values()].flatMap(({ name, description, state }) => {
    const said = description?.instructions
    if (typeof said !== 'string' || said === '' || state.state === 'failed') return []
    const short = said.length > mostCharacters ? `${said.slice(0, mostCharacters)}…` : said
    return [`# ${name}\n\n${short}`]
  })
  return parts.length === 0 ? undefined : parts.join('\n\n')
}

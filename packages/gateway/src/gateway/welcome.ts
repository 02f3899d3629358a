import type { ServerCapabilities } from '@parley/mcp'

import type { GatewayCore } from './core.ts'
import { taskCapabilities } from './task-kinds.ts'

/** Longest instructions of one server that are passed on; a model has to read them all. */
const maxCharacters = 8_000

/**
 * What clients are told that the gateway can do. It does not depend on which servers are there just now: one that starts
 * later would be of no use otherwise.
 */
export function capabilitiesOf({ upstreams }: GatewayCore): ServerCapabilities {
  const capabilities = [...upstreams.values()].map(
    ({ description }) => description?.capabilities ?? {},
  )
  const { tasks, ...stored } = taskCapabilities(upstreams.values())
  const extensions = Object.assign(
    { ...stored.extensions },
    ...capabilities.map((each) => each.extensions ?? {}),
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

/** Returns the servers' instructions, each under its name. */
export function instructionsOf({ upstreams, checks }: GatewayCore): string | undefined {
  const parts = [...upstreams.values()].flatMap(({ name, description, state }) => {
    const alert = description?.instructions
    if (typeof alert !== 'string' || alert === '' || state.state === 'failed') return []
    const short = alert.length > maxCharacters ? `${alert.slice(0, maxCharacters)}…` : alert
    const instructions = checks.reduce<string | undefined>(
      (text, check) => (text && check.instructions ? check.instructions(name, text) : text),
      short,
    )
    return instructions ? [`# ${name}\n\n${demoted(instructions)}`] : []
  })
  return parts.length === 0 ? undefined : parts.join('\n\n')
}

/** Only the gateway writes headings of the first level: no server can speak under the name of another. */
function demoted(text: string): string {
  return text
    .replaceAll(/^(\s{0,3})(?=#{1,5}(?:\s|$))/gm, '$1#')
    .replaceAll(/^(\s{0,3})=+\s*$/gm, '$1---')
}

import { flat, line, type Line } from '../line.ts'
import type { CommandContext } from './command.ts'

/** How much of what the model can read servers take. */
export function showContext(_: readonly string[], { chat, print }: CommandContext): void {
  const { servers, windowTokens, instructions: ofServers, ...meter } = chat.host.meter()
  const { definitionsSent, definitionsOfAll, hostDefinitions } = meter
  const sent = definitionsSent + ofServers
  const percent = Math.round((sent / windowTokens) * 100)
  const isAll = definitionsOfAll <= definitionsSent
  const all = isAll ? '' : `; with all definitions ${definitionsOfAll + ofServers}`
  const own = hostDefinitions > 0 && ownLine(hostDefinitions)
  print([
    line(
      `definitions and instructions: about ${sent} of ${windowTokens} tokens (${percent} %)${all}`,
    ),
    ...servers.map(({ server, tools, definitions, instructions, results }): Line => [
      { text: `  ${flat(server, 60)}`, look: 'bold' },
      {
        text: `  ${tools} tools, ${definitions + instructions} tokens; results so far ${results}`,
        look: 'dim',
      },
    ]),
    ...(own ? [own] : []),
  ])
}

function ownLine(tokens: number): Line {
  return [
    { text: '  Parley', look: 'bold' },
    { text: `  tools that search and read, ${tokens} tokens`, look: 'dim' },
  ]
}

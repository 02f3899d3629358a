import { flat, line, type Line } from '../line.ts'
import type { CommandContext } from './command.ts'

/** How much of what the model can read servers take. */
export function showContext(_: readonly string[], { chat, print }: CommandContext): void {
  const { servers, definitionsSent, definitionsOfAll, windowTokens } = chat.host.meter()
  const percent = Math.round((definitionsSent / windowTokens) * 100)
  const all = definitionsOfAll > definitionsSent ? `; all would take ${definitionsOfAll}` : ''
  print([
    line(
      `tool definitions: about ${definitionsSent} of ${windowTokens} tokens (${percent} %)${all}`,
    ),
    ...servers.map(({ server, tools, definitions, instructions, results }): Line => [
      { text: `  ${flat(server, 60)}`, look: 'bold' },
      {
        text: `  ${tools} tools, ${definitions + instructions} tokens; results so far ${results}`,
        look: 'dim',
      },
    ]),
  ])
}

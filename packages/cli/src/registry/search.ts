import { shellWord } from '@parley/foundation/command-line'
import type { Command } from 'commander'

import { newCommand, type CommandContext } from '../command.ts'
import { addOutputFlags, positiveInteger } from '../flags.ts'
import { createPrinter, flat } from '../output/printer.ts'
import { openRegistryClient, withRegistry, type RegistryFlags } from './connection.ts'

interface SearchFlags extends RegistryFlags {
  readonly limit?: number
}

/** It starts no server by a command. */
export const dashes = 'words'

/** `parley search` */
export function build(context: CommandContext): Command {
  const command = newCommand('search', 'Finds servers in a registry.', [
    ['parley search weather', 'in the official registry'],
    ['parley search maps --registry http://127.0.0.1:8080', 'in another one'],
  ])
    .argument('<text...>', 'words to look for')
    .option('--registry <url>', 'the registry to ask')
    .option('--limit <number>', 'how many to show', positiveInteger, 20)
  return addOutputFlags(command).action((words: readonly string[], flags: SearchFlags) =>
    search(words.join(' '), flags, context),
  )
}

async function search(text: string, flags: SearchFlags, { io }: CommandContext): Promise<void> {
  const printer = createPrinter(io, flags)
  const client = await openRegistryClient(flags, io)
  const found = await withRegistry(() => client.search(text, Math.min(flags.limit ?? 20, 100)))
  if (printer.isJson) return printer.json({ servers: found })
  if (found.length === 0)
    return printer.note(`${client.url} has nothing for ${JSON.stringify(text)}`)
  printer.table(
    found.map(({ server, _meta: meta }) => {
      const status = meta?.['io.modelcontextprotocol.registry/official']?.status ?? ''
      const note = status === 'active' ? '' : `${status}: `
      const seen = meta?.['dev.parley.registry/flags']
      const doubt = Array.isArray(seen) && seen.length > 0 ? `(${seen.join('; ')}) ` : ''
      return [flat(server.name), flat(server.version), flat(`${note}${doubt}${server.description}`)]
    }),
    [{ title: 'name' }, { title: 'version' }, { title: 'description' }],
  )
  const where = flags.registry === undefined ? '' : ` ${shellWord(`--registry=${flags.registry}`)}`
  printer.note(`next: parley add NAME${where}`)
}

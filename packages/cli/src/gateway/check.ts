import type { Command } from 'commander'

import { newCommand, type CommandContext } from '../command.ts'
import { addOutputFlags, collect } from '../flags.ts'
import { counted, createPrinter, flat } from '../output/printer.ts'
import {
  describeProblem,
  loadGatewayFile,
  requireNoErrors,
  type GatewayFileFlags,
} from './gateway-file.ts'

/** `parley gateway check` */
export function buildCheck({ io }: CommandContext): Command {
  const command = newCommand('check', 'Checks the file of a gateway without starting anything.')
    .argument('<file>', 'the configuration')
    .option('--input <pair>', 'an answer to a question, id=value', collect)
  return addOutputFlags(command).action(async (file: string, flags: GatewayFileFlags) => {
    const printer = createPrinter(io, flags)
    const { config, problems } = await loadGatewayFile(file, flags, io)
    await config.audit?.[Symbol.asyncDispose]()
    const { describeOutgoing } = await import('@parley/gateway')
    const servers = Object.entries(config.servers).map(
      ([name, server]) => [name, describeOutgoing(server)] as const,
    )
    if (printer.isJson) {
      printer.json({ file: config.file, problems, calledAs: Object.fromEntries(servers) })
    } else for (const problem of problems) printer.line(describeProblem(problem, io))
    requireNoErrors(problems)
    if (!printer.isJson) {
      const rows = servers.map(([name, how]) => [flat(name), flat(how)])
      printer.table(rows, [{ title: 'server' }, { title: 'called', overflow: 'wrap' }])
    }
    printer.note(`${counted(Object.keys(config.servers).length, 'server')}, no errors.`)
  })
}

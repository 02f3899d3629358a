import { safeText } from '@parley/foundation/terminal'
import type { Command } from 'commander'

import { newCommand, type CommandContext } from '../command.ts'
import { withServer, type Connection } from '../connection.ts'
import { addTargetFlags, type CommonFlags } from '../flags.ts'
import { describeIcons } from '../output/icons.ts'
import { flat } from '../output/printer.ts'
import { createQuestions } from '../questions/answers.ts'
import { onlyTarget } from '../target/target.ts'

/** `parley info` */
export function build(context: CommandContext): Command {
  const command = newCommand(
    'info',
    'Shows the name, version and capabilities of a server, and the negotiated protocol.',
    [
      ['parley info https://example.com/mcp', 'over the network'],
      ['parley info --era 2025-06-18 --json -- node server.js', 'in one revision, as JSON'],
    ],
  )
  return addTargetFlags(command)
    .argument('[words...]', 'target')
    .usage('[target] [options] [-- command]')
    .action(async (words: readonly string[], flags: CommonFlags) => {
      const word = onlyTarget(words, flags, context)
      const questions = await createQuestions(flags, context.io)
      const show = async ({ client, printer }: Connection) => {
        const { server, negotiated, capabilities } = client
        const { info, instructions } = server
        if (printer.isJson) {
          const { revision, transport } = negotiated
          return printer.json({ server, revision, transport, client: { capabilities } })
        }
        const names = Object.entries(server.capabilities).map(([name, value]) =>
          describe(name, value),
        )
        printer.table(
          [
            [
              'server',
              info === undefined
                ? 'not given'
                : `${flat(info.title ?? info.name)} ${flat(info.version)}`,
            ],
            ...(info?.title === undefined || info.title === info.name
              ? []
              : [['name', flat(info.name)]]),
            ...(info?.websiteUrl === undefined ? [] : [['website', flat(info.websiteUrl)]]),
            ...(info?.icons?.length ? [['icons', describeIcons(info.icons)]] : []),
            ['revision', negotiated.revision],
            ['transport', negotiated.transport],
            ['offers', names.map((name) => flat(name)).join(', ') || 'nothing'],
          ],
          [{ overflow: 'keep', style: printer.colors.bold }, { overflow: 'wrap' }],
        )
        if (instructions !== undefined)
          printer.line(`\n${safeText(instructions, { lineLength: 4_000 })}`)
      }
      await withServer(word, flags, context, show, questions.options)
    })
}

/** `tools (listChanged)` */
function describe(name: string, value: unknown): string {
  const parts = typeof value === 'object' && value !== null ? Object.keys(value) : []
  return parts.length === 0 ? name : `${name} (${parts.join(', ')})`
}

import { createSafeFetch } from '@parley/auth'
import { readServerCard, type FoundServerCard } from '@parley/auth/network'
import { safeText } from '@parley/foundation/terminal'
import type { Command } from 'commander'

import { newCommand, type CommandContext } from '../command.ts'
import { withServer, type Connection } from '../connection.ts'
import { addTargetFlags, type CommonFlags } from '../flags.ts'
import { describeIcons } from '../output/icons.ts'
import { flat } from '../output/printer.ts'
import { createInputRequests } from '../questions/answers.ts'
import { onlyTarget, type Target } from '../target/target.ts'

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
      const questions = await createInputRequests(flags, context.io)
      const show = async ({ client, printer, target }: Connection) => {
        const { server, negotiated, capabilities } = client
        const { info, instructions } = server
        const found = await cardOf(target, context.io.signal)
        if (printer.isJson) {
          const { revision, transport } = negotiated
          const card = found?.kind === 'found' ? { card: found.card } : {}
          return printer.json({ server, revision, transport, client: { capabilities }, ...card })
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
            ...(found?.kind === 'found' ? [['card', describeCard(found, info?.version)]] : []),
          ],
          [{ overflow: 'keep', style: printer.colors.bold }, { overflow: 'wrap' }],
        )
        if (instructions !== undefined)
          printer.line(`\n${safeText(instructions, { lineLength: 4_000 })}`)
      }
      await withServer(word, flags, context, show, questions.options)
    })
}

/** What the server says of itself beside the protocol, where it is reached by URL. The user chose the address: it may be a private one. */
async function cardOf(
  { entry }: Target,
  signal: AbortSignal,
): Promise<FoundServerCard | undefined> {
  if (!('url' in entry)) return undefined
  const fetch = createSafeFetch({ network: 'any', maxBytes: 64 * 1024, timeoutMs: 3_000 })
  return readServerCard(entry.url, { fetch, signal })
}

/** A card is a claim; the connection knows better. */
function describeCard(
  { card, isOfServer }: Extract<FoundServerCard, { kind: 'found' }>,
  version: string | undefined,
): string {
  const doubts = [
    ...(isOfServer ? [] : ['names another address']),
    ...(version === undefined || version === card.version
      ? []
      : [`the server says ${flat(version)}`]),
  ]
  const note = doubts.length === 0 ? '' : ` (${doubts.join('; ')})`
  return `${flat(card.name)} ${flat(card.version)}${note}`
}

/** `tools (listChanged)` */
function describe(name: string, value: unknown): string {
  const parts = typeof value === 'object' && value !== null ? Object.keys(value) : []
  return parts.length === 0 ? name : `${name} (${parts.join(', ')})`
}

import { safeText, textWidth, wrapText } from '@parley/foundation/terminal'
import type { Client, List } from '@parley/mcp/client'
import type { Command } from 'commander'

import { newCommand, type CommandContext } from '../command.ts'
import { withServer, type Connection } from '../connection.ts'
import { CliError } from '../exit.ts'
import { addTargetFlags, positiveNumber, type CommonFlags } from '../flags.ts'
import { counted, flat, type Printer } from '../output/printer.ts'
import { createQuestions } from '../questions/answers.ts'
import { splitTarget } from '../target/target.ts'

interface ListFlags extends CommonFlags {
  readonly page?: number | undefined
  readonly tokens?: boolean | undefined
}

const kinds = ['tools', 'resources', 'templates', 'prompts'] as const
type Kind = (typeof kinds)[number]

/** `parley list` */
export function build(context: CommandContext): Command {
  const command = newCommand('list', 'Shows what a server offers.', [
    ['parley list https://example.com/mcp', 'everything'],
    ['parley list files tools', 'the tools of a configured server'],
    ['parley list tools --tokens -- node server.js', 'with what they cost a model'],
    ['parley list prompts --json -- node server.js', 'for programs'],
  ])
  return addTargetFlags(command)
    .argument('[words...]', 'target, then tools, resources, templates, prompts or all')
    .usage('[target] [tools|resources|templates|prompts|all] [options] [-- command]')
    .option('--page <number>', 'only this page of each list', positiveNumber)
    .option('--tokens', 'estimate how many tokens the definitions take')
    .action(async (words: readonly string[], flags: ListFlags) => {
      const { word, rest } = splitTarget(words, flags, context)
      const wanted = readKinds(rest)
      const { options } = await createQuestions(flags, context.io)
      const list = async ({ client, printer, call: { signal } }: Connection) => {
        const lists: { [kind in Kind]?: readonly Item[] } = {}
        for (const kind of wanted ?? kinds.filter((each) => isOffered(client, each))) {
          const found = await fetchItems(listOf(client, kind, { signal }), flags.page)
          lists[kind] = found.items
          if (found.last !== undefined)
            printer.note(`${kind}: ${counted(found.last, 'page')} in all`)
        }
        print(lists, flags, printer)
      }
      await withServer(word, flags, context, list, options)
    })
}

/** What the four kinds have in common. */
interface Item {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly uri?: string
  readonly uriTemplate?: string
}

function readKinds([word, ...more]: readonly string[]): readonly Kind[] | undefined {
  if (more.length > 0) throw new CliError('error', `too many arguments: ${more.join(' ')}`)
  if (word === undefined || word === 'all') return undefined
  const kind = kinds.find((each) => each === word)
  if (kind !== undefined) return [kind]
  throw new CliError('error', `${JSON.stringify(word)} cannot be listed`, {
    hint: `Use ${kinds.join(', ')} or all.`,
  })
}

function isOffered({ server: { capabilities } }: Client, kind: Kind): boolean {
  return capabilities[kind === 'templates' ? 'resources' : kind] !== undefined
}

function listOf(client: Client, kind: Kind, options: { readonly signal: AbortSignal }): List<Item> {
  switch (kind) {
    case 'tools':
      return client.listTools(options)
    case 'resources':
      return client.listResources(options)
    case 'templates':
      return client.listResourceTemplates(options)
    case 'prompts':
      return client.listPrompts(options)
  }
}

interface Fetched {
  readonly items: readonly Item[]
  /** How many pages there are, if the one that was wanted is not among them. */
  readonly last?: number | undefined
}

async function fetchItems(list: List<Item>, page: number | undefined): Promise<Fetched> {
  if (page === undefined) return { items: await list.toArray() }
  let found = await list.page()
  for (let at = 1; at < page; at += 1) {
    if (found.nextCursor === undefined) return { items: [], last: at }
    found = await list.page(found.nextCursor)
  }
  return { items: found.items }
}

function print(
  lists: { readonly [kind in Kind]?: readonly Item[] },
  { tokens }: ListFlags,
  printer: Printer,
): void {
  const found = Object.entries(lists)
  if (printer.isJson) {
    const named = found.map(([kind, items]) => [
      kind === 'templates' ? 'resourceTemplates' : kind,
      items,
    ])
    const estimates = Object.fromEntries(found.map(([kind, items]) => [kind, tokensOf(items)]))
    return printer.json({
      ...Object.fromEntries(named),
      ...(tokens && { estimatedTokens: estimates }),
    })
  }
  for (const [index, [kind, items]] of found.entries()) {
    if (index > 0) printer.line()
    const cost = tokens ? `, about ${tokensOf(items)} tokens` : ''
    printer.line(printer.colors.bold(`${kind} (${items.length}${cost})`))
    printItems(items, tokens === true, printer)
  }
  if (found.length === 0) printer.note(safeText('The server offers nothing that can be listed.'))
}

function printItems(items: readonly Item[], hasTokens: boolean, printer: Printer): void {
  const { colors, width } = printer
  const rows = items.map((item) => [
    `  ${flat(item.uri ?? item.uriTemplate ?? item.name)}`,
    ...(hasTokens ? [String(tokensOf(item))] : []),
    flat(item.description ?? item.title ?? (item.uri === undefined ? '' : item.name)),
  ])
  const widest = Math.max(0, ...rows.map(([name = '']) => textWidth(name)))
  if (widest <= width * 0.6) {
    return printer.table(rows, [
      { overflow: 'keep', style: colors.cyan },
      ...(hasTokens ? [{ align: 'right' } as const] : []),
      { overflow: 'wrap' },
    ])
  }
  // Beside such names there is no room for words.
  for (const [name = '', ...more] of rows) {
    printer.line(colors.cyan(name))
    const words = more.filter((text) => text !== '').join('  ')
    for (const line of words === '' ? [] : wrapText(words, width - 6)) printer.line(`      ${line}`)
  }
}

/** By the rule of thumb of four letters a token; models count differently. */
function tokensOf(value: unknown): number {
  return Math.ceil(JSON.stringify(value).length / 4)
}

import { safeText, textWidth, wrapText } from '@parley/foundation/terminal'
import { isRpcError, type Icon, type RpcError } from '@parley/mcp'
import type { Client, PagedList } from '@parley/mcp/client'
import type { Command } from 'commander'

import { newCommand, type CommandContext } from '../command.ts'
import { withServer, type Connection } from '../connection.ts'
import { CliError } from '../exit.ts'
import { addTargetFlags, positiveNumber, type CommonFlags } from '../flags.ts'
import { member } from '../json.ts'
import { describeIcons } from '../output/icons.ts'
import { counted, flat, type Printer } from '../output/printer.ts'
import { createInputRequests } from '../questions/answers.ts'
import { splitTarget } from '../target/target.ts'

interface ListFlags extends CommonFlags {
  readonly page?: number | undefined
  readonly tokens?: boolean | undefined
  readonly long?: boolean | undefined
}

const kinds = ['tools', 'resources', 'templates', 'prompts'] as const
type Kind = (typeof kinds)[number]

const methods: { readonly [kind in Kind]: string } = {
  tools: 'tools/list',
  resources: 'resources/list',
  templates: 'resources/templates/list',
  prompts: 'prompts/list',
}

/** `parley list` */
export function build(context: CommandContext): Command {
  const command = newCommand('list', 'Shows what a server offers.', [
    ['parley list https://example.com/mcp', 'everything'],
    ['parley list files tools', 'the tools of a configured server'],
    ['parley list tools --tokens -- node server.js', 'with the tokens they cost'],
    ['parley list prompts --json -- node server.js', 'for programs'],
  ])
  return addTargetFlags(command)
    .argument('[words...]', 'target, then tools, resources, templates, prompts or all')
    .usage('[target] [tools|resources|templates|prompts|all] [options] [-- command]')
    .option('--page <number>', 'only this page of each list', positiveNumber)
    .option('-l, --long', 'one per paragraph, with icons')
    .option('--tokens', 'estimate how many tokens the definitions take')
    .action(async (words: readonly string[], flags: ListFlags) => {
      const { word, rest } = splitTarget(words, flags, context)
      const wanted = readKinds(rest)
      const { options } = await createInputRequests(flags, context.io)
      const list = async ({ client, printer, call: { signal } }: Connection) => {
        const lists: { [kind in Kind]?: readonly Item[] } = {}
        const failed: FailedList[] = []
        for (const kind of wanted ?? kinds.filter((each) => isOffered(client, each))) {
          try {
            const found = await fetchItems(listOf(client, kind, { signal }), flags.page)
            lists[kind] = found.items
            if (found.last !== undefined)
              printer.note(`${kind}: ${counted(found.last, 'page')} in all`)
          } catch (error) {
            if (!isRpcError(error)) throw error
            failed.push({ method: methods[kind], error })
          }
        }
        print(lists, failed, flags, printer)
        tellFailed(failed, wanted !== undefined, printer)
      }
      await withServer(word, flags, context, list, options)
    })
}

/** The tools of a server, for someone who has not named one. */
export async function showTools({ client, printer, call: { signal } }: Connection): Promise<void> {
  print({ tools: await client.listTools({ signal }).toArray() }, [], {}, printer)
}

/** A list that the server refuses; the others are shown all the same. */
interface FailedList {
  readonly method: string
  readonly error: RpcError
}

/** Templates are often forgotten: who did not ask for them need not fail. */
function tellFailed(failed: readonly FailedList[], isRequested: boolean, printer: Printer): void {
  const isForgotten = ({ error }: FailedList) =>
    !isRequested && isRpcError(error, 'method_not_found')
  for (const each of failed.filter(isForgotten)) printer.note(describeFailed(each))
  const grave = failed.filter((each) => !isForgotten(each))
  const [first] = grave
  if (first === undefined) return
  const message = grave.map(describeFailed).join('; ')
  throw new CliError('error', message, { cause: first.error })
}

function describeFailed({ method, error }: FailedList): string {
  return `${method} failed: ${flat(error.message)} (${error.wireCode})`
}

/** What the four kinds have in common. */
interface Item {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly uri?: string
  readonly uriTemplate?: string
  readonly icons?: readonly Icon[]
  /** Where older tools have their title. */
  readonly annotations?: object
}

function readKinds([word, ...more]: readonly string[]): readonly Kind[] | undefined {
  if (more.length > 0) throw new CliError('error', `too many arguments: ${more.join(' ')}`)
  if (word === undefined || word === 'all') return undefined
  const kind = kinds.find((each) => each === word)
  if (kind !== undefined) return [kind]
  throw new CliError('error', `${JSON.stringify(word)} is not a kind of list`, {
    hint: `Use ${kinds.join(', ')} or all.`,
  })
}

function isOffered({ server: { capabilities } }: Client, kind: Kind): boolean {
  return capabilities[kind === 'templates' ? 'resources' : kind] !== undefined
}

function listOf(
  client: Client,
  kind: Kind,
  options: { readonly signal: AbortSignal },
): PagedList<Item> {
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

/** As many as a whole list may have. */
const maxPages = 1_000

async function fetchItems(list: PagedList<Item>, page: number | undefined): Promise<Fetched> {
  if (page === undefined) return { items: await list.toArray() }
  if (page > maxPages) {
    throw new CliError('error', `--page ${page} is out of range: use 1 to ${maxPages}`)
  }
  let found = await list.page()
  const cursors = new Set<string>()
  for (let at = 1; at < page; at += 1) {
    const { nextCursor } = found
    if (nextCursor === undefined) return { items: [], last: at }
    if (cursors.has(nextCursor)) {
      const cursor = JSON.stringify(flat(nextCursor, 80))
      throw new CliError(
        'error',
        `the list does not end: the server sent the cursor ${cursor} twice`,
      )
    }
    cursors.add(nextCursor)
    found = await list.page(nextCursor)
  }
  return { items: found.items }
}

function print(
  lists: { readonly [kind in Kind]?: readonly Item[] },
  failed: readonly FailedList[],
  flags: ListFlags,
  printer: Printer,
): void {
  const { tokens } = flags
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
      ...(failed.length > 0 && {
        failed: failed.map(({ method, error: { message, wireCode } }) => ({
          method,
          message,
          wireCode,
        })),
      }),
    })
  }
  for (const [index, [kind, items]] of found.entries()) {
    if (index > 0) printer.line()
    const cost = tokens ? `, about ${tokensOf(items)} tokens` : ''
    printer.line(printer.colors.bold(`${kind} (${items.length}${cost})`))
    if (items.length > 0) printItems(items, flags, printer)
  }
  if (found.length === 0 && failed.length === 0)
    printer.note(safeText('The server offers nothing that can be listed.'))
}

function printItems(
  items: readonly Item[],
  { tokens: hasTokens = false, long: isLong = false }: ListFlags,
  printer: Printer,
): void {
  const { colors, width } = printer
  if (isLong) return printLong(items, hasTokens, printer)
  const labels = items.map(labelOf)
  const hasLabels = labels.some((label) => label !== '')
  const rows = items.map((item, at) => [
    `  ${nameOf(item)}`,
    ...(hasLabels ? [labels[at] ?? ''] : []),
    ...(hasTokens ? [String(tokensOf(item))] : []),
    flat(item.description),
  ])
  const widest = Math.max(0, ...items.map((item) => textWidth(nameOf(item))))
  if (widest <= width * (hasLabels ? 0.35 : 0.6)) {
    return printer.table(rows, [
      { overflow: 'keep', style: colors.cyan },
      ...(hasLabels ? [{ overflow: 'cut', style: colors.bold } as const] : []),
      ...(hasTokens ? [{ align: 'right', overflow: 'keep' } as const] : []),
      { overflow: 'wrap' },
    ])
  }
  printLong(items, hasTokens, printer)
}

/** One below the other, with all that is known in a line: also where names leave no room for words beside them. */
function printLong(items: readonly Item[], hasTokens: boolean, printer: Printer): void {
  const { colors, width } = printer
  for (const item of items) {
    const label = labelOf(item)
    printer.line(`  ${colors.cyan(nameOf(item))}${label === '' ? '' : `  ${colors.bold(label)}`}`)
    const lines = [
      ...(hasTokens ? [`${tokensOf(item)} tokens`] : []),
      flat(item.description),
      ...(item.icons?.length ? [describeIcons(item.icons)] : []),
    ]
    for (const line of lines.filter((text) => text !== '')) {
      for (const part of wrapText(line, width - 6)) printer.line(`      ${part}`)
    }
  }
}

/** What one asks for it by. */
function nameOf({ uri, uriTemplate, name }: Item): string {
  return flat(uri ?? uriTemplate ?? name)
}

/** What people call it, where that is not what one asks for it by. */
function labelOf({ title, annotations, name, uri, uriTemplate }: Item): string {
  const older = member(annotations, 'title')
  const label = title ?? (typeof older === 'string' ? older : name)
  return label === (uri ?? uriTemplate ?? name) ? '' : flat(label, 200)
}

/** By the rule of thumb of four letters a token; models count differently. */
function tokensOf(value: unknown): number {
  return Math.ceil(JSON.stringify(value).length / 4)
}

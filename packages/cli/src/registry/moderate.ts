import { isJsonObject, errorMessage } from '@parley/mcp/json'

import type { CommandContext } from '../command.ts'
import { CliError } from '../exit.ts'
import { counted, createPrinter, flat, type Printer } from '../output/printer.ts'
import { openRegistryClient, readToken, withRegistry, type RegistryFlags } from './connection.ts'
import { openRegistry } from './mirror.ts'

/** Flags of `parley registry moderate` and `rename`. */
export interface ModerateFlags extends RegistryFlags {
  readonly reason?: string
  readonly value?: string
  readonly database?: string
}

const actions = ['list', 'hide', 'restore', 'block', 'unblock', 'note', 'set', 'remove']

/** By the API of a registry, or in a database of one's own. */
export async function moderate(
  action: string,
  words: readonly string[],
  flags: ModerateFlags,
  context: CommandContext,
): Promise<void> {
  if (!actions.includes(action)) {
    throw new CliError('error', `there is no action ${action}: use ${actions.join(', ')}`)
  }
  const printer = createPrinter(context.io, flags)
  if (action === 'list') return list(words[0], flags, context, printer)
  const decision = decisionOf(action, words, flags)
  const outcome =
    flags.database === undefined
      ? await decideByApi(decision, flags, context)
      : await decideHere(decision, flags, context)
  if (printer.isJson) return printer.json(outcome)
  const { changed } = outcome
  printer.line(
    typeof changed === 'number' ? `done: ${counted(changed, 'version')} changed` : 'noted',
  )
}

/** Gives a server another name. */
export async function rename(
  from: string,
  to: string,
  flags: ModerateFlags,
  { io }: CommandContext,
): Promise<void> {
  const printer = createPrinter(io, flags)
  const client = await openRegistryClient(flags, io)
  const token = await readToken(client, io)
  const renamed = await withRegistry(() => client.rename(from, to, token))
  if (printer.isJson) return printer.json(renamed)
  printer.line(`${flat(from)} is ${flat(renamed.server.name)} ${flat(renamed.server.version)} now`)
}

/** As the API has it. */
interface Decision {
  readonly action: string
  readonly name?: string | undefined
  readonly version?: string | undefined
  readonly publisher?: string | undefined
  readonly kind?: string | undefined
  readonly pattern?: string | undefined
  readonly value?: unknown
  readonly reason?: string | undefined
  readonly text?: string | undefined
}

function decisionOf(action: string, words: readonly string[], flags: ModerateFlags): Decision {
  const { reason, value } = flags
  const [first, second] = words
  const needed = (word: string | undefined, what: string): string => {
    if (word !== undefined) return word
    throw new CliError('error', `${action} needs ${what}`)
  }
  const why = action === 'note' ? undefined : needed(reason, '--reason TEXT')
  switch (action) {
    case 'hide':
    case 'restore': {
      const [, name, version] = /^([^@]+)(?:@(.+))?$/.exec(needed(first, 'a name')) ?? []
      return { action, name, version, reason: why }
    }
    case 'block':
    case 'unblock':
      return { action, publisher: needed(first, 'a publisher such as io.github.ada'), reason: why }
    case 'note': {
      const text = needed(
        words.length > 1 ? words.slice(1).join(' ') : undefined,
        'a name and a text',
      )
      return { action, name: first, text }
    }
    default: {
      const kind = needed(first, 'a kind of rule: allow, deny, private, block, pin or overlay')
      const pattern = needed(second, 'a name or pattern')
      const parsed = kind === 'overlay' && value !== undefined ? parseValue(value) : value
      return { action, kind, pattern, value: parsed, reason: why }
    }
  }
}

function parseValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new CliError('error', '--value is not JSON: write {"com.example/stars": 5}', { cause })
  }
}

async function decideByApi(decision: Decision, flags: ModerateFlags, { io }: CommandContext) {
  const client = await openRegistryClient(flags, io)
  const token = await readToken(client, io)
  return withRegistry(() => client.moderate(decision, token))
}

/** Who can write the database decides. */
async function decideHere(
  { action, name, version, publisher, kind, pattern = '', value, reason = '' }: Decision,
  flags: ModerateFlags,
  { io }: CommandContext,
): Promise<{ readonly changed: number }> {
  if (action === 'note') throw new CliError('error', 'notes are left by the API: use --registry')
  await using registry = await openRegistry(flags, io)
  const isTakenBack = action === 'restore' || action === 'unblock' || action === 'remove'
  const entry = version === undefined ? name : `${name}@${version}`
  const change = {
    action: isTakenBack ? ('remove' as const) : ('set' as const),
    // The registry refuses kinds that it does not know.
    kind: (publisher !== undefined ? 'block' : (kind ?? 'deny')) as 'deny',
    pattern: publisher ?? entry ?? pattern,
    value,
    reason,
  }
  return await registry.curate(change).catch((cause: unknown) => {
    throw new CliError('error', errorMessage(cause), { cause })
  })
}

async function list(
  name: string | undefined,
  flags: ModerateFlags,
  { io }: CommandContext,
  printer: Printer,
): Promise<void> {
  const found = await readList(name, flags, { io })
  if (printer.isJson) return printer.json(found)
  const rows = [...listOf(found['rules']), ...listOf(found['notes'])].map((row) => [
    flat(textOf(row['kind']) || 'note'),
    flat(textOf(row['pattern']) || textOf(row['name'])),
    flat(textOf(row['reason']) || textOf(row['text'])),
    flat(textOf(row['author'])),
    flat(textOf(row['at'])),
  ])
  const columns = ['kind', 'for', 'why', 'by', 'at'].map((title) => ({ title }))
  if (rows.length > 0) printer.table(rows, columns)
  for (const item of listOf(found['flagged'])) {
    const { server, _meta: meta } = item
    if (!isJsonObject(server) || !isJsonObject(meta)) continue
    const flagged = meta['dev.parley.registry/flags']
    const why = Array.isArray(flagged) ? flagged.map(String).join('; ') : ''
    printer.line(`flagged: ${flat(textOf(server['name']))} ${flat(why)}`)
  }
}

async function readList(
  name: string | undefined,
  flags: ModerateFlags,
  { io }: Pick<CommandContext, 'io'>,
): Promise<{ readonly [field: string]: unknown }> {
  if (flags.database !== undefined) {
    await using registry = await openRegistry(flags, io)
    return { rules: await registry.rules() }
  }
  const client = await openRegistryClient(flags, io)
  const token = await readToken(client, io)
  return withRegistry(() => client.moderation(name, token))
}

function listOf(value: unknown): readonly { readonly [field: string]: unknown }[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

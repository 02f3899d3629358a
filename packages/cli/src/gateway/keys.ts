import { resolve } from 'node:path'

import type { ApiKeyFile, ListedKey } from '@parley/gateway'
import type { Command } from 'commander'

import { newCommand, type CommandContext } from '../command.ts'
import { CliError } from '../exit.ts'
import { addOutputFlags, collect, type CommonFlags } from '../flags.ts'
import type { Io } from '../io.ts'
import { createPrinter, flat } from '../output/printer.ts'

interface KeyFlags extends Pick<CommonFlags, 'json' | 'quiet' | 'color'> {
  readonly file: string
  readonly name: string
  readonly scope?: readonly string[]
  readonly expires?: string
}

/** `parley gateway keys`, and the same for a registry. */
export function buildKeys(
  { io }: CommandContext,
  program: 'gateway' | 'registry' = 'gateway',
): Command {
  const words = `parley ${program} keys`
  const create = newCommand('create', 'Makes a key and shows it, this once.', [
    [`${words} create --name ada --expires 90d`, 'a key for ninety days'],
  ])
    .requiredOption('--name <holder>', 'whose key it is: the subject of its requests')
    .option('--scope <scope>', 'what it may be used for; may be repeated', collect)
    .option('--expires <when>', 'a date, or a time from now: 12h, 90d')
  const list = newCommand('list', 'Shows all keys, without the keys themselves.')
  const revoke = newCommand('revoke', 'Ends a key.').argument('<id>', 'as the list shows it')

  addFlags(create).action((flags: KeyFlags) =>
    guarded(async () => {
      const printer = createPrinter(io, flags)
      const keys = await openKeys(flags, io)
      const expires = flags.expires === undefined ? undefined : readEnd(flags.expires)
      const { key, stored } = await keys.createKey({
        name: flags.name,
        scopes: flags.scope,
        expires,
      })
      if (printer.isJson) return printer.json({ ...stored, key })
      printer.line(key)
      printer.note(
        `The key ${stored.id} of ${flat(stored.name)}. It is shown this once: only its hash is kept.`,
      )
    }),
  )
  addFlags(list).action((flags: KeyFlags) =>
    guarded(async () => {
      const printer = createPrinter(io, flags)
      const all = (await openKeys(flags, io)).list()
      if (printer.isJson) return printer.json(all)
      if (all.length === 0) return printer.note(`There are no keys. Make one with ${words} create.`)
      printer.table(
        all.map(rowOf),
        ['id', 'holder', 'state', 'scopes', 'created', 'expires'].map((title) => ({ title })),
      )
    }),
  )
  addFlags(revoke).action((id: string, flags: KeyFlags) =>
    guarded(async () => {
      const printer = createPrinter(io, flags)
      const stored = await (await openKeys(flags, io)).revoke(id)
      if (printer.isJson) return printer.json(stored)
      printer.note(
        `The key ${stored.id} of ${flat(stored.name)} is revoked. Running programs refuse it within a second.`,
      )
    }),
  )
  return newCommand('keys', `Makes, lists and revokes API keys for a ${program}.`, [
    [`${words} create --name ada`, 'shows a new key'],
    [`${words} list`, 'all of them'],
    [`${words} revoke 1f7s0v3kqz2m`, 'ends one'],
  ])
    .addCommand(create)
    .addCommand(list)
    .addCommand(revoke)
}

function addFlags(command: Command): Command {
  return addOutputFlags(command.option('--file <file>', 'where the keys are', 'keys.json'))
}

async function openKeys({ file }: KeyFlags, io: Io): Promise<ApiKeyFile> {
  const { openApiKeyFile } = await import('@parley/gateway')
  return openApiKeyFile({ path: resolve(io.cwd, file) })
}

function rowOf({ id, name, state, scopes, created, expires }: ListedKey): readonly string[] {
  return [
    id,
    flat(name),
    state,
    flat(scopes.join(' ')),
    created.slice(0, 10),
    expires?.slice(0, 10) ?? 'never',
  ]
}

/** `90d`, `12h`, or a date. */
function readEnd(text: string): Date {
  const [, amount = '', unit] = /^(\d{1,5})(h|d)$/.exec(text) ?? []
  const ms = Number(amount) * (unit === 'd' ? 86_400_000 : 3_600_000)
  const end = unit === undefined ? new Date(text) : new Date(Date.now() + ms)
  if (!Number.isNaN(end.getTime())) return end
  throw new CliError(
    'error',
    `--expires ${JSON.stringify(text)} is not a date: write 2027-01-31, 12h or 90d`,
  )
}

/** What is wrong with the file or the flags, in the words of a command. */
async function guarded(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    throw error instanceof CliError || !(error instanceof Error)
      ? error
      : new CliError('error', error.message)
  }
}

import { mkdir } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

import {
  configFormats,
  editConfig,
  exportConfig,
  isConfigFormat,
  isWritableFormat,
  writableFormats,
  type ConfigEdit,
  type ConfigEntry,
  type ConfigFormat,
  type WritableFormat,
} from '@parley/foundation/config'
import { safeJsonText } from '@parley/foundation/terminal'
import type { Command } from 'commander'

import { newCommand, type CommandContext } from '../command.ts'
import { CliError } from '../exit.ts'
import { type CommonFlags } from '../flags.ts'
import type { Io } from '../io.ts'
import { createPrinter, type Printer } from '../output/printer.ts'
import { createPrompter } from '../questions/asker.ts'
import { loadFor } from '../target/configured-target.ts'
import { addConfigFlags } from './list.ts'
import { readConfigText, saveEdit } from './save-edit.ts'

interface ExchangeFlags extends CommonFlags {
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly output?: string | undefined
  readonly unmask?: boolean | undefined
  readonly yes?: boolean | undefined
}

const formats = Object.keys(configFormats).join(', ')
const writable = writableFormats.join(', ')

/** `parley config import`, and the same for the file of a gateway. */
export function buildImport(
  { io }: CommandContext,
  { program = 'config', usual = 'mcp.json' } = {},
): Command {
  const command = newCommand(
    'import',
    'Copies servers of another program into our configuration file.',
    [
      [`parley ${program} import --from claude-desktop`, `all of them, into ./${usual}`],
      [`parley ${program} import git time --config other.json -o mcp.yaml`, 'two of them'],
    ],
  )
  return addConfigFlags(command)
    .argument('[names...]', 'the servers to copy (default: all)')
    .option('--from <program>', `one of ${formats}`)
    .option('-o, --output <file>', 'the file to change', usual)
    .option('--unmask', 'copy secrets as they are')
    .option('-y, --yes', 'do not ask before writing')
    .action(async (names: readonly string[], flags: ExchangeFlags) => {
      const printer = createPrinter(io, flags)
      const file = resolve(io.cwd, flags.output ?? usual)
      const entries = (await choose(names, flags, io)).filter(({ source }) => source.file !== file)
      await put(entries, 'parley', file, flags, io, printer)
    })
}

/** `parley config export`, and the same for the file of a gateway. */
export function buildExport(
  { io }: CommandContext,
  { program = 'config', from = '' } = {},
): Command {
  const command = newCommand('export', 'Writes servers in the format of another program.', [
    [`parley ${program} export --to vscode${from}`, 'a whole file, to standard output'],
    [
      `parley ${program} export git --to cursor -o .cursor/mcp.json${from}`,
      'into a file, keeping its other entries',
    ],
  ])
  return addConfigFlags(command)
    .argument('[names...]', 'the servers to copy (default: all)')
    .requiredOption('--to <program>', `one of ${writable}`)
    .option('--from <program>', 'only the servers of this one')
    .option('-o, --output <file>', 'a file to change')
    .option('--unmask', 'write secrets as they are')
    .option('-y, --yes', 'do not ask before writing')
    .action(async (names: readonly string[], flags: ExchangeFlags) => {
      const printer = createPrinter(io, flags)
      const format = writableFormatOf(flags.to ?? '')
      const entries = await choose(names, flags, io)
      if (flags.output !== undefined) {
        return put(entries, format, resolve(io.cwd, flags.output), flags, io, printer)
      }
      const { text, notes } = exportConfig(entries, format, secretsOf(flags))
      for (const note of notes) printer.note(note)
      // Names and values are those of the file, whoever wrote it.
      io.stdout.write(safeJsonText(text))
    })
}

function secretsOf({ unmask }: ExchangeFlags): { readonly secrets: 'keep' | 'variables' } {
  return { secrets: unmask ? 'keep' : 'variables' }
}

function formatOf(name: string): ConfigFormat {
  if (isConfigFormat(name)) return name
  throw new CliError('error', `${JSON.stringify(name)} is unknown`, { hint: `Use ${formats}.` })
}

function writableFormatOf(name: string): WritableFormat {
  if (isWritableFormat(name)) return name
  throw new CliError('error', `${JSON.stringify(name)} is unknown`, { hint: `Use ${writable}.` })
}

async function choose(
  names: readonly string[],
  flags: ExchangeFlags,
  io: Io,
): Promise<readonly ConfigEntry[]> {
  const { entries, problems } = await loadFor(flags, io)
  const from = flags.from === undefined ? undefined : formatOf(flags.from)
  const candidates = entries.filter(({ source }) => from === undefined || source.format === from)
  const first = [
    ...new Map(candidates.toReversed().map((entry) => [entry.name, entry])).values(),
  ].toReversed()
  const missing = names.filter((name) => !first.some((entry) => entry.name === name))
  if (missing.length > 0) throw new CliError('error', `unknown server: ${missing.join(', ')}`)
  const chosen = names.length === 0 ? first : first.filter(({ name }) => names.includes(name))
  if (chosen.length > 0) return chosen
  const [problem] = problems
  throw new CliError('error', 'there is no server to copy', {
    hint: problem && `${problem.file}: ${problem.message}`,
  })
}

async function put(
  entries: readonly ConfigEntry[],
  format: WritableFormat,
  file: string,
  flags: ExchangeFlags,
  io: Io,
  printer: Printer,
): Promise<void> {
  const { servers, inputs, notes } = exportConfig(entries, format, secretsOf(flags))
  for (const note of notes) printer.note(note)
  const text = await readConfigText(file)
  const edit = editConfig({ file, text, format, servers, inputs })
  if (edit.diff === '') return printer.note(`${file} already has all of them.`)
  if (printer.isJson) printer.json({ file, diff: edit.diff, notes })
  else printer.line(edit.diff)
  if (flags.yes !== true) await confirm(edit, io)
  await mkdir(dirname(file), { recursive: true })
  await saveEdit(edit)
  printer.note(`wrote ${file}`)
}

/** Nothing is written before somebody has seen what changes. */
async function confirm({ file }: ConfigEdit, io: Io): Promise<void> {
  if (io.stdin.isTTY !== true) {
    throw new CliError('input_required', `${file} was not changed`, {
      hint: 'Use --yes to write it.',
    })
  }
  const prompter = createPrompter(io)
  try {
    const line = await prompter.ask(`Write ${file}? [y/N] `)
    if (!/^y/i.test(line?.trim() ?? '')) throw new CliError('error', `${file} was not changed`)
  } finally {
    prompter.close()
  }
}

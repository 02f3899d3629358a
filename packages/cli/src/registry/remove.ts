import { readFile } from 'node:fs/promises'

import { editConfig } from '@parley/foundation/config'
import type { Command } from 'commander'

import { newCommand, type CommandContext } from '../command.ts'
import { near } from '../config/list.ts'
import { saveEdit } from '../config/save-edit.ts'
import { hintFor } from '../did-you-mean.ts'
import { CliError } from '../exit.ts'
import { addOutputFlags, type CommonFlags } from '../flags.ts'
import { createPrinter, flat } from '../output/printer.ts'
import { createPrompter } from '../questions/asker.ts'
import { loadFor } from '../target/configured-target.ts'
import { isConfirmed } from './install.ts'
import { forgetInstall } from './installs.ts'

interface RemoveFlags extends CommonFlags {
  readonly file?: string
  readonly yes?: boolean
  readonly dryRun?: boolean
}

/** It starts no server by a command. */
export const dashes = 'words'

/** `parley remove` */
export function build(context: CommandContext): Command {
  const command = newCommand('remove', 'Removes a server from a configuration file.', [
    ['parley remove weather', 'shows the change, and asks'],
    ['parley remove weather --file .vscode/mcp.json --yes', 'from this file, without asking'],
  ])
    .argument('<name>', 'the name of the entry')
    .option('--file <file>', 'the file to change, if several have the entry')
    .option('-y, --yes', 'write the file without asking')
    .option('--dry-run', 'only show what would be written')
  return addOutputFlags(command).action((name: string, flags: RemoveFlags) =>
    remove(name, flags, context),
  )
}

async function remove(name: string, flags: RemoveFlags, { io }: CommandContext): Promise<void> {
  const printer = createPrinter(io, flags)
  const config = flags.file === undefined ? undefined : [flags.file]
  const { entries } = await loadFor({ ...flags, config }, io)
  const sources = entries.filter((entry) => entry.name === name).map(({ source }) => source)
  const [source, ...others] = sources
  if (source === undefined) {
    const names = entries.map((entry) => entry.name)
    throw new CliError('error', `no configuration file has an entry ${flat(name)}`, {
      hint: hintFor(name, names),
    })
  }
  if (others.length > 0) {
    const files = sources.map((item) => near(item.file, io.cwd, io.env['HOME']))
    throw new CliError('error', `${flat(name)} is in ${files.join(' and ')}`, {
      hint: 'Name the file: --file FILE',
    })
  }
  const { file, format } = source
  const text = await readFile(file, 'utf8')
  const edit = editConfig({ file, text, format, servers: { [name]: undefined } })
  const { diff } = edit
  if (printer.isJson) printer.json({ entry: name, file, diff })
  else for (const line of diff.split('\n')) printer.line(flat(line))
  if (flags.dryRun) return
  const prompter = io.stdin.isTTY === true && !printer.isJson ? createPrompter(io) : undefined
  try {
    if (!(await isConfirmed(flags, file, prompter))) return
  } finally {
    prompter?.close()
  }
  await saveEdit(edit)
  await forgetInstall({ file, entry: name }, io)
  printer.note(`wrote ${file}`)
}

import type { Command } from 'commander'

import { newCommand, type CommandContext } from '../command.ts'
import { addOutputFlags, collect } from '../flags.ts'
import { createPrinter } from '../output/printer.ts'
import { createPrompter } from '../questions/asker.ts'
import { openRegistryClient, withRegistry, type RegistryFlags } from './connection.ts'
import { fileOf, formatOf, warn, type InstallFlags } from './install.ts'
import { writeInstall } from './write-install.ts'

interface AddFlags extends RegistryFlags, InstallFlags {
  readonly client?: string
  readonly file?: string
  readonly as?: string
  readonly use?: string
  readonly probe?: boolean
}

/** It starts no server by a command. */
export const dashes = 'words'

/** `parley add` */
export function build(context: CommandContext): Command {
  const command = newCommand('add', 'Adds a server of a registry to a configuration file.', [
    ['parley add io.github.ada/weather', 'to mcp.json of this folder'],
    [
      'parley add io.github.ada/weather@1.2.0 --client vscode',
      'another version, for another product',
    ],
    ['parley add io.github.ada/weather --answer region=eu --yes', 'without questions'],
  ])
    .argument('<name>', 'its name, with @version for another than the latest')
    .option(
      '--client <product>',
      'claude, claude-desktop, vscode, cursor, codex, windsurf, zed, gemini, copilot-cli, opencode, goose, lm-studio, cline, continue, jetbrains or parley',
      'parley',
    )
    .option('--file <file>', "the file to change, instead of the product's own")
    .option('--as <name>', 'the name of the entry')
    .option('--use <text>', 'which package or remote, if there are several: a part of its name')
    .option('--answer <pair>', 'an answer to a question, NAME=value; may be repeated', collect)
    .option('--probe', 'start it once without a network, and keep which tools it has')
    .option('--registry <url>', 'the registry to ask')
    .option('-y, --yes', 'write the file without asking')
    .option('--dry-run', 'only show what would be written')
    .option('--unprotected', 'allow secrets in a file with its key beside it')
  return addOutputFlags(command).action((name: string, flags: AddFlags) =>
    add(name, flags, context),
  )
}

async function add(word: string, flags: AddFlags, { io }: CommandContext): Promise<void> {
  const printer = createPrinter(io, flags)
  const { clientFormats, entryName } = await import('@parley/registry/client')
  const { client: product = 'parley' } = flags
  const file = fileOf(flags, formatOf(product, clientFormats), io)
  const client = await openRegistryClient(flags, io)
  const [, name = word, version] = /^([^@]+)@(.+)$/.exec(word) ?? []
  const found = await withRegistry(() => client.find(name, version))
  warn(found, printer)
  const mayAsk = io.stdin.isTTY === true && !printer.isJson
  const prompter = mayAsk ? createPrompter(io) : undefined
  try {
    await writeInstall(
      {
        found,
        registry: client.url,
        entry: flags.as ?? entryName(name),
        file,
        product,
        use: flags.use,
        isPinned: version !== undefined,
        known: {},
      },
      flags,
      { io, printer, prompter },
    )
  } finally {
    prompter?.close()
  }
}

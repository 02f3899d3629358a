import type { ServerResponse } from '@parley/registry/client'
import type { Command } from 'commander'

import { newCommand, type CommandContext } from '../command.ts'
import { CliError } from '../exit.ts'
import { addOutputFlags, collect } from '../flags.ts'
import type { Io } from '../io.ts'
import { createPrinter, flat, type Printer } from '../output/printer.ts'
import { createPrompter } from '../questions/asker.ts'
import { openRegistryClient, withRegistry, type RegistryFlags } from './connection.ts'
import { warn, type InstallFlags } from './install.ts'
import { readInstalls, type Install } from './installs.ts'
import { writeInstall } from './write-install.ts'

interface UpdateFlags extends RegistryFlags, InstallFlags {
  readonly to?: string
  readonly probe?: boolean
}

/** It starts no server by a command. */
export const dashes = 'words'

/** `parley update` */
export function build(context: CommandContext): Command {
  const command = newCommand(
    'update',
    'Brings servers that `parley add` wrote to newer versions.',
    [
      ['parley update --dry-run', 'what is newer, and what would change'],
      ['parley update weather', 'one server'],
      ['parley update weather --to 1.3.0', 'to a version of your choice, which is then pinned'],
    ],
  )
    .argument('[name]', 'the entry or the server; all without one')
    .option('--to <version>', 'this version, higher or lower')
    .option('--answer <pair>', 'an answer to a new question, NAME=value; may be repeated', collect)
    .option('--probe', 'start it once without a network, and compare its tools')
    .option('--registry <url>', 'another registry than the one it came from')
    .option('-y, --yes', 'write files without asking')
    .option('--dry-run', 'only show what would be written')
    .option('--unprotected', 'allow secrets in a file with its key beside it')
  return addOutputFlags(command).action((name: string | undefined, flags: UpdateFlags) =>
    update(name, flags, context),
  )
}

async function update(
  word: string | undefined,
  flags: UpdateFlags,
  { io }: CommandContext,
): Promise<void> {
  const printer = createPrinter(io, flags)
  const all = await readInstalls(io)
  const meant = word === undefined ? all : all.filter((candidate) => isMeant(candidate, word))
  if (word !== undefined && meant.length === 0) throw unknown(word, all)
  if (flags.to !== undefined && word === undefined) {
    throw new CliError('error', '--to needs the name of one server')
  }
  let changed = 0
  for (const install of meant) {
    const isNamed = word !== undefined
    changed += (await updateOne(install, { flags, io, printer, isNamed })) ? 1 : 0
  }
  if (changed === 0 && !printer.isJson && !flags.dryRun) {
    printer.note(meant.length === 0 ? 'nothing was added by `parley add`' : 'nothing was changed')
  }
}

interface Updating {
  readonly flags: UpdateFlags
  readonly io: Io
  readonly printer: Printer
  /** Whether the user named it: then a pin is no obstacle. */
  readonly isNamed: boolean
}

async function updateOne(
  install: Install,
  { flags, io, printer, isNamed }: Updating,
): Promise<boolean> {
  const { compareVersions } = await import('@parley/registry/client')
  const { name, version, entry, file } = install
  if (install.isPinned && !isNamed) {
    printer.note(`${flat(entry)} is pinned to ${flat(version)}: name it to update it`)
    return false
  }
  const registry = flags.registry ?? install.registry
  const client = await openRegistryClient({ ...flags, registry }, io)
  const found = await withRegistry(() => client.find(name, flags.to))
  await requireUnchanged(install, found, (wanted) => client.find(name, wanted))
  const order = compareVersions(comparable(found), {
    version,
    publishedAt: install.publishedAt ?? '',
    id: 0,
  })
  if (found.server.version === version || (flags.to === undefined && order <= 0)) {
    printer.note(`${flat(entry)} is up to date: ${flat(name)} ${flat(version)}`)
    return false
  }
  warn(found, printer)
  const prompter = io.stdin.isTTY === true && !printer.isJson ? createPrompter(io) : undefined
  try {
    return await writeInstall(
      {
        found,
        registry: client.url,
        entry,
        file,
        product: install.product,
        use: install.use,
        isPinned: flags.to !== undefined || install.isPinned,
        known: install.answers,
        before: install,
      },
      flags,
      { io, printer, prompter },
    )
  } finally {
    prompter?.close()
  }
}

/** A version is published once, forever: if the one that was added is another one now, somebody has tampered with it. */
async function requireUnchanged(
  { name, version, hash }: Install,
  latest: ServerResponse,
  find: (version: string) => Promise<ServerResponse>,
): Promise<void> {
  const { documentHash, RegistryError } = await import('@parley/registry/client')
  const isClosed = (error: unknown) => error instanceof RegistryError && error.status === 404
  const same =
    latest.server.version === version
      ? latest
      : await withRegistry(() =>
          find(version).catch((error: unknown) => {
            if (isClosed(error)) return undefined
            throw error
          }),
        )
  if (same === undefined || documentHash(same.server) === hash) return
  throw new CliError('invalid', `${flat(name)} ${flat(version)} is not what was added`, {
    hint: 'The registry changed the document of a version, which is published once and forever. Find out why, then use `parley add` again.',
  })
}

function comparable({ server, _meta: meta }: ServerResponse) {
  const official = meta?.['io.modelcontextprotocol.registry/official']
  return { version: server.version, publishedAt: official?.publishedAt ?? '', id: 1 }
}

/** By the name of the entry or of the server. */
export function isMeant({ entry, name }: Install, word: string): boolean {
  return entry === word || name === word
}

/** Nothing was added by this name. */
export function unknown(word: string, all: readonly Install[]): CliError {
  const names = [...new Set(all.map(({ entry }) => flat(entry)))]
  return new CliError('error', `nothing called ${flat(word)} was added by \`parley add\``, {
    hint: names.length === 0 ? undefined : `Added were ${names.join(', ')}.`,
  })
}

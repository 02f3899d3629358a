/**
 * `parley link`: prints, as Markdown for a README, how people install a server of a registry in their product. The links and commands are
 * those of the registry's page (`installLinks`); this file only finds the server and lays them out. Secrets are in none of them: where an
 * answer is open, VS Code asks, and commands take it from an environment variable, which the text names.
 */

import { resolve } from 'node:path'

import { installLinks, variableName, type InstallLink } from '@parley/foundation/install-links'
import type { OpenQuestion, ServerDocument } from '@parley/registry/client'
import type { Command } from 'commander'

import { newCommand, type CommandContext } from '../command.ts'
import { CliError } from '../exit.ts'
import { addOutputFlags } from '../flags.ts'
import type { Io } from '../io.ts'
import { createPrinter, flat, type Printer } from '../output/printer.ts'
import { openRegistryClient, withRegistry, type RegistryFlags } from './connection.ts'
import { readJson } from './documents.ts'
import { choosePlan, usage, warn } from './install.ts'

interface LinkFlags extends RegistryFlags {
  readonly use?: string
}

/** It starts no server by a command. */
export const dashes = 'words'

const products: Readonly<Record<InstallLink['client'], string>> = {
  claude: 'Claude Code',
  vscode: 'VS Code',
  cursor: 'Cursor',
  codex: 'Codex',
  gemini: 'Gemini CLI',
  parley: 'Parley',
  inspector: 'Look inside it, without installing it',
}

/** `parley link` */
export function build(context: CommandContext): Command {
  const command = newCommand(
    'link',
    'Prints links and commands for a README that install a server.',
    [
      ['parley link io.github.ada/weather', 'of the latest version'],
      ['parley link server.json >> README.md', 'of a server that is not published yet'],
    ],
  )
    .argument(
      '<server>',
      'its name in the registry, with @version for another than the latest; or server.json',
    )
    .option('--use <text>', 'which package or remote, if there are several: a part of its name')
    .option('--registry <url>', 'the registry to ask')
  return addOutputFlags(command).action((server: string, flags: LinkFlags) =>
    link(server, flags, context),
  )
}

async function link(word: string, flags: LinkFlags, { io }: CommandContext): Promise<void> {
  const printer = createPrinter(io, flags)
  const document = await findDocument(word, flags, io, printer)
  const { createClientEntry, entryName, installOffers } = await import('@parley/registry/client')
  const { name, version } = document
  const plan = choosePlan(installOffers(document), flags.use, name)
  if (plan.isBuilt) {
    throw new CliError('error', `${flat(plan.title)} is built on each machine: no link starts it`, {
      hint: `Let people run \`parley add ${flat(name)}\`.`,
    })
  }
  const entry = entryName(name)
  const made = usage(() => createClientEntry(plan, { name: entry, format: 'parley', answers: {} }))
  const links = installLinks({
    name: entry,
    server: `${name}@${version}`,
    entry: made.entry,
    inputs: made.inputs,
  })
  const answers = made.open.map((one) => ({ ...one, variable: variableName(one.inputId) }))
  if (printer.isJson) {
    const variables = answers.map(({ variable, question: { id, description, isSecret } }) => ({
      variable,
      question: id,
      ...(description !== undefined && { description }),
      isSecret,
    }))
    return printer.json({ name, version, use: plan.title, links, variables })
  }
  for (const line of markdown(links, answers)) printer.line(line)
  printer.note(`for ${flat(name)} ${flat(version)}: run this again after the next release`)
}

/** From the registry, or from a file that is to be published. */
async function findDocument(
  word: string,
  flags: LinkFlags,
  io: Io,
  printer: Printer,
): Promise<ServerDocument> {
  if (/\.json$/i.test(word)) return readServerFile(resolve(io.cwd, word))
  const client = await openRegistryClient(flags, io)
  const [, name = word, version] = /^([^@]+)@(.+)$/.exec(word) ?? []
  const found = await withRegistry(() => client.find(name, version))
  warn(found, printer)
  return found.server
}

async function readServerFile(path: string): Promise<ServerDocument> {
  const { validateDocument } = await import('@parley/registry/client')
  const validation = validateDocument(await readJson(path))
  if (validation.isValid) return validation.document
  const [first] = validation.issues.filter(({ severity }) => severity === 'error')
  throw new CliError('invalid', `${path}: ${flat(first?.path)} ${flat(first?.message)}`, {
    hint: 'Run `parley registry validate` to see everything that is wrong with it.',
  })
}

type Answer = OpenQuestion & { readonly variable: string }

/** Links first, then a command for each product that has none, then what the commands need. */
function markdown(links: readonly InstallLink[], answers: readonly Answer[]): readonly string[] {
  const clicks = links.flatMap(({ client, web }) =>
    web === undefined ? [] : [`[Install in ${products[client]}](${web})`],
  )
  const commands = links.flatMap(({ client, kind, text }) =>
    kind === 'command' ? [`# ${products[client]}`, flat(text, 10_000)] : [],
  )
  return [
    clicks.join(' · '),
    '',
    '```sh',
    ...commands,
    '```',
    ...(answers.length > 0 ? ['', 'The commands take these from the environment:', ''] : []),
    ...answers.map(({ variable, question: { description, isSecret } }) => {
      const about = description === undefined ? '' : `: ${flat(description, 200)}`
      return `- \`${variable}\`${about}${isSecret ? ' (secret)' : ''}`
    }),
  ]
}

import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

import {
  configLocations,
  createInputAnswers,
  editConfig,
  type WritableFormat,
} from '@parley/foundation/config'
import { openSecretStore, stateFolder } from '@parley/foundation/secrets'
import type {
  InstallEntry,
  InstallPlan,
  OpenQuestion,
  ServerResponse,
} from '@parley/registry/client'
import type { Command } from 'commander'

import { newCommand, type CommandContext } from '../command.ts'
import { CliError } from '../exit.ts'
import { addOutputFlags, collect, readPair } from '../flags.ts'
import type { Io } from '../io.ts'
import { createPrinter, flat, type Printer } from '../output/printer.ts'
import { createAsker, type Asker } from '../questions/asker.ts'
import { openRegistryClient, withRegistry, type RegistryFlags } from './connection.ts'

interface AddFlags extends RegistryFlags {
  readonly client?: string
  readonly file?: string
  readonly as?: string
  readonly use?: string
  readonly answer?: readonly string[]
  readonly yes?: boolean
  readonly dryRun?: boolean
  readonly unprotected?: boolean
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
    .option('--client <product>', 'claude, claude-desktop, vscode, cursor or parley', 'parley')
    .option('--file <file>', "the file to change, instead of the product's own")
    .option('--as <name>', 'the name of the entry')
    .option('--use <text>', 'which package or remote, if there are several: a part of its name')
    .option('--answer <pair>', 'an answer to a question, NAME=value; may be repeated', collect)
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
  const { clientFormats, createClientEntry, entryName, installPlans } =
    await import('@parley/registry/client')
  const format = formatOf(flags.client, clientFormats)
  const file = fileOf(flags, format, io)
  const client = await openRegistryClient(flags, io)
  const [, name = word, version] = /^([^@]+)@(.+)$/.exec(word) ?? []
  const found = await withRegistry(() => client.find(name, version))
  warn(found, printer)
  const plan = choosePlan(installPlans(found.server), flags.use, name)
  const mayAsk = io.stdin.isTTY === true && !printer.isJson
  const asker = mayAsk ? createAsker(io) : undefined
  try {
    const answers = await answerAll(plan, flags, asker)
    const entry = flags.as ?? entryName(name)
    const made = usage(() => createClientEntry(plan, { name: entry, format, answers }))
    const { servers, inputs, notes } = made.exported
    const text = await readFile(file, 'utf8').catch(() => '')
    const edit = usage(() => editConfig({ file, text, format, servers, inputs }))
    const shown = {
      name,
      version: found.server.version,
      entry,
      file,
      runs: showEntry(made.entry),
      servers,
      inputs,
      notes,
    }
    if (printer.isJson) printer.json(shown)
    else {
      printer.line(`${flat(name)} ${flat(found.server.version)} (${flat(plan.title)})`)
      printer.line(`runs: ${shown.runs}`)
      for (const line of edit.diff.split('\n')) printer.line(flat(line))
      for (const note of notes) printer.note(note)
    }
    if (flags.dryRun || !(await isConfirmed(flags, file, asker))) return
    if (format === 'parley') await keepSecrets(made.open, answers, file, flags, io)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, edit.after)
    printer.note(`wrote ${file}`)
  } finally {
    asker?.close()
  }
}

function formatOf(
  client = 'parley',
  formats: { readonly [client: string]: WritableFormat },
): WritableFormat {
  const format = Object.hasOwn(formats, client) ? formats[client] : undefined
  if (format !== undefined) return format
  const known = Object.keys(formats).join(', ')
  throw new CliError('error', `--client ${client} is unknown: use ${known}`)
}

/** The project's own file where the product has one. */
function fileOf({ file }: AddFlags, format: WritableFormat, { cwd, env }: Io): string {
  if (file !== undefined) return resolve(cwd, file)
  const home = env['HOME'] ?? env['USERPROFILE'] ?? cwd
  const found = configLocations({ cwd, home, env, platform: process.platform }).find(
    (location) => location.format === format,
  )
  return found?.file ?? resolve(cwd, 'mcp.json')
}

function warn({ server, _meta: meta }: ServerResponse, printer: Printer): void {
  const { status, statusMessage } = meta?.['io.modelcontextprotocol.registry/official'] ?? {}
  if (status === 'deprecated' || status === 'deleted') {
    const why = statusMessage === undefined ? '' : `: ${flat(statusMessage)}`
    printer.note(`warning: ${flat(server.name)} ${flat(server.version)} is ${status}${why}`)
  }
  const flags = meta?.['dev.parley.registry/flags']
  for (const flag of Array.isArray(flags) ? flags : []) {
    printer.note(`warning: ${flat(server.name)} ${flat(String(flag))}`)
  }
}

function choosePlan(
  plans: readonly InstallPlan[],
  use: string | undefined,
  name: string,
): InstallPlan {
  const titles = plans.map(({ title }) => flat(title))
  const fitting = use === undefined ? plans : plans.filter(({ title }) => title.includes(use))
  const [plan] = fitting
  if (plan === undefined) {
    throw new CliError(
      'error',
      plans.length === 0
        ? `${flat(name)} offers nothing that can be started or reached from a configuration file`
        : `${flat(name)} offers nothing with ${JSON.stringify(use)}`,
      { hint: titles.length === 0 ? undefined : `It offers ${titles.join(', ')}.` },
    )
  }
  return plan
}

/** By flag, by whoever sits there, by default. */
async function answerAll(
  { questions }: InstallPlan,
  { answer = [] }: AddFlags,
  asker: Asker | undefined,
): Promise<{ readonly [id: string]: string | undefined }> {
  const answers = Object.fromEntries(answer.map((pair) => readPair(pair, '--answer')))
  const unknown = Object.keys(answers).find((id) => !questions.some((one) => one.id === id))
  if (unknown !== undefined) {
    const known = questions.map(({ id }) => flat(id)).join(', ')
    throw new CliError('error', `--answer ${unknown}: there is no such question`, {
      hint: known === '' ? undefined : `Questions: ${known}.`,
    })
  }
  for (const question of questions) {
    const { id, isRequired, isSecret, default: preset, choices, description } = question
    if (answers[id] !== undefined || asker === undefined) continue
    const about = description === undefined ? '' : ` (${flat(description, 200)})`
    const options =
      choices === undefined ? '' : ` [${choices.map((one) => flat(one, 50)).join(', ')}]`
    const rest =
      preset === undefined
        ? isRequired
          ? ''
          : ', empty for none'
        : `, empty for ${flat(preset, 50)}`
    const given = await asker.ask(`${flat(id, 100)}${about}${options}${rest}: `, {
      isHidden: isSecret,
    })
    if (given === undefined) throw new CliError('interrupted', 'interrupted')
    if (given !== '') answers[id] = given
  }
  for (const { id, choices, isRequired, isSecret, default: preset } of questions) {
    const given = answers[id]
    if (given !== undefined && choices && !choices.includes(given)) {
      throw new CliError(
        'error',
        `${flat(id)} must be one of ${choices.map((one) => flat(one)).join(', ')}`,
      )
    }
    if (given === undefined && preset === undefined && isRequired && !isSecret) {
      throw new CliError('input_required', `${flat(id)} must be answered`, {
        hint: `Use --answer ${flat(id)}=VALUE.`,
      })
    }
  }
  return answers
}

async function isConfirmed(
  { yes }: AddFlags,
  file: string,
  asker: Asker | undefined,
): Promise<boolean> {
  if (yes) return true
  if (asker === undefined) {
    throw new CliError('input_required', `${file} was not changed: nobody is there to agree`, {
      hint: 'Use --yes to write it, or --dry-run to only look.',
    })
  }
  return /^y(?:es)?$/i.test((await asker.ask(`Write ${file}? [y/N] `)) ?? '')
}

/** Where the entry looks for them when it is started. */
async function keepSecrets(
  open: readonly OpenQuestion[],
  answers: { readonly [id: string]: string | undefined },
  file: string,
  { unprotected }: AddFlags,
  io: Io,
): Promise<void> {
  const store = createInputAnswers(stateFolder({ env: io.env }), async () => {
    const secrets = await openSecretStore({ env: io.env, allowUnprotected: unprotected })
    if (secrets.kind !== 'memory') return secrets
    throw new CliError('error', 'no keychain is available to store the secret in', {
      hint: 'Set MCP_SECRET_KEY to a passphrase, or use --unprotected. Without an answer, the secret is asked for when the server is started.',
    })
  })
  for (const { question, inputId } of open) {
    const value = answers[question.id]
    if (value === undefined) continue
    await store.set(
      file,
      { type: 'promptString', id: inputId, isPassword: question.isSecret },
      value,
    )
  }
}

/** As one line; words that a shell would take apart are quoted. */
function showEntry(entry: InstallEntry): string {
  if (entry.kind === 'url') return flat(entry.url)
  const words = [entry.command, ...entry.args]
  return words
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word)))
    .map((word) => flat(word))
    .join(' ')
}

function usage<T>(make: () => T): T {
  try {
    return make()
  } catch (error) {
    throw new CliError('error', error instanceof Error ? error.message : String(error))
  }
}

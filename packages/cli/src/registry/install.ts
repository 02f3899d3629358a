import { join, resolve } from 'node:path'

import {
  clientFile,
  configLocations,
  createInputAnswers,
  isConfigFormat,
  type WritableFormat,
} from '@parley/foundation/config'
import { openSecretStore, stateFolder } from '@parley/foundation/secrets'
import { errorMessage } from '@parley/mcp/json'
import type {
  InstallMachine,
  InstallOffers,
  InstallPlan,
  OpenQuestion,
  RejectedOffer,
  ServerResponse,
} from '@parley/registry/client'

import { CliError } from '../exit.ts'
import { readPair } from '../flags.ts'
import type { Io } from '../io.ts'
import { flat, type Printer } from '../output/printer.ts'
import type { Prompter } from '../questions/asker.ts'

/** Flags of the commands that write an entry. */
export interface InstallFlags {
  readonly answer?: readonly string[]
  readonly yes?: boolean
  readonly dryRun?: boolean
  readonly unprotected?: boolean
}

/** The format of a product by the name that people type. */
export function formatOf(
  client = 'parley',
  formats: { readonly [client: string]: WritableFormat },
): WritableFormat {
  const format = Object.hasOwn(formats, client) ? formats[client] : undefined
  if (format !== undefined) return format
  const names = Object.keys(formats).join(', ')
  throw new CliError('error', `--client ${client} is unknown: use ${names}`)
}

/** The project's own file where the product has one. */
export function fileOf(
  { file }: { readonly file?: string },
  format: WritableFormat,
  { cwd, env }: Io,
): string {
  if (file !== undefined) return resolve(cwd, file)
  const home = env['HOME'] ?? env['USERPROFILE'] ?? cwd
  const options = { cwd, home, env, platform: process.platform }
  if (format === 'codex' || !isConfigFormat(format)) return clientFile(format, options)
  const found = configLocations(options).find((location) => location.format === format)
  return found?.file ?? resolve(cwd, 'mcp.json')
}

/** What the registry says against a version. */
export function warn({ server, _meta: meta }: ServerResponse, printer: Printer): void {
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

/** The package or remote that was meant; the first one that is accepted if none was. */
export function choosePlan(
  { plans, refused }: InstallOffers,
  use: string | undefined,
  name: string,
): InstallPlan {
  const isMeant = ({ title }: { readonly title: string }) =>
    use === undefined || title.includes(use)
  const plan = plans.find(isMeant)
  if (plan !== undefined) return plan
  const against = refused.filter(isMeant)
  const titles = plans.map(({ title }) => flat(title))
  throw new CliError(
    against.length > 0 ? 'invalid' : 'error',
    against.length > 0
      ? `${flat(name)} was not added: ${against.map(rejectionReason).join('; ')}`
      : plans.length === 0
        ? `${flat(name)} offers nothing that can be started or reached from a configuration file`
        : `${flat(name)} offers nothing with ${JSON.stringify(use)}`,
    {
      hint:
        titles.length > 0
          ? `It offers ${titles.join(', ')}.`
          : against.length > 0
            ? 'Ask its publisher to mend the entry: `parley registry validate` says the same.'
            : undefined,
    },
  )
}

/** A package or remote that is not used, and everything that is wrong with it. */
export function rejectionReason({ title, reasons }: RejectedOffer): string {
  return `${flat(title, 200)}: ${reasons.map((reason) => flat(reason, 400)).join('; ')}`
}

/** Answers by the ids of questions. */
export type Answers = { readonly [id: string]: string | undefined }

/** By flag, by what was said before, by whoever sits there, by default. */
export async function resolveAll(
  { questions }: InstallPlan,
  { answer = [] }: InstallFlags,
  prompter: Prompter | undefined,
  before: Answers = {},
): Promise<Answers> {
  const chosen = Object.fromEntries(answer.map((pair) => readPair(pair, '--answer')))
  const remaining = Object.entries(before).filter(([id]) =>
    questions.some((question) => question.id === id),
  )
  const answers: { [id: string]: string | undefined } = {
    ...Object.fromEntries(remaining),
    ...chosen,
  }
  const unknown = Object.keys(answers).find(
    (id) => !questions.some((question) => question.id === id),
  )
  if (unknown !== undefined) {
    const ids = questions.map(({ id }) => flat(id)).join(', ')
    throw new CliError('error', `--answer ${unknown}: there is no such question`, {
      hint: ids === '' ? undefined : `Questions: ${ids}.`,
    })
  }
  for (const question of questions) {
    const { id, isRequired, isSecret, default: preset, choices, description } = question
    if (answers[id] !== undefined || prompter === undefined) continue
    const about = description === undefined ? '' : ` (${flat(description, 200)})`
    const options =
      choices === undefined ? '' : ` [${choices.map((choice) => flat(choice, 50)).join(', ')}]`
    const rest =
      preset === undefined
        ? isRequired
          ? ''
          : ', empty for none'
        : `, empty for ${flat(preset, 50)}`
    const reply = await prompter.ask(`${flat(id, 100)}${about}${options}${rest}: `, {
      isHidden: isSecret,
    })
    if (reply === undefined) throw new CliError('interrupted', 'interrupted')
    if (reply !== '') answers[id] = reply
  }
  const { findReplyProblem } = await import('@parley/registry/client')
  for (const question of questions) {
    const { id, isRequired, isSecret, default: preset } = question
    const reply = answers[id]
    const problem = reply === undefined ? undefined : findReplyProblem(reply, question)
    if (problem !== undefined) throw new CliError('error', `${flat(id)} ${flat(problem)}`)
    if (reply === undefined && preset === undefined && isRequired && !isSecret) {
      throw new CliError('input_required', `${flat(id)} must be answered`, {
        hint: `Use --answer ${flat(id)}=VALUE.`,
      })
    }
  }
  return answers
}

/** Whether the file may be written. */
export async function isConfirmed(
  { yes }: InstallFlags,
  file: string,
  prompter: Prompter | undefined,
): Promise<boolean> {
  if (yes) return true
  if (prompter === undefined) {
    throw new CliError(
      'input_required',
      `${file} was not changed: confirm with --yes when there is no terminal`,
      {
        hint: 'Use --yes to write it, or --dry-run to only look.',
      },
    )
  }
  return /^y(?:es)?$/i.test((await prompter.ask(`Write ${file}? [y/N] `)) ?? '')
}

/** Where the entry looks for them when it is started. */
export async function keepSecrets(
  open: readonly OpenQuestion[],
  answers: Answers,
  file: string,
  { unprotected }: InstallFlags,
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

/** Packages that are built from source are built below the state folder, each version in a folder of its own. */
export function machineOf({ env }: Io): InstallMachine {
  return { programs: join(stateFolder({ env }), 'programs') }
}

/** What cannot be written is told in the words of a command. */
export function usage<T>(make: () => T): T {
  try {
    return make()
  } catch (error) {
    throw new CliError('error', errorMessage(error))
  }
}

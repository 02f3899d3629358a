/**
 * The whole of what adding a server would do, before it is done: where it comes from, the exact command with its environment or the
 * address with its headers, what the user has to do by hand, and every file that is touched. `parley add` and `parley update` print
 * these lines; the chat shows them, and adds only what was shown.
 */

import { join } from 'node:path'

import { addressWarnings } from '@parley/foundation/address'
import { shellWord } from '@parley/foundation/command-line'
import { rulesOf } from '@parley/foundation/config'
import { lineDiff } from '@parley/foundation/diff'
import {
  isSecretName,
  mask,
  maskArguments,
  maskSecrets,
  stateFolder,
} from '@parley/foundation/secrets'
import { safeText } from '@parley/foundation/terminal'
import type { InstallCommand } from '@parley/registry/client'

import type { Io } from '../io.ts'
import { flat } from '../output/printer.ts'
import type { InstallTarget, PreparedInstall } from './prepare-install.ts'

/** What adding would do, as data and as lines. */
export interface InstallPreview {
  /** Where the server comes from. */
  readonly origin: string
  /** The command line or address. */
  readonly runs: string
  /** `NAME=value` of each variable or header; secrets are masked, or references to what is asked later. */
  readonly values: readonly string[]
  /** What the user has to do by hand, before the server can be used. */
  readonly steps: readonly string[]
  /** Every file that is written, and what for. */
  readonly files: readonly string[]
  /** What a person should know of the address. */
  readonly warnings: readonly string[]
  /** All of it, with the change of the configuration file. */
  readonly lines: readonly string[]
}

/** Says what `commitInstall` would do. */
export function previewInstall(
  { found, registry, file, product }: InstallTarget,
  { plan, made, edit, answers }: PreparedInstall,
  { env }: Io,
): InstallPreview {
  const { entry } = made
  const { name, version } = found.server
  const isCommand = entry.kind === 'command'
  const runs = isCommand ? commandLine(entry) : safe(maskSecrets(entry.url))
  const values = valueLines(isCommand ? entry.env : entry.headers)
  const steps = [
    ...(isCommand && entry.first ? [`run once: ${entry.first.map(word).join(' ')}`] : []),
    ...(!isCommand && entry.start ? startSteps(entry.start) : []),
    ...(rulesOf(made.exported.format).hasInputs ? made.open : []).map(({ question }) => {
      const isStored = product === 'parley' && answers[question.id] !== undefined
      const what = question.isSecret ? 'a secret' : 'an answer'
      return `${flat(question.id, 100)}: ${what}, ${isStored ? 'kept in the secret store' : 'asked for when the server is started'}`
    }),
    ...made.exported.notes.map((note) => flat(note)),
  ]
  const keepsSecret = product === 'parley' && made.open.some(({ question }) => answers[question.id])
  const files = [
    `${file} (${edit.before === '' ? 'new' : 'changed'})`,
    `${join(stateFolder({ env }), 'registry-installs.json')} (remembers where the entry came from)`,
    ...(keepsSecret ? ['the secret store (keeps the secrets that you gave)'] : []),
  ]
  const warnings = isCommand ? [] : addressWarnings(entry.url).map((warning) => flat(warning))
  const origin = flat(plan.origin, 1_000)
  const change = lineDiff(edit.before, edit.after, 0)
  return {
    origin,
    runs,
    values,
    steps,
    files,
    warnings,
    lines: [
      `server: ${flat(name)} ${flat(version)} of ${flat(registry)}`,
      `comes from: ${origin}`,
      `${isCommand ? 'runs' : 'connects to'}: ${runs}`,
      ...values.map((value) => `${isCommand ? 'environment' : 'header'}: ${value}`),
      ...steps.map((step) => `to do: ${step}`),
      ...warnings.map((warning) => `warning: ${warning}`),
      ...files.map((item) => `writes: ${flat(item, 1_000)}`),
      ...change.split('\n').map((line) => flatLine(line)),
    ],
  }
}

function startSteps(start: InstallCommand): readonly string[] {
  const variables = valueLines(start.env)
  const withVariables = variables.length === 0 ? '' : ` with ${variables.join(' ')}`
  return [
    `start the server, and leave it running, since no client starts a server that it reaches by URL: ${commandLine(start)}${withVariables}`,
  ]
}

function commandLine({ command, args }: InstallCommand): string {
  return [command, ...maskArguments(args)].map(word).join(' ')
}

/** As a shell takes it, and with what cannot be seen written out. */
function word(text: string): string {
  return safe(shellWord(text))
}

function valueLines(values: { readonly [name: string]: string }): readonly string[] {
  return Object.entries(values).map(([name, value]) => {
    const isHidden = isSecretName(name) && value !== '' && !value.includes('${')
    return `${flat(name, 200)}=${isHidden ? mask : safe(shellWord(maskSecrets(value)))}`
  })
}

/** Not cut and not folded: what is agreed to is seen to its end. */
function safe(text: string): string {
  return safeText(text, { multiline: false })
}

/** Indentation is what makes a change readable. */
function flatLine(line: string): string {
  const [space = ''] = /^.\s*/.exec(line) ?? []
  return space + safe(line.slice(space.length))
}

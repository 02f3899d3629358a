import { join, relative } from 'node:path'

import { commandLine } from '@parley/foundation/command-line'
import {
  openProjectTrust,
  projectDisclosure,
  type ConfigEntry,
  type ProjectDisclosure,
  type Resolution,
} from '@parley/foundation/config'
import { isSecretName, stateFolder } from '@parley/foundation/secrets'

import { CliError } from '../exit.ts'
import type { CommonFlags } from '../flags.ts'
import type { Io } from '../io.ts'
import { createPrompter } from '../questions/asker.ts'

/** What a project's file would do that nobody has approved yet. */
export interface PendingApproval {
  readonly disclosure: ProjectDisclosure
  /** Keeps the approval until what is started or sent changes. */
  approve(): Promise<void>
}

/** Undefined where nothing needs approval, or it was given before or by `--trust`. */
export async function pendingApproval(
  entry: ConfigEntry,
  resolved: Extract<Resolution, { ok: true }>,
  flags: CommonFlags,
  io: Io,
): Promise<PendingApproval | undefined> {
  const disclosure = projectDisclosure(entry, resolved)
  if (disclosure === undefined) return undefined
  const trust = openProjectTrust(join(stateFolder({ env: io.env }), 'trusted-projects.json'))
  if (await trust.isApproved(disclosure)) return undefined
  // What cannot be kept is asked again.
  const approve = () => trust.approve(disclosure).catch(() => undefined)
  if (flags.trust !== true) return { disclosure, approve }
  await approve()
  return undefined
}

/**
 * Throws unless the user has approved what the file of a project starts, or sends of theirs to an address it names. Asks
 * at a terminal; `--trust` approves without a question. The approval holds until the resolved content changes.
 */
export async function requireApproval(
  entry: ConfigEntry,
  resolved: Extract<Resolution, { ok: true }>,
  flags: CommonFlags,
  io: Io,
): Promise<void> {
  const pending = await pendingApproval(entry, resolved, flags, io)
  if (pending === undefined) return
  const { disclosure } = pending
  const description = describe(entry, disclosure, io)
  const isStart = disclosure.kind === 'starts'
  if (
    !(await isAllowed(
      `${description}\nThe file came with the project. ${isStart ? 'Start' : 'Send'} it?`,
      flags,
      io,
    ))
  ) {
    throw new CliError('input_required', description, {
      hint: `If that is intended, use --trust once; it applies until ${isStart ? 'the command' : 'the address or what is sent'} changes.`,
      details: { reads: disclosure.reads, ...(!isStart && { to: disclosure.to }) },
    })
  }
  await pending.approve()
}

function describe(entry: ConfigEntry, disclosure: ProjectDisclosure, io: Io): string {
  const { source, target } = entry
  const name = oneLine(entry.name)
  const file = relative(io.cwd, source.file)
  const reads = disclosure.reads.map(({ variable, key }) => `${variable} as ${key}`)
  if (disclosure.kind === 'sends') {
    const head = `${name} of ${file} sends these values of yours to ${oneLine(disclosure.to)}:`
    return [head, ...reads.map((line) => `  ${oneLine(line)}`)].join('\n')
  }
  const head = `${name} of ${file} starts a program with your permissions:`
  const lines = target.kind === 'command' ? commandLines(target) : []
  return [head, ...lines.map((line) => `  ${oneLine(line)}`)].join('\n')
}

/** As written: variables by their names, so that no value of the user's is shown. */
function commandLines(target: Extract<ConfigEntry['target'], { kind: 'command' }>): string[] {
  const { command, args, env, envFile, cwd, inheritEnv } = target
  return [
    commandLine([command, ...args]),
    ...Object.entries(env).map(
      ([key, value]) =>
        `with ${key}=${isSecretName(key) && !value.includes('${') ? '••••••' : value}`,
    ),
    ...(envFile === undefined ? [] : [`with the variables in ${envFile}`]),
    ...(inheritEnv === 'minimal'
      ? []
      : [`with ${inheritEnv === 'all' ? 'all' : inheritEnv.join(', ')} of your environment`]),
    ...(cwd === undefined ? [] : [`in ${cwd}`]),
  ]
}

/** A text of the file must not look like a line of ours. */
function oneLine(text: string): string {
  return text.replaceAll('\n', '\\n').replaceAll('\r', '\\r')
}

async function isAllowed(question: string, flags: CommonFlags, io: Io): Promise<boolean> {
  if (io.stdin.isTTY !== true || flags.json === true) return false
  const prompter = createPrompter(io)
  try {
    const answer = await prompter.ask(`${question} [y/N] `)
    return /^y(?:es)?$/i.test(answer?.trim() ?? '')
  } finally {
    prompter.close()
  }
}

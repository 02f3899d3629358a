import { existsSync, statSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { execPath } from 'node:process'

import { commandLine, shellWord } from '@parley/foundation/command-line'
import type { OauthSettings } from '@parley/foundation/config'
import { isSecretName, secretArguments } from '@parley/foundation/secrets'
import { parseUrl } from '@parley/mcp/address'
import type { CommandEntry, ServerEntry, UrlEntry } from '@parley/mcp/client'

import type { CommandContext } from '../command.ts'
import { CliError } from '../exit.ts'
import { readHeader, readPair, type CommonFlags } from '../flags.ts'
import type { Io } from '../io.ts'
import { mainFile } from '../main-file.ts'
import { ensureTypeScript, isTypeScript } from '../native.ts'

/** A server that can be connected to. */
export interface Target {
  /** For people. */
  readonly name: string
  readonly entry: ServerEntry
  /** The file that exports it, if it is a definition; the entry serves that over standard input and output. */
  readonly definition?: string | undefined
  /** Which file it is from. */
  readonly source?: string | undefined
  readonly era?: string | undefined
  readonly connectMs?: number | undefined
  readonly requestMs?: number | undefined
  readonly roots: readonly string[]
  readonly oauth?: OauthSettings | undefined
  /** Values that must not be written anywhere. */
  readonly secrets: readonly string[]
}

/** The target's word, if the command line has one, and what follows it. */
export function splitTarget(
  words: readonly string[],
  flags: CommonFlags,
  { serverCommand }: CommandContext,
): { readonly word: string | undefined; readonly rest: readonly string[] } {
  if (serverCommand !== undefined || flags.server !== undefined)
    return { word: undefined, rest: words }
  const [word, ...rest] = words
  return { word, rest }
}

/** The same where nothing may follow. */
export function onlyTarget(
  words: readonly string[],
  flags: CommonFlags,
  context: CommandContext,
): string | undefined {
  const { word, rest } = splitTarget(words, flags, context)
  if (rest.length === 0) return word
  const mayBeCommand = word !== undefined && !isAddress(word)
  throw new CliError('error', `too many arguments: ${rest.join(' ')}`, {
    hint: mayBeCommand ? `Put a command after --: -- ${commandLine(words)}` : undefined,
  })
}

/** Without a word before `--`, what stands behind it is read as words: here, probably, the command of a server. */
export function wordsBehindDashes(
  name: string | undefined,
  { args, serverCommand }: CommandContext,
): readonly string[] | undefined {
  const at = args.indexOf('--')
  const isBehind = serverCommand === undefined && at !== -1 && args[at + 1] === name
  return isBehind ? args.slice(at + 1) : undefined
}

function isAddress(word: string): boolean {
  return /^(?:https?|wss?):\/\//i.test(word)
}

/** Finds the server that a command line means. */
export async function resolveTarget(
  word: string | undefined,
  flags: CommonFlags,
  context: CommandContext,
): Promise<Target> {
  const target = await findTarget(word, flags, context)
  const entry = withFlags(target.entry, flags, context)
  return { ...target, entry, secrets: [...target.secrets, ...secretsIn(entry)] }
}

/** Values whose names say that they are secret, wherever they were written: a trace must not show them. */
function secretsIn(entry: ServerEntry): readonly string[] {
  const named = 'url' in entry ? (entry.headers ?? {}) : (entry.env ?? {})
  const values = Object.entries(named).flatMap(([name, value]) =>
    isSecretName(name) && value !== '' ? [value, value.replace(/^\w+ /, '')] : [],
  )
  return 'url' in entry ? values : [...values, ...secretArguments(entry.args ?? [])]
}

async function findTarget(
  word: string | undefined,
  flags: CommonFlags,
  context: CommandContext,
): Promise<Target> {
  const { serverCommand, io } = context
  if (serverCommand !== undefined) return commandTarget(serverCommand)
  if (word !== undefined && isAddress(word)) {
    if (parseUrl(word) === undefined) throw new CliError('error', `${word} is not a valid URL`)
    return { name: nameOfUrl(word), entry: { url: word }, roots: [], secrets: [] }
  }
  const file = word === undefined ? undefined : resolve(io.cwd, word)
  const isFile =
    file !== undefined && /\.\w+$/.test(file) && existsSync(file) && statSync(file).isFile()
  if (isFile && !/\.(?:jsonc?|ya?ml|toml)$/i.test(file)) {
    if (isTypeScript(file)) await ensureTypeScript(io)
    return definitionTarget(file, word ?? file, io)
  }
  const { configuredTarget } = await import('./configured-target.ts')
  return isFile
    ? configuredTarget(flags.server, { ...flags, config: [file] }, context)
    : configuredTarget(flags.server ?? word, flags, context)
}

function commandTarget([command, ...args]: readonly string[]): Target {
  if (command === undefined) {
    throw new CliError('error', 'no command after --', {
      hint: 'Write the command that starts the server: -- node server.js',
    })
  }
  const entry = { command, args }
  return { name: basename(command), entry, roots: [], secrets: [] }
}

/** In a process of its own: what a definition prints, or does at its end, is not ours. */
function definitionTarget(file: string, word: string, { env }: Io): Target {
  if (!/\.[cm]?[jt]sx?$/i.test(file)) {
    const isPython = file.endsWith('.py')
    throw new CliError('error', `${word} is neither a module nor a configuration file`, {
      hint: `Put the command that starts a program after --: -- ${isPython ? 'python ' : ''}${shellWord(word)}`,
    })
  }
  const { PARLEY_STATE } = env
  const entry = {
    command: execPath,
    args: [mainFile(), 'serve', file],
    ...(PARLEY_STATE && { env: { PARLEY_STATE } }), // where packages are that were fetched
  }
  return { name: basename(file), entry, definition: file, roots: [], secrets: [] }
}

function nameOfUrl(url: string): string {
  return new URL(url).host
}

/** What the command line says about the entry wins over what its file says. */
function withFlags(entry: ServerEntry, flags: CommonFlags, { io }: CommandContext): ServerEntry {
  rejectFlags('url' in entry, flags)
  if ('url' in entry) {
    const headers = Object.fromEntries((flags.header ?? []).map(readHeader))
    const type = transportOf(flags.transport) ?? entry.type
    const full: UrlEntry = { ...entry, headers: { ...entry.headers, ...headers } }
    return type === undefined ? full : { ...full, type }
  }
  const env = Object.fromEntries((flags.env ?? []).map((pair) => readPair(pair, '-e')))
  const cwd = flags.cwd === undefined ? (entry.cwd ?? io.cwd) : resolve(io.cwd, flags.cwd)
  return { ...entry, env: { ...entry.env, ...env }, cwd } satisfies CommandEntry
}

/** What a command has no use for, and what a URL has none for. */
function rejectFlags(isUrl: boolean, { header, transport, env, cwd }: CommonFlags): void {
  const flag = isUrl
    ? (env && '-e') || (cwd && '--cwd')
    : (header && '--header') || (transport && '--transport')
  if (!flag) return
  const [means, is] = isUrl ? ['commands', 'a URL'] : ['URLs', 'a command']
  throw new CliError('error', `${flag} is for servers that are ${means}, but this one is ${is}`)
}

function transportOf(name: string | undefined): 'http' | 'sse' | 'ws' | undefined {
  if (name === undefined || name === 'http' || name === 'sse' || name === 'ws') return name
  if (name === 'streamable-http') return 'http'
  throw new CliError('error', `--transport ${name} is unknown`, { hint: 'Use http, sse or ws.' })
}

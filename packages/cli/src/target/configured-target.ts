import { relative } from 'node:path'
import { isDeepStrictEqual } from 'node:util'

import { commandLine, didYouMean, shellWord } from '@parley/foundation/command-line'
import {
  loadConfig,
  resolveEntry,
  type ConfigEntry,
  type ConfigProblem,
  type LoadedConfig,
  type Resolution,
} from '@parley/foundation/config'

import type { CommandContext } from '../command.ts'
import { CliError } from '../exit.ts'
import { readPair, type CommonFlags } from '../flags.ts'
import type { Io } from '../io.ts'
import { counted, createPrinter } from '../output/printer.ts'
import { answerSource } from './answer-source.ts'
import { pendingApproval, requireApproval, type PendingApproval } from './project-approval.ts'
import { wordsBehindDashes, type Target } from './target.ts'

/** The entry of that name, with its variables resolved. */
export async function configuredTarget(
  name: string | undefined,
  flags: CommonFlags,
  context: CommandContext,
): Promise<Target> {
  const { io } = context
  const config = await loadFor(flags, io)
  const entry = pickEntry(name, config, flags, context)
  const printer = createPrinter(io, flags)
  const { file } = entry.source
  const broken = config.problems.find(
    (problem) => problem.file === file && problem.server === undefined && problem.level === 'error',
  )
  if (broken !== undefined) {
    const location = `${relative(io.cwd, file)}:${broken.line ?? 1}`
    printer.note(`${location}: ${broken.message}; \`parley config check\` shows more`)
  }
  if (entry.source.scope === 'project') {
    printer.note(`${entry.name} is from ${relative(io.cwd, entry.source.file)}`)
  }
  return toTarget(entry, flags, io)
}

/** The files that the command line names, else those that are where programs keep them. */
export function loadFor(flags: CommonFlags, { cwd, env }: Io): Promise<LoadedConfig> {
  const home = env['HOME'] ?? env['USERPROFILE']
  return loadConfig({ files: flags.config, cwd, env, home })
}

/** The same entry for connecting to, after the user has approved what a project's file does. */
async function toTarget(entry: ConfigEntry, flags: CommonFlags, io: Io): Promise<Target> {
  const resolved = await resolveWith(entry, flags, io)
  await requireApproval(entry, resolved, flags, io)
  return targetOf(entry, resolved)
}

/** The same without a question: what has yet to be approved is told, and nothing may be connected before. */
export async function toPendingTarget(
  entry: ConfigEntry,
  flags: CommonFlags,
  io: Io,
): Promise<{ readonly target: Target; readonly pending: PendingApproval | undefined }> {
  const resolved = await resolveWith(entry, { ...flags, json: true }, io)
  const pending = await pendingApproval(entry, resolved, flags, io)
  return { target: targetOf(entry, resolved), pending }
}

type Resolved = Extract<Resolution, { ok: true }>

async function resolveWith(entry: ConfigEntry, flags: CommonFlags, io: Io): Promise<Resolved> {
  const answers = Object.fromEntries((flags.input ?? []).map((pair) => readPair(pair, '--input')))
  const { env, cwd } = io
  await using source = answerSource(entry, flags, io)
  const home = env['HOME'] ?? env['USERPROFILE']
  const resolved = await resolveEntry(entry, {
    env,
    cwd,
    ...(home !== undefined && { home }),
    answers,
    ask: source.ask,
    secret: source.secret,
  })
  if (!resolved.ok) throw unresolved(entry, resolved.problems, resolved.inputs.length > 0)
  return resolved
}

function targetOf(entry: ConfigEntry, resolved: Resolved): Target {
  const { era, connectMs, requestMs } = entry.settings
  return {
    name: entry.name,
    entry: resolved.entry,
    source: entry.source.file,
    era,
    connectMs,
    requestMs,
    roots: resolved.roots,
    oauth: resolved.oauth,
    secrets: resolved.secrets,
  }
}

function pickEntry(
  name: string | undefined,
  { entries, problems, files }: LoadedConfig,
  flags: CommonFlags,
  context: CommandContext,
): ConfigEntry {
  if (name === undefined) {
    const [only, ...others] = flags.config === undefined ? [] : entries
    if (only !== undefined && others.length === 0) return only
    if (only !== undefined) {
      const names = entries.map((entry) => entry.name)
      throw new CliError('error', `the file has ${names.length} servers: ${names.join(', ')}`, {
        hint: `Name one: ${shellWord(`--server=${only.name}`)}`,
      })
    }
    throw new CliError('error', 'no server was named', {
      hint: `Name a URL, an entry${listed(entries)}, a file, or a command after --.`,
    })
  }
  const [found, ...others] = entries.filter((entry) => entry.name === name)
  if (found === undefined) {
    throw notFound(name, { entries, problems, files }, wordsBehindDashes(name, context))
  }
  const other = others.find(({ raw }) => !isDeepStrictEqual(raw, found.raw))
  if (other !== undefined && found.source.scope === 'project') {
    // A folder from elsewhere must not put its own command under a name that the user knows.
    const where = [found, other]
      .map(({ source }) => relative(context.io.cwd, source.file))
      .join(' and ')
    throw new CliError('error', `${name} names different servers in ${where}`, {
      hint: 'Choose one with --config FILE.',
    })
  }
  return found
}

function notFound(
  name: string,
  { entries, problems, files }: Pick<LoadedConfig, 'entries' | 'problems' | 'files'>,
  command: readonly string[] | undefined,
): CliError {
  const own = problems.find(({ server }) => server === name)
  if (own !== undefined) {
    const { file, line, key, message, fix } = own
    return new CliError('error', `${file}:${line ?? 1}: ${key ?? name} ${message}`, { hint: fix })
  }
  const missing = whatIsMissing(name)
  if (missing !== undefined) return missing
  const unreadable = problems.find(({ server, level }) => server === undefined && level === 'error')
  const meant = didYouMean(
    name,
    entries.map((entry) => entry.name),
  )
  const where =
    files.length === 0
      ? 'no configuration file was found'
      : `${counted(files.length, 'configuration file')} searched, and none has it`
  return new CliError(
    'error',
    `${JSON.stringify(name)} is not a URL, a file or a configured server: ${where}`,
    {
      hint:
        meant !== undefined
          ? `Did you mean ${meant}?`
          : unreadable !== undefined
            ? `${unreadable.file}: ${unreadable.message}`
            : command !== undefined
              ? `If that starts the server, name first what you want of it: NAME -- ${commandLine(command)}`
              : `Known:${listed(entries) || ' none'}. Put a command after --.`,
    },
  )
}

/** What looks like a file or an address is meant as one. */
function whatIsMissing(name: string): CliError | undefined {
  if (/\.(?:[cm]?[jt]sx?|jsonc?|ya?ml|toml|py)$/i.test(name)) {
    return new CliError('error', `file not found: ${name}`)
  }
  if (!/^[\w-]+(?:\.[\w-]+)*(?::\d+)?(?:\/|$)/.test(name) || !/[.:/]/.test(name)) return undefined
  const isNear = /^(?:localhost|127\.|[\w-]+:\d)/.test(name)
  return new CliError('error', `${name} is not a URL, a file or a configured server`, {
    hint: `Did you mean ${isNear ? 'http' : 'https'}://${name}?`,
  })
}

function listed(entries: readonly ConfigEntry[]): string {
  const names = [...new Set(entries.map(({ name }) => name))]
  return names.length === 0 ? '' : ` (${names.slice(0, 12).join(', ')})`
}

function unresolved(
  { name }: ConfigEntry,
  problems: readonly ConfigProblem[],
  needsInput: boolean,
): CliError {
  const lines = problems.map(
    ({ file, line, key, message }) => `${file}:${line ?? 1}: ${name}.${key ?? ''}: ${message}`,
  )
  return new CliError(needsInput ? 'input_required' : 'error', lines.join('\n'), {
    hint: problems[0]?.fix,
    details: { problems: problems.map(({ key, message, fix }) => ({ key, message, fix })) },
  })
}

/**
 * Starts a command in a process group of its own, without a shell, with a minimal environment. Finds the program first, so that the error
 * names what was searched.
 *
 * Entries come from configuration files, so they are checked here. The rules for Windows are in `transport/system/programs.ts`.
 */

import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { statSync } from 'node:fs'
import { delimiter } from 'node:path'

import type { CommandEntry } from '../../client/server-entry.ts'
import { McpError } from '../../rpc/errors/mcp-error.ts'
import { resolveCommand, type Environment } from '../system/programs.ts'

/** Returns the environment of a child: inherited variables by its policy, then those of its entry. */
export function childEnvironment(
  entry: Pick<CommandEntry, 'env' | 'inheritEnv'>,
  ours: Environment,
  platform: NodeJS.Platform,
): Record<string, string> {
  const { env = {}, inheritEnv = 'minimal' } = entry
  const nameOf =
    platform === 'win32' ? (name: string) => name.toUpperCase() : (name: string) => name
  const allowed =
    inheritEnv === 'all'
      ? undefined
      : new Set([...minimal, ...(inheritEnv === 'minimal' ? [] : inheritEnv)].map(nameOf))

  const byName = new Map<string, readonly [name: string, value: string]>()
  if (platform === 'win32') byName.set(nameOf(noCurrentDirectory), [noCurrentDirectory, '1'])
  for (const [name, value] of Object.entries(ours)) {
    // A value that begins so is a shell function, which a shell in the child would define.
    if (value === undefined || value.startsWith('()')) continue
    if (!allowed || allowed.has(nameOf(name)) || name.startsWith('LC_')) {
      byName.set(nameOf(name), [name, value])
    }
  }
  for (const [name, value] of Object.entries(env)) byName.set(nameOf(name), [name, value])
  return Object.fromEntries(byName.values())
}

/** Keeps `cmd.exe`, which runs batch files, from starting programs of the working directory by their bare names. */
const noCurrentDirectory = 'NoDefaultCurrentDirectoryInExePath'

/** Enough to start, find one's files, speak the user's language and get through the company's network; no secrets. */
const minimal = `
  PATH HOME USER LOGNAME SHELL TERM TZ LANG LANGUAGE
  TMPDIR TMP TEMP XDG_RUNTIME_DIR XDG_CONFIG_HOME XDG_CACHE_HOME XDG_DATA_HOME
  HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY http_proxy https_proxy no_proxy all_proxy NODE_USE_ENV_PROXY
  NODE_EXTRA_CA_CERTS NODE_USE_SYSTEM_CA SSL_CERT_FILE SSL_CERT_DIR REQUESTS_CA_BUNDLE CURL_CA_BUNDLE
  GIT_SSL_CAINFO AWS_CA_BUNDLE
  PATHEXT COMSPEC SYSTEMROOT SYSTEMDRIVE WINDIR USERNAME USERPROFILE HOMEDRIVE HOMEPATH PUBLIC OS
  APPDATA LOCALAPPDATA PROGRAMDATA PROGRAMFILES PROGRAMFILES(X86) PROGRAMW6432 COMMONPROGRAMFILES
  ALLUSERSPROFILE NUMBER_OF_PROCESSORS PROCESSOR_ARCHITECTURE`
  .trim()
  .split(/\s+/)

/** A child that runs, or nearly: `started` rejects with `spawn_failed` if the system could not start it. */
export interface StartedChild {
  readonly process: ChildProcessWithoutNullStreams
  readonly started: Promise<void>
}

/** Starts a command in a process group of its own, without a shell. Throws `spawn_failed` if it cannot be found. */
export function startChild(entry: CommandEntry, peer: string): StartedChild {
  const { platform } = process
  const cwd = entry.cwd ?? process.cwd()
  if (!isFolder(cwd)) throw spawnFailed(peer, `there is no folder ${cwd} to start it in`)

  const env = childEnvironment(entry, process.env, platform)
  const resolved = resolveCommand(entry.command, entry.args ?? [], { platform, env, cwd })
  if (resolved.kind === 'refused') throw spawnFailed(peer, resolved.reason)
  if (resolved.kind === 'missing') throw notFound(peer, entry.command, resolved.searched)

  const child = spawn(resolved.file, resolved.args, {
    cwd,
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: platform !== 'win32',
    windowsHide: true,
    windowsVerbatimArguments: resolved.isVerbatim,
  })
  const started = new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve)
    // Stays: an 'error' that comes later, such as a signal that could not be sent, has nobody else to hear it.
    child.on('error', (cause) => reject(spawnFailed(peer, cause.message, { cause })))
  })
  return { process: child, started }
}

/** Entries come from configuration files, which nobody has checked. */
function checkEntry(entry: CommandEntry): void {
  const {
    command,
    args = [],
    env = {},
    cwd = '',
  }: { readonly [field: string]: unknown } = {
    ...entry,
  }
  const problems = [
    !isText(command) && 'command has to be the name or path of a program',
    !(Array.isArray(args) && args.every(isText)) && 'args have to be a list of strings',
    !(typeof env === 'object' && env !== null) && 'env has to be an object',
    !isText(cwd) && 'cwd has to be a path',
  ]
  const problem = problems.find((text) => text !== false)
  if (problem === undefined) return
  throw new McpError('invalid_target', `${problem}: { command: 'node', args: ['server.js'] }`, {
    details: { target: String(command) },
  })
}

function isText(value: unknown): boolean {
  return typeof value === 'string'
}

/**
 * What people read in errors: the command and what it runs, without the arguments, which may hold a secret.
 * `npx -y @scope/server --key 123` is `npx @scope/server`. Throws `invalid_target` for an entry that is none.
 */
export function nameCommand(entry: CommandEntry): string {
  checkEntry(entry)
  const { command, args = [] } = entry
  const name = command.split(/[\\/]/).at(-1) || command
  const subject = args.find((arg) => !harmlessFlags.has(arg))
  const isPlain = subject !== undefined && /^[^-=?&][^=?&]*$/.test(subject)
  return isPlain ? `${name} ${subject}` : name
}

const harmlessFlags = new Set(['-y', '--yes', '-m', '-u'])

function notFound(peer: string, command: string, searched: readonly string[]): McpError {
  const searchedPaths = searched.length === 0 ? 'an empty PATH' : searched.join(delimiter)
  return spawnFailed(peer, `the command ${command} was not found; searched ${searchedPaths}`, {
    hint: hintFor(command),
  })
}

/** There is no shell that would split a line. */
function hintFor(line: string): string {
  const [command, ...args] = line.trim().split(/\s+/)
  return args.length > 0
    ? `Write the arguments apart: ${JSON.stringify({ command, args })}.`
    : 'Install it, or give its absolute path: programs started from a desktop often have a shorter PATH than a terminal.'
}

function spawnFailed(
  peer: string,
  reason: string,
  options: { readonly hint?: string; readonly cause?: unknown } = {},
): McpError {
  return new McpError('spawn_failed', `${peer} could not be started: ${reason}`, {
    ...options,
    details: {},
    peer,
  })
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

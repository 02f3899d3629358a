import { existsSync, statSync } from 'node:fs'
import { basename, isAbsolute } from 'node:path'
import process from 'node:process'

import { parseUrl } from '@parley/mcp/address'
import type { CommandEntry, ServerEntry } from '@parley/mcp/client'
import { findProgram } from '@parley/mcp/system'

import type { ConfigEntry, ConfigProblem } from './config-entry.ts'

/** Data about the machine. */
export interface ReviewOptions {
  /** Environment variables. @defaultValue process.env */
  readonly env?: { readonly [name: string]: string | undefined } | undefined
  /** The operating system. @defaultValue process.platform */
  readonly platform?: NodeJS.Platform | undefined
}

/** Looks at a resolved entry without starting it: is the program there, are paths safe to rely on, what may it touch. */
export function reviewEntry(
  entry: ConfigEntry,
  resolved: ServerEntry,
  options: ReviewOptions = {},
): readonly ConfigProblem[] {
  if ('url' in resolved) return reviewUrl(entry, resolved.url)
  return [
    ...reviewProgram(entry, resolved, options),
    ...reviewPaths(entry, resolved),
    ...reviewDirectories(entry, resolved),
  ]
}

function reviewUrl(entry: ConfigEntry, url: string): readonly ConfigProblem[] {
  const parsed = parseUrl(url)
  if (parsed === undefined) {
    const fix = 'Write a whole URL, such as https://api.example/mcp.'
    return [about(entry, 'error', 'url', `is not a valid URL: ${url}`, fix)]
  }
  const { protocol, hostname } = parsed
  const isPlain = protocol === 'http:' || protocol === 'ws:'
  const isNear = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
  if (!isPlain || isNear) return []
  const message = 'is not encrypted: anyone on the network can read tokens and data'
  return [about(entry, 'warning', 'url', message, 'Use https.')]
}

function reviewProgram(
  entry: ConfigEntry,
  { command, env = {}, cwd }: CommandEntry,
  { env: ours = process.env, platform = process.platform }: ReviewOptions,
): readonly ConfigProblem[] {
  const search = { env: { ...ours, ...env }, cwd: cwd ?? entry.folder, platform }
  if (findProgram(command, search).kind === 'found') return []
  const fix =
    'Install it, or write the full path; a host may have a different PATH from your shell.'
  return [about(entry, 'error', 'command', `program not found: ${command}`, fix)]
}

/** A host may start in any folder. */
function reviewPaths(entry: ConfigEntry, resolved: CommandEntry): readonly ConfigProblem[] {
  if (resolved.cwd !== undefined) return []
  const { command, args = [] } = resolved
  const isRelative = (text: string) => /^\.{1,2}[\\/]|^~[\\/]/.test(text)
  return [['command', command] as const, ...args.map((text, at) => [`args.${at}`, text] as const)]
    .filter(([, text]) => isRelative(text))
    .map(([key, text]) =>
      about(
        entry,
        'warning',
        key,
        `${text} depends on the folder the server is started in`,
        'Write an absolute path, ${workspaceFolder}/…, or add cwd.',
      ),
    )
}

/** The folders of a file server are what it may read and change. */
function reviewDirectories(entry: ConfigEntry, resolved: CommandEntry): readonly ConfigProblem[] {
  const { command, args = [] } = resolved
  const at = [command, ...args].findIndex((text) => /\bserver-filesystem\b/.test(text))
  if (at === -1) return []
  const folders = args.slice(at).filter((text) => isAbsolute(text))
  const missing = folders.filter((folder) => !existsSync(folder) || !statSync(folder).isDirectory())
  const rights = `${basename(command)} runs with your permissions and may read and change ${folders.join(', ') || 'the folders it is given'}`
  return [
    about(entry, 'warning', 'args', rights, 'List only the folders that it needs.'),
    ...missing.map((folder) =>
      about(entry, 'error', 'args', `${folder} is not a folder`, 'Create it or correct the path.'),
    ),
  ]
}

function about(
  { name, source }: ConfigEntry,
  level: ConfigProblem['level'],
  key: string,
  message: string,
  fix: string,
): ConfigProblem {
  return { level, file: source.file, line: source.line, server: name, key, message, fix }
}

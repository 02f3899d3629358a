/**
 * What people type, in the words of the commands below: a line is rewritten before its command is looked up. Names that a
 * command had before, or has elsewhere, stay usable here and are not in the help.
 */

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

import { didYouMean } from '@parley/foundation/command-line'

import { flagsWithValue } from './flags.ts'
import type { Io } from './io.ts'

/** A command and what follows it. */
export interface Line {
  readonly name: string
  readonly args: readonly string[]
  /** The name to show in the help of a subcommand that has one of its own. */
  readonly shownAs?: string | undefined
}

/** Whole names. */
const names: { readonly [name: string]: readonly [name: string, ...args: readonly string[]] } = {
  publish: ['registry', 'publish'],
  install: ['add'],
  uninstall: ['remove'],
  login: ['auth', 'login'],
  logout: ['auth', 'logout'],
  accounts: ['auth', 'status'],
}

/** The line that the commands understand. */
export function respell({ name, args }: Line, io: Io): Line {
  const [renamed = name, ...before] = names[name] ?? []
  const line: Line = {
    name: renamed,
    args: [...before, ...args],
    ...(before.length > 0 && { shownAs: name }),
  }
  return rewrites[line.name]?.(line.args, io) ?? line
}

type Rewrite = (args: readonly string[], io: Io) => Line | undefined

const rewrites: { readonly [name: string]: Rewrite } = {
  /** `gateway FILE` runs it. */
  gateway(args) {
    const [first] = wordsOf(args)
    const isFile = first !== undefined && /\.(?:ya?ml|jsonc?)$/i.test(first)
    if (!isFile) return undefined
    return { name: 'gateway', args: ['run', ...args] }
  },

  /** `trace FILE` shows it, two files are compared. */
  trace(args) {
    const [first, second] = wordsOf(args)
    if (first === undefined || ['view', 'stats', 'diff', 'convert', 'help'].includes(first))
      return undefined
    if (args.includes('--stats'))
      return { name: 'trace', args: ['stats', ...args.filter((word) => word !== '--stats')] }
    const command = args.includes('--to') ? 'convert' : second === undefined ? 'view' : 'diff'
    return { name: 'trace', args: [command, ...args] }
  },

  /** `config` lists, `config NAME` says where an entry came from. */
  config(args) {
    const [first] = wordsOf(args)
    if (first === undefined && !isHelp(args)) return { name: 'config', args: ['list', ...args] }
    const subcommands = ['list', 'check', 'import', 'export', 'inputs', 'help']
    if (first === undefined || subcommands.includes(first) || didYouMean(first, subcommands))
      return undefined
    return { name: 'why', args }
  },

  /** `doctor --ping` and `--auth` look at one thing alone. */
  doctor(args) {
    const own = beforeDashes(args)
    if (own.includes('--ping'))
      return { name: 'ping', args: args.filter((word) => word !== '--ping') }
    if (own.includes('--auth'))
      return { name: 'auth', args: ['debug', ...args.filter((word) => word !== '--auth')] }
    return undefined
  },

  /** `list SERVER NAME` describes one thing of it. */
  list(args) {
    const words = wordsOf(args)
    const kinds = ['tools', 'resources', 'templates', 'prompts', 'all']
    const hasServer = args.includes('--') || args.includes('--server')
    const last = words.at(-1)
    if (last === undefined || kinds.includes(last) || words.length !== (hasServer ? 1 : 2))
      return undefined
    return { name: 'describe', args }
  },

  /** `test` without a file of requests tests the server against the protocol. */
  test(args, { cwd }) {
    const words = wordsOf(args)
    const hasFile = words.some((word) => existsSync(resolve(cwd, word)) || word.endsWith('.json'))
    const hasServer = args.includes('--') || args.includes('--server') || words.length === 1
    return hasServer && !hasFile ? { name: 'check', args } : undefined
  },
}

/** Words before `--` that are neither flags nor values of flags that every command has. */
function wordsOf(args: readonly string[]): readonly string[] {
  return beforeDashes(args).filter((word, at, all) => {
    const before = all[at - 1] ?? ''
    return !word.startsWith('-') && !flagsWithValue.has(before) && !ownFlags.has(before)
  })
}

/** The same of the commands above. */
const ownFlags = new Set(
  '--page --count -c --interval -i --reporter -o --output --var --to --method --path --client-id --client-secret --scope --answer --sampling --profile --port --host --client --file'.split(
    ' ',
  ),
)

function beforeDashes(args: readonly string[]): readonly string[] {
  const at = args.indexOf('--')
  return at === -1 ? args : args.slice(0, at)
}

function isHelp(args: readonly string[]): boolean {
  return args.includes('--help') || args.includes('-h')
}

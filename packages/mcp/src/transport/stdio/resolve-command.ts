import { posix, win32 } from 'node:path'

import { readVariable, type Environment } from './child-environment.ts'

/** What to hand to `spawn`, or where we looked in vain. */
export type ResolvedCommand =
  | {
      readonly kind: 'found'
      readonly file: string
      readonly args: readonly string[]
      /** The arguments are quoted already. */
      readonly isVerbatim: boolean
    }
  | { readonly kind: 'missing'; readonly searched: readonly string[] }
  | { readonly kind: 'refused'; readonly reason: string }

export interface CommandLookup {
  readonly platform: NodeJS.Platform
  readonly env: Environment
  /** Where a relative path starts. */
  readonly cwd: string
  /** Whether there is a file that may be executed. */
  readonly exists: (path: string) => boolean
}

/** Finds a command the way a shell would, without one. The current directory is never searched for a bare name. */
export function resolveCommand(
  command: string,
  args: readonly string[],
  lookup: CommandLookup,
): ResolvedCommand {
  const isWindows = lookup.platform === 'win32'
  const path = isWindows ? win32 : posix
  const isPath = isWindows ? /[\\/:]/.test(command) : command.includes('/')
  const folders = isPath ? [lookup.cwd] : searchPath(lookup, path.delimiter)

  for (const folder of folders) {
    for (const name of isWindows ? windowsNames(command, lookup) : [command]) {
      const file = path.resolve(folder, name)
      if (!lookup.exists(file)) continue
      if (isWindows && /\.(?:cmd|bat)$/i.test(file)) return throughCmd(file, args, lookup)
      return { kind: 'found', file, args, isVerbatim: false }
    }
  }
  return { kind: 'missing', searched: isPath ? [path.resolve(lookup.cwd, command)] : folders }
}

function searchPath({ env, platform }: CommandLookup, delimiter: string): string[] {
  const value = readVariable(env, 'PATH', platform) ?? (platform === 'win32' ? '' : defaultPath)
  const folders = value.split(delimiter).map((folder) => folder.replaceAll('"', ''))
  return [...new Set(folders.filter((folder) => folder !== ''))]
}

/** `npx` is `npx.cmd` there, next to a shell script called `npx` that cannot be run. */
function windowsNames(command: string, { env, platform }: CommandLookup): string[] {
  const extensions = (readVariable(env, 'PATHEXT', platform) || '.COM;.EXE;.BAT;.CMD').split(';')
  const known = extensions.filter((extension) => extension !== '')
  const extension = win32.extname(command).toLowerCase()
  const isComplete = known.some((candidate) => candidate.toLowerCase() === extension)
  const completed = known.map((candidate) => command + candidate.toLowerCase())
  return isComplete ? [command, ...completed] : completed
}

function throughCmd(file: string, args: readonly string[], lookup: CommandLookup): ResolvedCommand {
  if ([file, ...args].some((text) => /[\r\n\0]/.test(text))) {
    return { kind: 'refused', reason: 'an argument of a batch file cannot contain a line break' }
  }
  const line = [`"${file.replaceAll('%', literalPercent)}"`, ...args.map(quoteForBatch)].join(' ')
  const shell = readVariable(lookup.env, 'COMSPEC', lookup.platform) ?? 'cmd.exe'
  // Extensions on, delayed expansion off, no AutoRun, and only the outermost quotes removed.
  const switches = ['/e:ON', '/v:OFF', '/d', '/s', '/c']
  return { kind: 'found', file: shell, args: [...switches, `"${line}"`], isVerbatim: true }
}

/**
 * Batch files are read by `cmd.exe`, whose quoting differs from that of programs. A doubled quote leaves both in the
 * same state, however often the line is read again, and a percent sign is followed by an expansion to nothing.
 */
function quoteForBatch(arg: string): string {
  if (/^[\w#$*+\-./:?@]+$/.test(arg)) return arg
  const quoted = arg
    .replaceAll(/(\\*)"/g, '$1$1""')
    .replace(/(\\+)$/, '$1$1')
    .replaceAll('%', literalPercent)
  return `"${quoted}"`
}

const literalPercent = '%%cd:~,%'
const defaultPath = '/usr/local/bin:/usr/bin:/bin'

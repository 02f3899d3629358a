/**
 * Finds the file that a command stands for: the only lookup of programs in the repository.
 *
 * Windows, and Node there, look into the current directory before PATH. That directory often belongs to a project that a
 * stranger wrote, so no program is started by its bare name: its full path is found here first. System programs are taken
 * from `%SystemRoot%\System32`. Folders of PATH that are relative are skipped on every system, for the same reason.
 *
 * `startChild`, the git runner, `doctor`, the review of configuration files and everything else that starts a program use it.
 * `scripts/bare-programs.mjs` fails on a start by name.
 */

import { accessSync, constants, lstatSync, statSync } from 'node:fs'
import { posix, win32 } from 'node:path'
import process from 'node:process'

/** Variables by name; on Windows the case of a name does not matter. */
export type Environment = { readonly [name: string]: string | undefined }

/** Where to look for a program. */
export interface ProgramLookup {
  /** Its `PATH`, and on Windows `PATHEXT` and `SystemRoot`. @defaultValue process.env */
  readonly env?: Environment | undefined
  /** Where a relative path starts. @defaultValue process.cwd() */
  readonly cwd?: string | undefined
  /** The platform whose rules apply. @defaultValue process.platform */
  readonly platform?: NodeJS.Platform | undefined
  /** Whether a path is a file that may be executed. @defaultValue asks the file system */
  readonly isProgram?: ((path: string) => boolean) | undefined
}

/** Where a program is, or is not. */
export type FoundProgram =
  /** The program was found. */
  | {
      readonly kind: 'found'
      /** Its full path. */
      readonly file: string
    }
  /** There is no such program. */
  | {
      readonly kind: 'missing'
      /** The folders, or the one path, where it is not. */
      readonly searched: readonly string[]
    }

/** The arguments of `spawn`, or why the command cannot be started. */
export type ResolvedCommand =
  /** The program was found. */
  | {
      readonly kind: 'found'
      /** Its full path; for a batch file that of `cmd.exe`. */
      readonly file: string
      /** Its arguments. */
      readonly args: readonly string[]
      /** The arguments are quoted already: pass it on as `windowsVerbatimArguments`. */
      readonly isVerbatim: boolean
    }
  /** There is no such program. */
  | {
      readonly kind: 'missing'
      /** The folders, or the one path, where it is not. */
      readonly searched: readonly string[]
    }
  /** The arguments cannot be handed to a batch file. */
  | {
      readonly kind: 'refused'
      /** Why not. */
      readonly reason: string
    }

/** Finds a program the way a shell would, without one: by PATH, or by its own path. */
export function findProgram(command: string, lookup: ProgramLookup = {}): FoundProgram {
  const { env = process.env, cwd = process.cwd(), platform = process.platform } = lookup
  const isWindows = platform === 'win32'
  const names = isWindows ? windowsNames(command, env) : [command]
  const { isProgram = (path: string) => isExecutable(path, { platform, env }) } = lookup
  const path = isWindows ? win32 : posix
  const isPath = isWindows ? /[\\/:]/.test(command) : command.includes('/')
  const folders = isPath ? [cwd] : searchPath(env, platform)

  for (const folder of folders) {
    for (const name of names) {
      const file = path.resolve(folder, name)
      if (isProgram(file)) return { kind: 'found', file }
    }
  }
  return { kind: 'missing', searched: isPath ? [path.resolve(cwd, command)] : folders }
}

/** Finds a program and prepares its arguments for `spawn`: on Windows a batch file is run by `cmd.exe`, whose quoting differs. */
export function resolveCommand(
  command: string,
  args: readonly string[],
  lookup: ProgramLookup = {},
): ResolvedCommand {
  const found = findProgram(command, lookup)
  if (found.kind === 'missing') return found
  const { platform = process.platform } = lookup
  const isBatch = platform === 'win32' && /\.(?:cmd|bat)$/i.test(found.file)
  return isBatch ? throughCmd(found.file, args) : { ...found, args, isVerbatim: false }
}

/** The full path of a program that comes with Windows, such as `taskkill`. */
export function systemProgram(name: string, env: Environment = process.env): string {
  const root = readVariable(env, 'SystemRoot', 'win32') ?? ''
  const isDrivePath = /^[A-Za-z]:[\\/]/.test(root)
  return win32.join(isDrivePath ? root : String.raw`C:\Windows`, 'System32', `${name}.exe`)
}

/** The folders of PATH in order, each once. Relative ones are left out: a stranger's project may be there. */
export function searchPath(
  env: Environment = process.env,
  platform: NodeJS.Platform = process.platform,
): string[] {
  const isWindows = platform === 'win32'
  const { delimiter } = isWindows ? win32 : posix
  // `\tools` is on the drive of the current directory, so Windows needs a drive or a server too.
  const isWhole = isWindows ? /^(?:[A-Za-z]:[\\/]|[\\/]{2}[^\\/.?])/ : /^\//
  const value = readVariable(env, 'PATH', platform) ?? (isWindows ? '' : defaultPath)
  const folders = value.split(delimiter).map((folder) => folder.replaceAll('"', ''))
  return [...new Set(folders.filter((folder) => isWhole.test(folder)))]
}

/** The value of a variable, whatever the case of its name on Windows. */
export function readVariable(
  env: Environment,
  name: string,
  platform: NodeJS.Platform,
): string | undefined {
  if (platform !== 'win32') return env[name]
  // The last one, which `{ ...ours, ...theirs }` means.
  const found = Object.keys(env).findLast((key) => key.toUpperCase() === name.toUpperCase())
  return found === undefined ? undefined : env[found]
}

/** The file system as the test for a program needs it. */
export interface ProgramFiles {
  readonly statSync: (path: string) => { isFile(): boolean }
  readonly lstatSync: (path: string) => { isDirectory(): boolean }
  readonly accessSync: (path: string, mode: number) => void
}

/**
 * Whether a path is a file that may be executed. Programs of the Microsoft Store are links that Windows follows only to
 * start them: `stat` is refused, and `lstat` finds them.
 */
export function isExecutable(
  path: string,
  { env, platform }: { readonly env: Environment; readonly platform: NodeJS.Platform },
  files: ProgramFiles = { statSync, lstatSync, accessSync },
): boolean {
  try {
    if (!files.statSync(path).isFile()) return false
    files.accessSync(path, constants.X_OK)
    return true
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    const mayBeAlias = platform === 'win32' && (code === 'EACCES' || code === 'UNKNOWN')
    return mayBeAlias && hasKnownExtension(path, env) && isThere(path, files)
  }
}

function isThere(path: string, files: ProgramFiles): boolean {
  try {
    return !files.lstatSync(path).isDirectory()
  } catch {
    return false // refused for another reason: the search goes on
  }
}

/** `npx` is `npx.cmd` on Windows, next to a shell script called `npx` that cannot be run. */
function windowsNames(command: string, env: Environment): string[] {
  const completed = knownExtensions(env).map((extension) => command + extension)
  return hasKnownExtension(command, env) ? [command, ...completed] : completed
}

function hasKnownExtension(path: string, env: Environment): boolean {
  return knownExtensions(env).includes(win32.extname(path).toLowerCase())
}

function knownExtensions(env: Environment): string[] {
  const value = readVariable(env, 'PATHEXT', 'win32') || '.COM;.EXE;.BAT;.CMD'
  return value
    .toLowerCase()
    .split(';')
    .filter((extension) => extension !== '')
}

function throughCmd(file: string, args: readonly string[]): ResolvedCommand {
  if ([file, ...args].some((text) => /[\r\n\0]/.test(text))) {
    return {
      kind: 'refused',
      reason: 'an argument of a batch file cannot contain a line break or NUL',
    }
  }
  const line = [`"${file.replaceAll('%', literalPercent)}"`, ...args.map(quoteForBatch)].join(' ')
  // Extensions on, delayed expansion off, no AutoRun, and only the outermost quotes removed.
  const switches = ['/e:ON', '/v:OFF', '/d', '/s', '/c']
  return {
    kind: 'found',
    file: systemProgram('cmd'), // of our own environment, not of the one an entry sets
    args: [...switches, `"${line}"`],
    isVerbatim: true,
  }
}

/**
 * Quotes an argument for `cmd.exe`. A doubled quote leaves both in the same state, however often the line is read again,
 * and a percent sign is followed by an expansion to nothing.
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

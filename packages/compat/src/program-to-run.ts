import { existsSync } from 'node:fs'
import { posix, win32 } from 'node:path'
import process from 'node:process'

import { type ProgramLookup, resolveCommand, type ResolvedCommand } from '@parley/mcp/system'

/** Finds the command that runs a JavaScript file with this Node, or a published package with npx. */
export function programToRun(
  program: string,
  args: readonly string[],
  lookup: ProgramLookup = {},
): ResolvedCommand {
  if (isFile(program, lookup.platform)) {
    const all = [program, ...args]
    return { kind: 'found', file: process.execPath, args: all, isVerbatim: false }
  }
  return resolveCommand('npx', ['-y', program, ...args], lookup)
}

/** A folder may hold a file called like a package, so a name alone is a package. */
function isFile(program: string, platform: NodeJS.Platform = process.platform): boolean {
  const isWindows = platform === 'win32'
  const isPath = isWindows ? /^\.{1,2}[\\/]/.test(program) : /^\.{1,2}\//.test(program)
  if (isPath || (isWindows ? win32 : posix).isAbsolute(program)) return true
  return /\.[cm]?js$/i.test(program) && existsSync(program)
}

import { isAbsolute } from 'node:path'

import { findProgram, type ProgramLookup } from '@parley/mcp/system'

import { GitError } from './git-error.ts'

/** The full path of git. A full path stays as it is; a name is looked for in the folders of PATH, never in the current one. */
export function findGit(name: string, lookup: ProgramLookup = {}): string {
  if (isAbsolute(name)) return name
  const { platform = process.platform } = lookup
  const isName = !/[\\/]/.test(name)
  // Not a batch file, whose arguments cmd.exe would read again.
  const file = platform === 'win32' && !/\.exe$/i.test(name) ? `${name}.exe` : name
  const found = isName ? findProgram(file, lookup) : undefined
  if (found?.kind === 'found') return found.file
  throw new GitError('no_git', `${name} was not found. Install git, or name its full path.`)
}

import { accessSync, constants } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

import { GitError } from './git-error.ts'

/** Where a program is. Folders that are named relative to somewhere are left out: a work tree could be there. */
export function findProgram(
  name: string,
  path: string | undefined = process.env['PATH'],
  platform: NodeJS.Platform = process.platform,
): string {
  if (isAbsolute(name)) return name
  const file = platform === 'win32' && !name.endsWith('.exe') ? `${name}.exe` : name
  for (const folder of absoluteFolders(path)) {
    const candidate = join(folder, file)
    try {
      accessSync(candidate, constants.X_OK)
      return candidate
    } catch {
      // not here
    }
  }
  throw new GitError('no_git', `${name} was not found. Install git, or name its full path.`)
}

/** The search path without what depends on the current folder. */
export function absoluteFolders(path: string | undefined): readonly string[] {
  return (path ?? '').split(delimiter).filter((folder) => isAbsolute(folder))
}

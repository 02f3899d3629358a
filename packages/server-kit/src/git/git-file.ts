import { lstat, readFile, realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'

const maxBytes = 64 * 1024

/** The real path of the git directory that the `.git` of a folder is or names; undefined if there is none. */
export async function gitDirectoryOf(folder: string): Promise<string | undefined> {
  const path = join(folder, '.git')
  try {
    const real = await realpath(path)
    const found = await lstat(real)
    if (found.isDirectory()) return real
    if (!found.isFile() || found.size > maxBytes) return undefined
    const [, named] = /^gitdir: (.+?)[\r\n]*$/s.exec(await readFile(real, 'utf8')) ?? []
    return named === undefined ? undefined : await realpath(resolve(folder, named))
  } catch {
    return undefined // there is no such folder
  }
}

import type { Dirent } from 'node:fs'
import { readdir, readlink } from 'node:fs/promises'
import { basename, join } from 'node:path'

import { systemCode } from '../paths/system-error.ts'
import type { RepositoryPlaces } from './find-repository.ts'
import { GitError } from './git-error.ts'

/** Folders that tools link, and that git writes no words of others into. They are not looked into. */
const leftOut = new Set(['objects', 'hooks', 'modules', 'lfs', 'rr-cache', 'svn'])
const mostEntries = 1_000_000

/**
 * Throws if a file of the repository is a link. Git follows it when it writes: the message of a commit would be written
 * to whatever file the repository names, or into its own settings.
 */
export async function requireOwnFiles({
  gitDirectory,
  commonDirectory,
}: RepositoryPlaces): Promise<void> {
  const folders = [...new Set([gitDirectory, commonDirectory])]
  const tops = new Set(folders)
  let count = 0
  // It grows while it is read.
  for (const folder of folders) {
    for (const entry of await entriesIn(folder)) {
      if (tops.has(folder) && leftOut.has(entry.name)) continue
      const path = join(folder, entry.name)
      if (entry.isDirectory()) folders.push(path)
      else if (entry.isSymbolicLink() && !(await isOldHead(path))) throw linked(path)
      count += 1
    }
    if (count > mostEntries) throw new GitError('refused', `${folder} has too many files.`)
  }
}

async function entriesIn(folder: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true })
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [] // git has just tidied it away
    throw error
  }
}

/** A link was once how git said which branch is checked out. */
async function isOldHead(path: string): Promise<boolean> {
  return basename(path) === 'HEAD' && /^refs\/heads\/(?!.*\.\.)/s.test(await readlink(path))
}

function linked(path: string): GitError {
  const message = `${path} is a link, which git would write through. Replace it by a file first.`
  return new GitError('refused', message)
}

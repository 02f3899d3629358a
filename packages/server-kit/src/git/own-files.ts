import type { Dirent } from 'node:fs'
import { readdir, readlink, realpath } from 'node:fs/promises'
import { basename, join } from 'node:path'

import { isInside } from '../paths/containment.ts'
import { systemCode } from '../paths/system-error.ts'
import type { RepositoryPaths } from './find-repository.ts'
import { GitError } from './git-error.ts'

/** Folders that tools link, and that git writes no words of others into. They are not looked into. */
const leftOut = new Set(['objects', 'hooks', 'modules', 'lfs', 'rr-cache', 'svn'])
const maxEntries = 1_000_000

/**
 * Throws if a file of the repository is a link. Git follows it when it writes: the message of a commit would be written
 * to whatever file the repository names, or into its own settings.
 */
export async function requireLocalFiles(paths: RepositoryPaths): Promise<void> {
  for await (const path of linksOf(paths)) {
    if (!(await isOldHead(path))) throw linked(path)
  }
}

/**
 * Throws if a file of the repository, or one with its contents, is a link that leads out of `allowed`. Git reads through
 * it, and its errors tell lines of whatever file is there.
 */
export async function requireLocalLinks(
  paths: RepositoryPaths,
  objects: readonly string[],
  allowed: readonly string[],
): Promise<void> {
  const folders = [...allowed, ...objects]
  for await (const path of linksOf(paths, objects)) {
    const real = await realpath(path).catch(() => undefined)
    // One that leads nowhere yet could lead anywhere.
    const isInner = real !== undefined && folders.some((folder) => isInside(real, folder))
    if (!isInner && !(await isOldHead(path))) throw leadsOut(path, await readlink(path))
  }
}

/** Every link in the folders a repository keeps, and in those with its contents, if these are given. */
async function* linksOf(
  { gitDirectory, commonDirectory }: RepositoryPaths,
  objects: readonly string[] = [],
): AsyncGenerator<string> {
  const tops = new Set([gitDirectory, commonDirectory])
  let level: readonly string[] = [...tops, ...objects]
  let count = 0
  while (level.length > 0) {
    const below: string[] = []
    for (const [folder, entries] of await readFolders(level)) {
      count += entries.length
      if (count > maxEntries) throw new GitError('refused', `${folder} has too many files.`)
      for (const entry of entries) {
        if (tops.has(folder) && leftOut.has(entry.name)) continue
        const path = join(folder, entry.name)
        if (entry.isDirectory()) below.push(path)
        else if (entry.isSymbolicLink()) yield path
      }
    }
    level = below
  }
}

function readFolders(folders: readonly string[]) {
  return Promise.all(folders.map(async (folder) => [folder, await entriesIn(folder)] as const))
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
  const message = `${path} is a link, which git would write through. Replace it with a file first.`
  return new GitError('refused', message)
}

function leadsOut(path: string, target: string): GitError {
  const message = `${path} is a link to ${target}, outside the repository. Replace it with a file first.`
  return new GitError('outside', message)
}

import { readFile, realpath, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

import { isInside } from '../paths/containment.ts'
import { GitError } from './git-error.ts'

/** Where a repository keeps its files. All are real paths. */
export interface RepositoryPlaces {
  readonly workTree: string
  /** Of this work tree. */
  readonly gitDirectory: string
  /** Of the repository, which may have other work trees. */
  readonly commonDirectory: string
}

const mostFolders = 100

/** Where repositories may be. */
export interface Boundary {
  /** A repository and everything it keeps must be in one of these. @defaultValue anywhere */
  readonly within?: readonly string[] | undefined
  /** Repositories named by whoever runs the program: what they keep elsewhere is theirs. */
  readonly trusted?: readonly RepositoryPlaces[] | undefined
}

/** The real path of a folder. */
export async function realFolder(path: string): Promise<string> {
  if (path.includes('\0')) throw notARepository(path)
  const real = await realpath(path).catch(() => undefined)
  // Git says where things are line by line.
  if (real === undefined || real.includes('\n') || !(await stat(real)).isDirectory())
    throw notARepository(path)
  return real
}

/**
 * Throws unless a repository is where it may be. Git believes a `.git` file or a setting that points somewhere else;
 * without this, a folder could show, or change, another repository than the one it is in.
 */
export async function requireWithin(
  asked: string,
  places: RepositoryPlaces,
  { within, trusted = [] }: Boundary,
): Promise<void> {
  const { workTree, gitDirectory, commonDirectory } = places
  if (!isInside(asked, workTree)) throw elsewhere(asked, workTree)
  const isTrusted = trusted.some(
    (one) => one.workTree === workTree && one.gitDirectory === gitDirectory,
  )
  if (isTrusted) return
  if (within) {
    const isAmong = (path: string, folders: readonly string[]) =>
      folders.some((folder) => isInside(path, folder))
    if (!isAmong(workTree, within)) throw elsewhere(asked, workTree)
    // Other work trees of a trusted repository are kept where it is kept.
    const kept = [...within, ...trusted.map((one) => one.commonDirectory)]
    const borrowed = await objectFolders(commonDirectory)
    const stray = [gitDirectory, commonDirectory, ...borrowed].find((path) => !isAmong(path, kept))
    if (stray !== undefined) throw elsewhere(asked, stray)
    return
  }
  if (isInside(gitDirectory, workTree) && isInside(commonDirectory, workTree)) return
  if (!(await pointsBack(places))) throw elsewhere(asked, gitDirectory)
}

/** Where the contents are: of this repository, of those it borrows from, and of those they borrow from. */
async function objectFolders(commonDirectory: string): Promise<readonly string[]> {
  const folders = [await realOrSame(join(commonDirectory, 'objects'))]
  // It grows while it is read. Git itself goes five levels deep.
  for (const folder of folders) {
    const list = await readFile(join(folder, 'info/alternates'), 'utf8').catch(() => '')
    const named = list.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    for (const path of named) {
      const real = await realOrSame(resolve(folder, path))
      if (!folders.includes(real)) folders.push(real)
    }
    if (folders.length > mostFolders) throw elsewhere(commonDirectory, 'too many places')
  }
  return folders
}

function realOrSame(path: string): Promise<string> {
  return realpath(path).catch(() => path)
}

/** Whether what a `.git` file points to knows of this work tree: a linked work tree, or a submodule. */
async function pointsBack({ workTree, gitDirectory }: RepositoryPlaces): Promise<boolean> {
  const link = await readFile(join(gitDirectory, 'gitdir'), 'utf8').catch(() => undefined)
  if (link !== undefined) {
    const there = await realpath(resolve(gitDirectory, dirname(link.trim()))).catch(() => undefined)
    return there === workTree
  }
  const config = await readFile(join(gitDirectory, 'config'), 'utf8').catch(() => '')
  const [, named] = /^\s*worktree\s*=\s*(.+?)\s*$/m.exec(config) ?? []
  if (named === undefined) return false
  const there = await realpath(resolve(gitDirectory, named)).catch(() => undefined)
  return there === workTree
}

export function notARepository(path: string): GitError {
  return new GitError('not_a_repository', `${path} is not a git repository.`)
}

function elsewhere(asked: string, place: string): GitError {
  const message = `The repository at ${asked} is kept in ${place}, which is not where it may be.`
  return new GitError('outside', message)
}

import { readFile, realpath, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

import { isInside } from '../paths/containment.ts'
import { GitError } from './git-error.ts'
import { gitDirectoryOf } from './git-file.ts'

/** Where a repository keeps its files. All are real paths. */
export interface RepositoryPaths {
  /** The folder that the files are checked out in. */
  readonly workTree: string
  /** Of this work tree. */
  readonly gitDirectory: string
  /** Of the repository, which may have other work trees. */
  readonly commonDirectory: string
}

const maxFolders = 100

/** Where repositories may be. */
export interface Boundary {
  /** A repository and everything it keeps must be in one of these. @defaultValue anywhere */
  readonly within?: readonly string[] | undefined
  /** Repositories named by whoever runs the program: their git directories may be elsewhere. */
  readonly trusted?: readonly RepositoryPaths[] | undefined
  /** Files or folders outside the repository that its settings may include. @defaultValue none */
  readonly includes?: readonly string[] | undefined
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
 * without this, a folder could show, or change, another repository than the one it is in, or any folder at all.
 */
export async function requireWithin(
  requestedPath: string,
  paths: RepositoryPaths,
  { within, trusted = [] }: Boundary,
): Promise<void> {
  const { workTree, gitDirectory, commonDirectory } = paths
  if (!isInside(requestedPath, workTree)) throw elsewhere(requestedPath, workTree)
  // Only the folder with the `.git` is its work tree, whatever `core.worktree` says.
  if ((await gitDirectoryOf(workTree)) !== gitDirectory)
    throw movedWorkTree(requestedPath, workTree)
  if (!within) {
    if (isInside(gitDirectory, workTree) && isInside(commonDirectory, workTree)) return
    if (!(await pointsBack(paths))) throw elsewhere(requestedPath, gitDirectory)
    return
  }
  const isAmong = (path: string, folders: readonly string[]) =>
    folders.some((folder) => isInside(path, folder))
  const isTrusted = trusted.some(
    (candidate) => candidate.workTree === workTree && candidate.gitDirectory === gitDirectory,
  )
  if (!isTrusted && !isAmong(workTree, within)) throw elsewhere(requestedPath, workTree)
  // Other work trees of a trusted repository are kept where it is kept.
  const allowed = [...within, ...trusted.map((item) => item.commonDirectory)]
  const unexpected = [gitDirectory, commonDirectory].find((path) => !isAmong(path, allowed))
  if (unexpected !== undefined && !isTrusted) throw elsewhere(requestedPath, unexpected)
  const borrowed = (await objectFolders(commonDirectory)).find((path) => !isAmong(path, allowed))
  if (borrowed !== undefined) throw borrows(requestedPath, borrowed)
}

/** Where the contents are: of this repository, of those it borrows from, and of those they borrow from. */
export async function objectFolders(commonDirectory: string): Promise<readonly string[]> {
  const folders = [await realOrSame(join(commonDirectory, 'objects'))]
  // It grows while it is read. Git itself goes five levels deep.
  for (const folder of folders) {
    const list = await readFile(join(folder, 'info/alternates'), 'utf8').catch(() => '')
    const named = list.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    for (const path of named) {
      // Git takes the quotes away, and what they hide; nobody has to write a path so.
      if (path.startsWith('"')) throw borrows(commonDirectory, path)
      const real = await realOrSame(resolve(folder, path))
      if (!folders.includes(real)) folders.push(real)
    }
    if (folders.length > maxFolders) throw elsewhere(commonDirectory, 'too many places')
  }
  return folders
}

function realOrSame(path: string): Promise<string> {
  return realpath(path).catch(() => path)
}

/**
 * Whether what a `.git` file points to knows of this work tree: a linked work tree, or a submodule. A git directory in
 * the work tree proves nothing: whoever made the one made the other.
 */
async function pointsBack(paths: RepositoryPaths): Promise<boolean> {
  const { workTree, gitDirectory, commonDirectory } = paths
  if (gitDirectory !== commonDirectory) {
    if (dirname(gitDirectory) !== join(commonDirectory, 'worktrees')) return false
    const link = await readFile(join(gitDirectory, 'gitdir'), 'utf8').catch(() => '')
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

function elsewhere(requestedPath: string, path: string): GitError {
  const message = `The repository at ${requestedPath} is stored in ${path}, which is not an allowed place.`
  return new GitError('outside', message)
}

function movedWorkTree(requestedPath: string, workTree: string): GitError {
  const message =
    `The repository at ${requestedPath} names ${workTree} as its work tree, which is not the folder its .git is in. ` +
    'Remove core.worktree from its settings.'
  return new GitError('outside', message)
}

function borrows(requestedPath: string, path: string): GitError {
  const message =
    `The repository at ${requestedPath} uses objects of ${path}, which is not an allowed place. ` +
    'To give it objects of its own, run git repack -a -d there, then delete objects/info/alternates.'
  return new GitError('outside', message)
}

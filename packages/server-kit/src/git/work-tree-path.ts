import { realpath } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'

import { isInside } from '../paths/containment.ts'
import { GitError } from './git-error.ts'

/** A path from the top of the work tree, if it stays in there with every link followed. */
export async function workTreePath(workTree: string, path: string): Promise<string> {
  if (path === '' || path.includes('\0')) throw outside(path)
  const wanted = resolve(workTree, path)
  const real = await realOrParent(wanted)
  if (!isInside(real, workTree)) throw outside(path)
  const inTree = relative(workTree, isInside(wanted, workTree) ? wanted : real)
  if (inTree.split(sep).some((part) => part.toLowerCase() === '.git')) throw outside(path)
  return inTree === '' ? '.' : inTree.split(sep).join('/')
}

/** Where a path leads; for what is not there, where it would be made. */
export async function realOrParent(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    const parent = dirname(path)
    if (parent === path) throw error
    return join(await realOrParent(parent), basename(path))
  }
}

function outside(path: string): GitError {
  return new GitError('outside', `Path ${JSON.stringify(path)} is outside the work tree.`)
}

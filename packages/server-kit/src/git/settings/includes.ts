import { homedir } from 'node:os'
import { dirname, isAbsolute, join, resolve } from 'node:path'

import { isInside } from '../../paths/containment.ts'
import { GitError } from '../git-error.ts'
import { realOrParent } from '../work-tree-path.ts'

/** A file that settings are taken from. */
export interface Include {
  readonly path: string
  /** Where it leads does not depend on which file names it, or on links. */
  readonly isFixed: boolean
}

/** Where `include.path` leads, from the file that says so. */
export function readInclude(value: string, origin: string): Include {
  if (/^~[^/]|^%\(/.test(value)) {
    throw new GitError('refused', `Settings are included from ${value}, which is not followed.`)
  }
  if (value.startsWith('~')) return { path: join(homedir(), value.slice(1)), isFixed: true }
  if (isAbsolute(value)) return { path: value, isFixed: resolve(value) === value }
  // Not joined: that would take `..` away, which links make mean something else.
  return { path: `${dirname(origin)}/${value}`, isFixed: false }
}

/**
 * Throws if settings are included from outside the repository: git would take values from any file that reads as
 * settings, and show some of them. What an include depends on does not matter.
 */
export async function requireLocalIncludes(
  includes: readonly Include[],
  allowed: readonly string[],
): Promise<void> {
  for (const { path } of includes) {
    const real = await realOrParent(path)
    if (allowed.some((folder) => isInside(real, folder))) continue
    throw new GitError(
      'outside',
      `This repository includes settings from ${path}, which is outside of it. ` +
        'Move those settings into its own file, or allow that file when the program starts.',
    )
  }
}

/**
 * Throws if a command that writes could change what is included: then a process of it would go by settings nobody has
 * looked at. Files elsewhere stay as they are.
 */
export async function requireSteady(
  includes: readonly Include[],
  folders: readonly string[],
): Promise<void> {
  for (const { path, isFixed } of includes) {
    const paths = [path, await realOrParent(path)]
    const isAmong = paths.some((candidate) => folders.some((folder) => isInside(candidate, folder)))
    if (isFixed && !isAmong) continue
    throw new GitError(
      'refused',
      `This repository includes settings from ${path}, which git could change while it works. ` +
        'It can be read, and changed once those settings are in its own file.',
    )
  }
}

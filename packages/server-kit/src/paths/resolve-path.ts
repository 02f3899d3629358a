import { realpath } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'

import { directoryOf, type AllowedDirectory } from './allowed-directory.ts'
import { isInside } from './containment.ts'
import { findName } from './find-name.ts'
import { PathDenied } from './path-denied.ts'
import { expandHome, isAbsolutePath, requireHonestText } from './path-text.ts'
import { systemCode } from './system-error.ts'

/** A path that is allowed as far as can be seen before it is opened. */
export interface JailedPath {
  /** Absolute, without links as far as it exists. */
  readonly path: string
  /** The allowed directory it is in. */
  readonly directory: AllowedDirectory
  /** What does not exist yet, from the top; empty if all of it does. */
  readonly missing: readonly string[]
}

export interface ResolveOptions {
  /** False: a link at the end is meant itself, not what it leads to. @defaultValue true */
  readonly followLast?: boolean | undefined
  readonly platform?: NodeJS.Platform | undefined
}

/** Where a path leads to. Throws `PathDenied` unless that is inside of one of the directories. */
export async function resolvePath(
  text: string,
  directories: readonly AllowedDirectory[],
  { followLast = true, platform = process.platform }: ResolveOptions = {},
): Promise<JailedPath> {
  requireHonestText(text, platform)
  const expanded = expandHome(text)
  if (isAbsolutePath(expanded)) return resolveAbsolute(resolve(expanded), directories, followLast)
  return resolveRelative(expanded, directories, followLast)
}

/** The first directory that has it; the first that could have it if none does. */
async function resolveRelative(
  text: string,
  directories: readonly AllowedDirectory[],
  followLast: boolean,
): Promise<JailedPath> {
  let firstFound: JailedPath | undefined
  let firstError: unknown
  for (const { path } of directories) {
    try {
      const found = await resolveAbsolute(resolve(path, text), directories, followLast)
      if (found.missing.length === 0) return found
      firstFound ??= found
    } catch (error) {
      firstError ??= error
    }
  }
  if (firstFound) return firstFound
  throw firstError ?? outside(text, directories)
}

async function resolveAbsolute(
  path: string,
  directories: readonly AllowedDirectory[],
  followLast: boolean,
): Promise<JailedPath> {
  const start = directories.find((one) => isInside(path, one.path) || isInside(path, one.realPath))
  if (start === undefined || path.includes('\0')) throw outside(path, directories)
  if (!followLast && !directories.some((one) => one.path === path || one.realPath === path)) {
    const parent = await resolveAbsolute(dirname(path), directories, true)
    return withLast(parent, path)
  }
  try {
    return inside(await realpath(path), [], directories)
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error
    const base = isInside(path, start.path) ? start.path : start.realPath
    return walk(start.realPath, relative(base, path).split(sep), directories)
  }
}

/** Goes down segment by segment, as far as there is something. */
async function walk(
  from: string,
  segments: readonly string[],
  directories: readonly AllowedDirectory[],
): Promise<JailedPath> {
  let current = from
  for (const [at, segment] of segments.entries()) {
    const name = await findName(current, segment)
    if (name === undefined) return inside(current, segments.slice(at), directories)
    const next = join(current, name)
    current = await realpath(next).catch((error: unknown) => {
      if (systemCode(error) !== 'ENOENT') throw error
      throw new PathDenied('link', `symlink without a target: ${next}`)
    })
    inside(current, [], directories)
  }
  return inside(current, [], directories)
}

function inside(
  path: string,
  missing: readonly string[],
  directories: readonly AllowedDirectory[],
): JailedPath {
  const directory = directoryOf(path, directories)
  if (directory === undefined) {
    const list = describeDirectories(directories)
    throw new PathDenied(
      'link',
      `symlink target outside allowed directories: ${path} not in ${list}`,
    )
  }
  return { path: join(path, ...missing), directory, missing }
}

async function withLast(parent: JailedPath, path: string): Promise<JailedPath> {
  const name = path.slice(dirname(path).length).replace(sep, '')
  const whole = join(parent.path, name)
  const { directory, missing } = parent
  if (missing.length > 0) return { path: whole, directory, missing: [...missing, name] }
  const found = await findName(parent.path, name)
  if (found === undefined) return { path: whole, directory, missing: [name] }
  return { path: join(parent.path, found), directory, missing: [] }
}

function outside(path: string, directories: readonly AllowedDirectory[]): PathDenied {
  const list = describeDirectories(directories)
  return new PathDenied('outside', `path outside allowed directories: ${path} not in ${list}`)
}

/** Every form a directory is known by. */
function describeDirectories(directories: readonly AllowedDirectory[]): string {
  return [...new Set(directories.flatMap(({ path, realPath }) => [path, realPath]))].join(', ')
}

import { lstat, readdir, realpath } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import process from 'node:process'

import { directoryOf, type AllowedDirectory } from './allowed-directory.ts'
import { mayBeInside } from './containment.ts'
import { findName, listedName } from './find-name.ts'
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
}

/** The parts of the system that say where a path leads; tests pass those of another platform. */
export interface PathSystem {
  readonly platform: NodeJS.Platform
  /** The path without links, with each name as its folder has it. */
  readonly realpath: (path: string) => Promise<string>
  readonly lstat: (path: string) => Promise<{ isSymbolicLink(): boolean }>
  readonly readdir: (path: string) => Promise<readonly string[]>
}

/** The system of this process. */
export const hostSystem: PathSystem = { platform: process.platform, realpath, lstat, readdir }

/** Where a path leads to. Throws `PathDenied` unless that is inside of one of the directories. */
export async function resolvePath(
  text: string,
  directories: readonly AllowedDirectory[],
  { followLast = true }: ResolveOptions = {},
  system: PathSystem = hostSystem,
): Promise<JailedPath> {
  requireHonestText(text, system.platform)
  const expanded = expandHome(text)
  const jail = { directories, system }
  if (isAbsolutePath(expanded)) return resolveAbsolute(resolve(expanded), jail, followLast)
  return resolveRelative(expanded, jail, followLast)
}

interface Jail {
  readonly directories: readonly AllowedDirectory[]
  readonly system: PathSystem
}

/** The first directory that has it; the first that could have it if none does. */
async function resolveRelative(text: string, jail: Jail, followLast: boolean): Promise<JailedPath> {
  let firstFound: JailedPath | undefined
  let firstError: unknown
  for (const { path } of jail.directories) {
    try {
      const found = await resolveAbsolute(resolve(path, text), jail, followLast)
      if (found.missing.length === 0) return found
      firstFound ??= found
    } catch (error) {
      firstError ??= error
    }
  }
  if (firstFound) return firstFound
  throw firstError ?? outside(text, jail.directories)
}

async function resolveAbsolute(path: string, jail: Jail, followLast: boolean): Promise<JailedPath> {
  const { directories, system } = jail
  const { platform } = system
  const start = directories.find(
    (directory) =>
      mayBeInside(path, directory.path, platform) ||
      mayBeInside(path, directory.realPath, platform),
  )
  if (start === undefined || path.includes('\0')) throw outside(path, directories)
  if (
    !followLast &&
    !directories.some((directory) => directory.path === path || directory.realPath === path)
  ) {
    const parent = await resolveAbsolute(dirname(path), jail, true)
    return withLast(parent, path, jail)
  }
  try {
    return inside(await system.realpath(path), [], jail)
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error
    const base = mayBeInside(path, start.path, platform) ? start.path : start.realPath
    return walk(start.realPath, segmentsOf(path).slice(segmentsOf(base).length), jail)
  }
}

function segmentsOf(path: string): string[] {
  return path.split(sep).filter((segment) => segment !== '')
}

/** Goes down segment by segment, as far as there is something. */
async function walk(from: string, segments: readonly string[], jail: Jail): Promise<JailedPath> {
  const { system } = jail
  let current = from
  for (const [at, segment] of segments.entries()) {
    const name = await findName(current, segment, system)
    if (name === undefined) return inside(current, segments.slice(at), jail)
    const next = join(current, name)
    current = await system.realpath(next).catch((error: unknown) => {
      if (systemCode(error) !== 'ENOENT') throw error
      throw new PathDenied('link', `symlink without a target: ${next}`)
    })
    inside(current, [], jail)
  }
  return inside(current, [], jail)
}

function inside(
  path: string,
  missing: readonly string[],
  { directories, system }: Jail,
): JailedPath {
  const directory = directoryOf(path, directories, system.platform)
  if (directory === undefined) {
    const list = describeDirectories(directories)
    throw new PathDenied(
      'link',
      `symlink target outside allowed directories: ${path} not in ${list}`,
    )
  }
  return { path: join(path, ...missing), directory, missing }
}

/**
 * The last name is meant itself. Several names may lead to it, such as another case, a short name of Windows or another Unicode
 * form: the one its folder has counts, so that no rule about a folder is passed under another name.
 */
async function withLast(parent: JailedPath, path: string, jail: Jail): Promise<JailedPath> {
  const { system } = jail
  const name = path.slice(dirname(path).length).replace(sep, '')
  const whole = join(parent.path, name)
  const { directory, missing } = parent
  if (missing.length > 0) return { path: whole, directory, missing: [...missing, name] }
  const found = await findName(parent.path, name, system)
  if (found === undefined) return { path: whole, directory, missing: [name] }
  const there = join(parent.path, found)
  const isLink = (await system.lstat(there)).isSymbolicLink()
  if (!isLink) return inside(await system.realpath(there), [], jail)
  return {
    path: join(parent.path, await listedName(parent.path, found, system)),
    directory,
    missing,
  }
}

function outside(path: string, directories: readonly AllowedDirectory[]): PathDenied {
  const list = describeDirectories(directories)
  return new PathDenied('outside', `path outside allowed directories: ${path} not in ${list}`)
}

/** Every form a directory is known by. */
function describeDirectories(directories: readonly AllowedDirectory[]): string {
  return [...new Set(directories.flatMap(({ path, realPath }) => [path, realPath]))].join(', ')
}

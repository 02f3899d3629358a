import { realpath, stat } from 'node:fs/promises'
import { resolve } from 'node:path'

import { isInside, mayBeInside } from './containment.ts'
import { expandHome } from './path-text.ts'

/** A directory that may be used, and how. */
export interface AllowedDirectory {
  /** As it was given, made absolute. */
  readonly path: string
  /** Without links. */
  readonly realPath: string
  /** Nothing in it may be changed. */
  readonly isReadOnly: boolean
}

/** A directory as it is given: `/path`, `~/path`, `ro:/path`, `rw:/path`. */
export interface DirectoryRequest {
  /** The path, as it was given. */
  readonly path: string
  /** It began with `ro:`. */
  readonly isReadOnly: boolean
}

/** Reads the prefix that says how a directory may be used. */
export function readDirectoryRequest(text: string, isReadOnly = false): DirectoryRequest {
  const [, prefix, rest = text] = /^(ro|rw):(.*)$/s.exec(text) ?? []
  return {
    path: resolve(expandHome(rest)),
    isReadOnly: isReadOnly || prefix === 'ro',
  }
}

/** The directory behind a request; throws if there is none. */
export async function findDirectory(request: DirectoryRequest): Promise<AllowedDirectory> {
  const realPath = await realpath(request.path)
  if (!(await stat(realPath)).isDirectory()) throw new Error(`${request.path} is not a directory`)
  return { ...request, realPath }
}

/** The directory a real path is in; the deepest decides how it may be used. */
export function directoryOf(
  realPath: string,
  directories: readonly AllowedDirectory[],
  platform?: NodeJS.Platform,
): AllowedDirectory | undefined {
  let found: AllowedDirectory | undefined
  for (const directory of directories) {
    if (!isInside(realPath, directory.realPath, platform)) continue
    if (found === undefined || directory.realPath.length > found.realPath.length) found = directory
  }
  if (found === undefined || found.isReadOnly) return found
  // A network drive may give a real path in the case that was typed: a read-only directory stays one in any case.
  const { length } = found.realPath
  const locked = directories.find(
    (directory) =>
      directory.isReadOnly &&
      directory.realPath.length > length &&
      mayBeInside(realPath, directory.realPath, platform),
  )
  return locked ?? found
}

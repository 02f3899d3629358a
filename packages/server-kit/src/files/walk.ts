import type { Dirent } from 'node:fs'
import { sep } from 'node:path'

import { PathDenied } from '../paths/path-denied.ts'
import type { PathJail } from '../paths/path-jail.ts'
import { systemCode } from '../paths/system-error.ts'
import { addIgnores, ignoresAbove, isIgnored, type Ignores } from './gitignore.ts'
import { isBehind } from './walk-order.ts'

/** Something found on the way. */
export interface Found {
  /** Absolute, without links. */
  readonly path: string
  /** From where the walk began, with slashes. */
  readonly relative: string
  /** The last part of the path. */
  readonly name: string
  /** A link counts as a file, whatever it leads to. */
  readonly kind: 'file' | 'directory'
  /** It is a symbolic link. */
  readonly isLink: boolean
}

/** What a walk leaves out, and who hears of it. */
export interface WalkOptions {
  /** Stops the walk. */
  readonly signal?: AbortSignal | undefined
  /** Leaves this out, with all that is in it. */
  readonly isExcluded?: ((relative: string) => boolean) | undefined
  /** Goes on from here, relative as what is found: with this again, without what comes before it. */
  readonly from?: string | undefined
  /** Leaves out what `.gitignore` files name. @defaultValue false */
  readonly gitignore?: boolean | undefined
  /** Leaves out links that lead outside or nowhere. @defaultValue false */
  readonly onlyUsableLinks?: boolean | undefined
  /** Called after each directory, with the number of entries seen so far. */
  readonly onDirectory?: ((seen: number) => Promise<void>) | undefined
}

/**
 * Everything below a directory, folder by folder, sorted, a folder before what is in it. Links are shown and not
 * followed; folders that cannot be read are skipped, but for the first. Holds no more than the entries of the folders on
 * the way down, so a tree of any size can be walked.
 */
export async function* walk(
  jail: PathJail,
  start: string,
  options: WalkOptions = {},
): AsyncGenerator<Found> {
  const { gitignore = false, signal, onDirectory, from } = options
  let seen = 0
  const top = (await jail.resolve(start)).path
  const above = gitignore ? await ignoresAbove(jail, top) : { ignores: [], prefix: '' }
  const stack = [await open(top, '', above.ignores)]

  for (let level = stack.at(-1); level !== undefined; level = stack.at(-1)) {
    const entry = level.entries[level.next]
    level.next += 1
    if (entry === undefined) {
      stack.pop()
      continue
    }
    signal?.throwIfAborted()
    const found = toFound(entry, level)
    if (from !== undefined && isBehind(found.relative, from)) continue
    if (options.isExcluded?.(found.relative)) continue
    const isDirectory = found.kind === 'directory'
    if (gitignore && isIgnored(level.ignores, `${above.prefix}${found.relative}`, isDirectory))
      continue
    if (found.isLink && options.onlyUsableLinks && !(await isUsable(found.path))) continue
    if (!from?.startsWith(`${found.relative}/`)) yield found // else it was given out already
    if (isDirectory) {
      const inner = await open(found.path, `${found.relative}/`, level.ignores).catch(skipped)
      if (inner) stack.push(inner)
    }
  }

  async function open(path: string, folder: string, inherited: Ignores): Promise<Level> {
    await using directory = await jail.openDirectory(path)
    const entries = await directory.entries()
    const has = gitignore && entries.some(({ name }) => name === '.gitignore')
    const ignores = has
      ? await addIgnores(inherited, directory, `${above.prefix}${folder}`, jail)
      : inherited
    seen += entries.length
    await onDirectory?.(seen)
    return { path: directory.path, folder, ignores, entries, next: 0 }
  }

  async function isUsable(path: string): Promise<boolean> {
    return jail.resolve(path).then(
      () => true,
      () => false,
    )
  }
}

/** A folder on the way down. */
interface Level {
  readonly path: string
  /** From where the walk began; empty or ending in a slash. */
  readonly folder: string
  readonly ignores: Ignores
  readonly entries: readonly Dirent[]
  next: number
}

function toFound(entry: Dirent, { path, folder }: Level): Found {
  const { name } = entry
  return {
    path: path.endsWith(sep) ? `${path}${name}` : `${path}${sep}${name}`,
    relative: `${folder}${name}`,
    name,
    kind: entry.isDirectory() ? 'directory' : 'file',
    isLink: entry.isSymbolicLink(),
  }
}

/** What cannot be read is left out; what stops the whole walk is not. */
function skipped(error: unknown): undefined {
  if (error instanceof PathDenied || systemCode(error) !== undefined) return undefined
  throw error
}

import { constants } from 'node:fs'
import { lstat, rmdir, unlink } from 'node:fs/promises'
import { basename, dirname } from 'node:path'

import { replaceFile } from '@parley/mcp/system'

import type { AllowedDirectory } from './allowed-directory.ts'
import { mayBeInside } from './containment.ts'
import { createMissing } from './create-missing.ts'
import { openDirectory, type JailedDirectory } from './jailed-directory.ts'
import { PathDenied } from './path-denied.ts'
import type { OpenFlags, PathJail } from './path-jail.ts'
import { removeTree } from './remove-tree.ts'
import {
  hostSystem,
  resolvePath,
  type JailedPath,
  type PathSystem,
  type ResolveOptions,
} from './resolve-path.ts'
import { restate, systemCode, systemError } from './system-error.ts'
import { isSameFile, openVerified } from './verify-handle.ts'
import { writeFileIn } from './write-file.ts'

/** A jail of directories that were found. */
export function jailOf(
  directories: readonly AllowedDirectory[],
  system: PathSystem = hostSystem,
): PathJail {
  function resolve(path: string, options?: ResolveOptions): Promise<JailedPath> {
    return resolvePath(path, directories, options, system)
  }

  /** The directory of what a path names, held open, for as long as `work` takes. */
  async function inParent<T>(
    { path, missing }: JailedPath,
    operation: string,
    work: (parent: JailedDirectory, name: string) => Promise<T>,
  ): Promise<T> {
    if (missing.length > 1) throw systemError('ENOENT', operation, path)
    await using parent = await openDirectory(dirname(path), directories)
    return await parent.doing(() => work(parent, basename(path)))
  }

  async function forWriting(path: string, options?: ResolveOptions): Promise<JailedPath> {
    const found = await resolve(path, options)
    if (!found.directory.isReadOnly) return found
    throw new PathDenied('read_only', `read-only directory: ${found.path}`)
  }

  /** For what leaves its place with everything in it. */
  async function forTaking(path: string, options?: ResolveOptions): Promise<JailedPath> {
    const found = await forWriting(path, options)
    if (isWhole(found)) throw isAllowedItself(found)
    const isAround = (directory: AllowedDirectory) =>
      mayBeInside(directory.realPath, found.path, system.platform) ||
      mayBeInside(directory.path, found.path, system.platform)
    const inner = directories.filter(isAround)
    const [locked = inner[0]] = inner.filter(({ isReadOnly }) => isReadOnly)
    if (locked === undefined) return found
    throw locked.isReadOnly
      ? new PathDenied('read_only', `a read-only directory is in it: ${found.path}`)
      : new PathDenied('kind', `an allowed directory is in it: ${found.path}`)
  }

  /** Whether a path leads to the same file by a name that its folder does not have, such as `README.md` for `readme.md`. */
  async function isOtherName({ path }: JailedPath, other: string): Promise<boolean> {
    const itself = await resolve(other, { followLast: false })
    return itself.path === path && basename(other) !== basename(path)
  }

  return {
    directories,
    resolve,
    within: (others) => jailOf(others, system),

    async open(path, flags = 'r') {
      const { path: real } = await (flags === 'r' ? resolve(path) : forWriting(path))
      const handle = await openVerified(real, openFlags[flags], directories)
      try {
        const stats = await handle.stat()
        if (stats.isFile() || stats.isDirectory()) return handle // reading a directory says EISDIR
        throw new PathDenied('kind', `neither a file nor a directory: ${real}`)
      } catch (error) {
        await handle.close()
        throw error
      }
    },

    async openDirectory(path) {
      return openDirectory((await resolve(path)).path, directories)
    },

    async stat(path) {
      const found = await resolve(path)
      if (isWhole(found)) return lstat(found.path)
      return inParent(found, 'stat', (parent, name) =>
        lstat(parent.at(name)).catch((error: unknown) => {
          throw restate(error, { operation: 'stat' })
        }),
      )
    },

    async writeFile(path, content, options) {
      const found = await forWriting(path)
      if (isWhole(found)) throw systemError('EEXIST', 'open', found.path)
      await inParent(found, 'open', (parent, name) => writeFileIn(parent, name, content, options))
      return found.path
    },

    async createDirectory(path) {
      const found = await forWriting(path)
      await createMissing(found, directories)
      return found.path
    },

    async move(source, destination) {
      const from = await forTaking(source)
      const to = await forWriting(destination)
      if (to.missing.length === 0) {
        if (await isOtherName(from, destination)) {
          const name = basename(destination)
          return inParent(from, 'rename', (parent, old) =>
            replaceFile(parent.at(old), parent.at(name)),
          )
        }
        const error = new Error(`Destination already exists: ${destination}`)
        throw Object.assign(error, { code: 'EEXIST' })
      }
      const isMissing = from.missing.length > 0 || to.missing.length > 1
      if (isMissing) throw systemError('ENOENT', 'rename', `${from.path}' -> '${to.path}`)
      let foreign: readonly [from: string, to: string] | undefined
      try {
        await inParent(from, 'rename', async (fromParent, fromName) => {
          const left = await lstat(fromParent.at(fromName), { bigint: true })
          const arrived = await inParent(to, 'rename', async (toParent, toName) => {
            const path = toParent.at(toName)
            await replaceFile(fromParent.at(fromName), path)
            return { path, file: await lstat(path, { bigint: true }) }
          })
          if (!isSameFile(left, arrived.file)) foreign = [fromParent.at(fromName), arrived.path]
        })
      } catch (error) {
        if (foreign) await putBack(...foreign)
        throw error
      }
    },

    async takeOut(path, destination) {
      const found = await forTaking(path, { followLast: false })
      let foreign: string | undefined
      try {
        await inParent(found, 'rename', async (parent, name) => {
          const left = await lstat(parent.at(name), { bigint: true })
          await replaceFile(parent.at(name), destination)
          const arrived = await lstat(destination, { bigint: true })
          if (!isSameFile(left, arrived)) foreign = parent.at(name)
        })
      } catch (error) {
        if (foreign !== undefined) await putBack(foreign, destination)
        throw error
      }
    },

    async remove(path, { recursive = false } = {}) {
      const found = await forTaking(path, { followLast: false })
      await inParent(found, 'unlink', async (parent, name) => {
        if (recursive) return removeTree(parent, name, directories)
        const isDirectory = (await lstat(parent.at(name))).isDirectory()
        return isDirectory ? rmdir(parent.at(name)) : unlink(parent.at(name))
      })
    },
  }
}

/**
 * Undoes a rename that brought a file of elsewhere, because the folder it came from was swapped before it. Nothing else is undone:
 * a folder that was swapped after a rename would lead the way back elsewhere.
 */
async function putBack(from: string, to: string): Promise<void> {
  const isFree = await lstat(from).then(
    () => false,
    (error: unknown) => systemCode(error) === 'ENOENT',
  )
  if (isFree) await replaceFile(to, from).catch(() => {}) // the error that is told says that something changed
}

/** None of these does anything to a file before it was looked at. */
const openFlags: Record<OpenFlags, number> = {
  r: constants.O_RDONLY,
  'r+': constants.O_RDWR,
  a: constants.O_WRONLY | constants.O_APPEND,
}

function isWhole({ path, directory }: JailedPath): boolean {
  return path === directory.realPath
}

function isAllowedItself({ path }: JailedPath): PathDenied {
  return new PathDenied('kind', `an allowed directory itself: ${path}`)
}

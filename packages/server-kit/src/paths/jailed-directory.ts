import { constants, type BigIntStats, type Dirent } from 'node:fs'
import { lstat, readdir, realpath, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'

import type { AllowedDirectory } from './allowed-directory.ts'
import { PathDenied } from './path-denied.ts'
import { requireName } from './path-text.ts'
import { restate } from './system-error.ts'
import { handleFolder, isSameFile, openVerified, verifyHandle } from './verify-handle.ts'

/** A directory that is held open: its names mean the same however its path changes. */
export interface JailedDirectory extends AsyncDisposable {
  /** Without links, as it was when it was opened. */
  readonly path: string
  /** What to give to the system for a name in here. */
  at(name: string): string
  /** Throws unless what was just opened by a name is in here; says nothing where names cannot lead elsewhere. */
  confirm(handle: FileHandle, name: string): Promise<void>
  /** Sorted by name. */
  entries(): Promise<Dirent[]>
  /** Runs `work` and tells its failures with the paths people know. */
  doing<T>(work: () => Promise<T>): Promise<T>
}

/** Absent on Windows, which opens no directories: there the path is checked before and after. */
const { O_DIRECTORY = 0 } = constants as Partial<typeof constants>

/** Opens a path without links that is a directory. */
export async function openDirectory(
  path: string,
  directories: readonly AllowedDirectory[],
): Promise<JailedDirectory> {
  if (process.platform === 'win32') return withoutHandle(path, directories)
  const flags = constants.O_RDONLY | O_DIRECTORY
  const handle = await openVerified(path, flags, directories).catch((error: unknown) => {
    throw restate(error, { operation: 'scandir' })
  })
  const base = handleFolder === undefined ? path : `${handleFolder}/${handle.fd}`
  const close = () => handle.close()
  const opened = await handle.stat({ bigint: true }).catch(async (error: unknown) => {
    await close()
    throw error
  })
  return { ...directoryAt({ path, base, opened }, directories), [Symbol.asyncDispose]: close }
}

async function withoutHandle(
  path: string,
  directories: readonly AllowedDirectory[],
): Promise<JailedDirectory> {
  const opened = await lstat(path, { bigint: true }).catch((error: unknown) => {
    throw restate(error, { operation: 'scandir' })
  })
  const directory = directoryAt({ path, base: path, opened }, directories)
  return { ...directory, [Symbol.asyncDispose]: async () => undefined }
}

interface Place {
  readonly path: string
  /** What names are put behind; the path itself where a directory cannot be held. */
  readonly base: string
  /** The directory as it was opened. */
  readonly opened: BigIntStats
}

/** Throws unless a path still leads to the directory that was opened, without links. */
async function requireSame({ path, opened }: Place): Promise<void> {
  const now = await realpath(path).catch(() => undefined)
  const there = await lstat(path, { bigint: true }).catch(() => undefined)
  if (now === path && there !== undefined && isSameFile(there, opened)) return
  throw new PathDenied('changed', `path changed while it was used: ${path}`)
}

function directoryAt(
  location: Place,
  directories: readonly AllowedDirectory[],
): Omit<JailedDirectory, typeof Symbol.asyncDispose> {
  const { path, base } = location
  const isAnchored = base !== path
  // Where a directory cannot be held: a path that leads elsewhere in between is told of, although it is too late to prevent it.
  const check = async () => {
    if (!isAnchored) await requireSame(location)
  }
  async function doing<T>(work: () => Promise<T>): Promise<T> {
    await check()
    try {
      return await work()
    } catch (error) {
      throw restate(error, { folder: { used: base, known: path } })
    } finally {
      await check()
    }
  }
  return {
    path,
    doing,
    async confirm(handle, name) {
      if (!isAnchored) await verifyHandle(handle, join(path, name), directories)
    },
    at(name) {
      requireName(name)
      return `${base}/${name}`
    },
    async entries() {
      const found = await doing(() => readdir(base, { withFileTypes: true }))
      return found.toSorted(byName)
    },
  }
}

/** By code unit: the same everywhere, whatever the language of the machine. */
function byName({ name: itemName }: Dirent, { name: other }: Dirent): number {
  return itemName < other ? -1 : itemName > other ? 1 : 0
}

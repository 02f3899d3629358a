import { constants, type Dirent } from 'node:fs'
import { readdir, realpath, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'

import type { AllowedDirectory } from './allowed-directory.ts'
import { PathDenied } from './path-denied.ts'
import { requireName } from './path-text.ts'
import { restate } from './system-error.ts'
import { handleFolder, openVerified, verifyHandle } from './verify-handle.ts'

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
  return {
    ...directoryAt(path, base, directories),
    [Symbol.asyncDispose]: () => handle.close(),
  }
}

function withoutHandle(path: string, directories: readonly AllowedDirectory[]): JailedDirectory {
  return { ...directoryAt(path, path, directories), [Symbol.asyncDispose]: async () => undefined }
}

function directoryAt(
  path: string,
  base: string,
  directories: readonly AllowedDirectory[],
): Omit<JailedDirectory, typeof Symbol.asyncDispose> {
  const isHeld = base !== path
  async function doing<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      throw restate(error, { folder: { used: base, known: path } })
    }
  }
  return {
    path,
    doing,
    async confirm(handle, name) {
      if (!isHeld) await verifyHandle(handle, join(path, name), directories)
    },
    at(name) {
      requireName(name)
      return `${base}/${name}`
    },
    async entries() {
      const found = await doing(() => readdir(base, { withFileTypes: true }))
      // Without a way to hold on to a directory: what was listed is given out only if it still is the same place.
      if (!isHeld && (await realpath(path)) !== path) {
        throw new PathDenied('changed', `path changed while it was read: ${path}`)
      }
      return found.toSorted(byName)
    },
  }
}

/** By code unit: the same everywhere, whatever the language of the machine. */
function byName({ name: one }: Dirent, { name: other }: Dirent): number {
  return one < other ? -1 : one > other ? 1 : 0
}

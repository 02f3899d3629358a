import type { Stats } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'

import {
  findDirectory,
  readDirectoryRequest,
  type AllowedDirectory,
  type DirectoryRequest,
} from './allowed-directory.ts'
import { jailOf } from './jail-of.ts'
import type { JailedDirectory } from './jailed-directory.ts'
import type { JailedPath, ResolveOptions } from './resolve-path.ts'
import type { FileContent } from './write-file.ts'

/** Files below some directories, and no others: whatever the path, and whatever changes while it is used. */
export interface PathJail {
  /** The directories that may be used. */
  readonly directories: readonly AllowedDirectory[]
  /** Where a path leads to, before it is opened. Good for showing, not for opening. */
  resolve(path: string, options?: Pick<ResolveOptions, 'followLast'>): Promise<JailedPath>
  /**
   * Opens a regular file that exists: `r` for reading, `r+` also for writing, `a` for appending. What is neither file nor
   * directory is refused; nothing is created or cut off. @defaultValue 'r'
   */
  open(path: string, flags?: OpenFlags): Promise<FileHandle>
  /** Opens a directory, to list it. */
  openDirectory(path: string): Promise<JailedDirectory>
  /** What is known about a file or directory; links are followed. */
  stat(path: string): Promise<Stats>
  /** Creates a file, or replaces one as a whole. Gives where it is. */
  writeFile(
    path: string,
    content: FileContent,
    options?: { readonly mustBeNew?: boolean | undefined },
  ): Promise<string>
  /** With all that is missing above it; does nothing if it exists. */
  createDirectory(path: string): Promise<string>
  /** Refuses a destination that exists, and a source that an allowed directory is in; so do `remove` and `takeOut`. */
  move(source: string, destination: string): Promise<void>
  /** A link is removed itself. Directories only if empty, or `recursive`. */
  remove(path: string, options?: { readonly recursive?: boolean | undefined }): Promise<void>
  /** Moves something out, to a path of the program's own choice, such as a trash. A link is moved itself. */
  takeOut(path: string, destination: string): Promise<void>
  /** The same rules for other directories, such as the roots of a client. */
  within(directories: readonly AllowedDirectory[]): PathJail
}

/** How a file is opened. */
export type OpenFlags = 'r' | 'r+' | 'a'

/** Which directories, and whether to write in them. */
export interface PathJailOptions {
  /** `/path`, `~/path`, `ro:/path`, `rw:/path`. One that does not exist is an error. */
  readonly directories: readonly (string | DirectoryRequest)[]
  /** Nothing is written, whatever the directories say. @defaultValue false */
  readonly readOnly?: boolean | undefined
}

/** Makes a jail of directories that exist. */
export async function createPathJail(options: PathJailOptions): Promise<PathJail> {
  const { directories, readOnly = false } = options
  const found = await Promise.all(
    directories.map((directory) =>
      findDirectory(
        typeof directory === 'string' ? readDirectoryRequest(directory, readOnly) : directory,
      ),
    ),
  )
  return jailOf(readOnly ? found.map((item) => ({ ...item, isReadOnly: true })) : found)
}

import type { RootsJailOptions } from '@parley/server-kit/paths'

import type { RunEditTask } from './task/edit-tasks.ts'

/** What can be added to what the reference server has. */
export const extras = [
  'grep_files',
  'find_files',
  'read_lines',
  'read_bytes',
  'copy_file',
  'delete_file',
  'resources',
] as const
export type Extra = (typeof extras)[number]

/** Which directories may be used, and how. */
export interface FilesystemOptions extends RootsJailOptions {
  /** Lists, trees and searches leave out what `.gitignore` files name. @defaultValue false */
  readonly gitignore?: boolean | undefined
  /** Tools and resources that the reference server does not have. @defaultValue none */
  readonly enable?: readonly Extra[] | undefined
  /** A file that is read as a whole has at most so many bytes. @defaultValue 10 MiB */
  readonly maxReadBytes?: number | undefined
  /** One search, list or tree has at most so many entries. @defaultValue 20_000 */
  readonly maxResults?: number | undefined
  /** Where `delete_file` puts things. @defaultValue the trash of this user */
  readonly trash?: string | undefined
  /** Where files are edited and compared. @defaultValue large ones in threads of their own */
  readonly runTask?: RunEditTask | undefined
}

/** The options that tools look at, with their defaults. */
export interface Settings {
  readonly gitignore: boolean
  readonly maxReadBytes: number
  readonly maxResults: number
  readonly trash: string | undefined
}

/** Fills in what was left out. */
export function settingsOf(options: FilesystemOptions): Settings {
  const { gitignore = false, maxReadBytes = 10 * 1024 * 1024, maxResults = 20_000, trash } = options
  return { gitignore, maxReadBytes, maxResults, trash }
}

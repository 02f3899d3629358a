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

/** How clients' roots count. */
export type RootsRule = 'replace' | 'narrow' | 'ignore'

export interface FilesystemOptions {
  /** `/path`, `~/path`, `ro:/path`, `rw:/path`; each must exist. */
  readonly directories: readonly string[]
  /** Nothing is written anywhere. @defaultValue false */
  readonly readOnly?: boolean | undefined
  /**
   * `replace`: a client's roots take the place of the directories, for whoever started this process. `narrow`: roots
   * count as far as they are inside of the directories, for strangers. @defaultValue 'narrow'
   */
  readonly roots?: RootsRule | undefined
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
}

/** The options with their defaults. */
export interface Settings {
  readonly gitignore: boolean
  readonly maxReadBytes: number
  readonly maxResults: number
  readonly trash: string | undefined
}

export function settingsOf(options: FilesystemOptions): Settings {
  return {
    gitignore: options.gitignore ?? false,
    maxReadBytes: options.maxReadBytes ?? 10 * 1024 * 1024,
    maxResults: options.maxResults ?? 20_000,
    trash: options.trash,
  }
}

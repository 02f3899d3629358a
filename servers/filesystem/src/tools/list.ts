import type { Dirent } from 'node:fs'

import { entriesNotIgnored } from '@parley/server-kit/files'
import type { JailedDirectory } from '@parley/server-kit/paths'
import { z } from 'zod'

import { fileTool, pathInput, type FileCall } from '../file-tool.ts'
import { readingHints } from '../reading-hints.ts'

export const listDirectory = fileTool(
  'list_directory',
  {
    title: 'List Directory',
    description:
      'What is in a directory, one line each, with [FILE] or [DIR] in front. Only in allowed directories.',
    inputSchema: z.object({ path: pathInput }),
    annotations: readingHints,
  },
  async ({ path }, call) => {
    await using directory = await call.jail.openDirectory(path)
    const entries = await entriesOf(directory, call)
    const { maxResults } = call.settings
    const lines = entries.slice(0, maxResults).map((entry) => `${kindOf(entry)} ${entry.name}`)
    return [...lines, ...leftOut(entries.length - lines.length)].join('\n')
  },
)

/** The line that says that some are missing, if any are. */
export function leftOut(count: number): readonly string[] {
  return count > 0 ? [`… and ${count} more; search_files finds some of them`] : []
}

/** Sorted, without what is to be left out. */
export function entriesOf(
  directory: JailedDirectory,
  { jail, settings }: FileCall,
): Promise<readonly Dirent[]> {
  return settings.gitignore ? entriesNotIgnored(directory, jail) : directory.entries()
}

/** A link counts as a file, whatever it leads to. */
export function kindOf(entry: Dirent): '[DIR]' | '[FILE]' {
  return entry.isDirectory() ? '[DIR]' : '[FILE]'
}

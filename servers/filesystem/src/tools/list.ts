import type { Dirent } from 'node:fs'

import type { JailedDirectory } from '@parley/server-kit/paths'
import { z } from 'zod'

import { fileTool, pathInput, reads, type FileCall } from '../file-tool.ts'
import { addIgnores, ignoresAbove, isIgnored } from '../walk/gitignore.ts'

export const listDirectory = fileTool(
  'list_directory',
  {
    title: 'List Directory',
    description:
      'What is in a directory, one line each, with [FILE] or [DIR] in front. Only in allowed directories.',
    inputSchema: z.object({ path: pathInput }),
    annotations: reads(),
  },
  async ({ path }, call) => {
    await using directory = await call.jail.openDirectory(path)
    const entries = await entriesOf(directory, call)
    const { maxResults } = call.settings
    const lines = entries.slice(0, maxResults).map((entry) => `${kindOf(entry)} ${entry.name}`)
    const left = entries.length - lines.length
    return [
      ...lines,
      ...(left > 0 ? [`… and ${left} more; search_files finds some of them`] : []),
    ].join('\n')
  },
)

/** Sorted, without what is to be left out. */
export async function entriesOf(
  directory: JailedDirectory,
  { jail, settings }: Pick<FileCall, 'jail' | 'settings'>,
): Promise<readonly Dirent[]> {
  const entries = await directory.entries()
  if (!settings.gitignore) return entries
  const { ignores: above, prefix } = await ignoresAbove(jail, directory.path)
  const ignores = await addIgnores(above, directory, prefix, jail)
  return entries.filter(
    (entry) => !isIgnored(ignores, `${prefix}${entry.name}`, entry.isDirectory()),
  )
}

/** A link counts as a file, whatever it leads to. */
export function kindOf(entry: Dirent): '[DIR]' | '[FILE]' {
  return entry.isDirectory() ? '[DIR]' : '[FILE]'
}

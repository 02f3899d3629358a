import type { Dirent } from 'node:fs'
import { lstat } from 'node:fs/promises'

import { formatSize } from '@parley/server-kit/files'
import type { JailedDirectory } from '@parley/server-kit/paths'
import { z } from 'zod'

import { fileTool, pathInput, type FileCall } from '../file-tool.ts'
import { readingHints } from '../reading-hints.ts'
import { entriesOf, kindOf, leftOut } from './list.ts'

export const listDirectoryWithSizes = fileTool(
  'list_directory_with_sizes',
  {
    title: 'List Directory with Sizes',
    description:
      'What is in a directory, one line each, with [FILE] or [DIR] in front and sizes behind; then the totals. Only in allowed directories.',
    inputSchema: z.object({
      path: pathInput,
      sortBy: z.enum(['name', 'size']).default('name').describe('size: the largest first'),
    }),
    annotations: readingHints,
  },
  async ({ path, sortBy }, call) => {
    await using directory = await call.jail.openDirectory(path)
    const sized: Sized[] = []
    const entries = await entriesOf(directory, call)
    for (const entry of entries) {
      call.context.signal.throwIfAborted()
      sized.push({ entry, size: await sizeOf(entry, directory, call) })
      await call.context.progress({ progress: sized.length, total: entries.length })
    }
    const files = sized.filter(({ entry }) => !entry.isDirectory())
    const combined = files.reduce((sum, { size }) => sum + size, 0)
    const shown = sized
      .toSorted(sortBy === 'size' ? bySize : byName)
      .slice(0, call.settings.maxResults)
    return [
      ...shown.map(describe),
      ...leftOut(sized.length - shown.length),
      '',
      `Total: ${files.length} files, ${sized.length - files.length} directories`,
      `Combined size: ${formatSize(combined)}`,
    ].join('\n')
  },
)

interface Sized {
  readonly entry: Dirent
  readonly size: number
}

/** Of a link, what it leads to; nothing if that is outside. */
async function sizeOf(
  entry: Dirent,
  directory: JailedDirectory,
  { jail }: FileCall,
): Promise<number> {
  try {
    if (!entry.isSymbolicLink()) return (await lstat(directory.at(entry.name))).size
    return (await jail.stat(`${directory.path}/${entry.name}`)).size
  } catch {
    return 0 // gone, or not ours to look at
  }
}

function describe({ entry, size }: Sized): string {
  const column = entry.isDirectory() ? '' : formatSize(size).padStart(10)
  return `${kindOf(entry)} ${entry.name.padEnd(30)} ${column}`
}

function bySize(a: Sized, b: Sized): number {
  return b.size - a.size
}

function byName(a: Sized, b: Sized): number {
  return a.entry.name.localeCompare(b.entry.name)
}

import { z } from 'zod'

import { fileTool, pathInput } from '../file-tool.ts'
import { readingHints } from '../reading-hints.ts'

export const getFileInfo = fileTool(
  'get_file_info',
  {
    title: 'Get File Info',
    description:
      'Size, times, kind and permissions of a file or directory, without its content. Only in allowed directories.',
    inputSchema: z.object({ path: pathInput }),
    annotations: readingHints,
  },
  async ({ path }, { jail }) => {
    const stats = await jail.stat(path)
    return [
      `size: ${stats.size}`,
      `created: ${stats.birthtime.toString()}`,
      `modified: ${stats.mtime.toString()}`,
      `accessed: ${stats.atime.toString()}`,
      `isDirectory: ${stats.isDirectory()}`,
      `isFile: ${stats.isFile()}`,
      `permissions: ${(stats.mode & 0o777).toString(8).padStart(3, '0')}`,
    ].join('\n')
  },
)

export const listAllowedDirectories = fileTool(
  'list_allowed_directories',
  {
    title: 'List Allowed Directories',
    description: 'The directories that may be used, each with all that is below it.',
    inputSchema: z.object({}),
    annotations: readingHints,
  },
  async (_, { jail }) => {
    const forms = jail.directories.flatMap(({ path, realPath }) => [path, realPath])
    return `Allowed directories:\n${[...new Set(forms)].join('\n')}`
  },
)

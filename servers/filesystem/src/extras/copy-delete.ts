import { ToolError } from '@parley/mcp'
import { toolHints } from '@parley/server-kit/tools'
import { z } from 'zod'

import { fileTool, pathInput } from '../file-tool.ts'
import { defaultTrash, moveToTrash } from './trash.ts'

export const copyFile = fileTool(
  'copy_file',
  {
    title: 'Copy File',
    description: 'Copies a file. Fails if the destination exists. Only within allowed directories.',
    inputSchema: z.object({ source: pathInput, destination: pathInput }),
    annotations: toolHints('adds'),
  },
  async ({ source, destination }, { jail, context }) => {
    await using from = await jail.open(source)
    const { size, mode } = await from.stat()
    await jail.writeFile(
      destination,
      async (to) => {
        let done = 0
        for await (const chunk of from.createReadStream({
          autoClose: false,
          signal: context.signal,
        })) {
          const bytes = chunk as Buffer // no encoding was set
          await to.writeFile(bytes)
          done += bytes.length
          await context.progress({ progress: done, total: size })
        }
        await to.chmod(mode & 0o777)
      },
      { mustBeNew: true },
    )
    return `Successfully copied ${source} to ${destination}`
  },
)

export const deleteFile = fileTool(
  'delete_file',
  {
    title: 'Delete File',
    description:
      'Moves a file or directory to the trash; permanent deletes it instead. Only in allowed directories.',
    inputSchema: z.object({
      path: pathInput,
      permanent: z.boolean().default(false).describe('Delete permanently'),
      recursive: z.boolean().default(false).describe('Also a directory with all that is in it'),
    }),
    annotations: toolHints('destroys'),
  },
  async ({ path, permanent, recursive }, { jail, settings }) => {
    if (permanent) {
      await jail.remove(path, { recursive })
      return `Deleted ${path}`
    }
    const isFolder = (await jail.stat(path).catch(() => undefined))?.isDirectory() === true
    if (isFolder && !recursive) {
      throw new ToolError(
        `${path} is a directory. Use recursive: true to move all of it to the trash.`,
      )
    }
    return `Moved ${path} to ${await moveToTrash(jail, path, settings.trash ?? defaultTrash())}`
  },
)

import { toolHints } from '@parley/server-kit/tools'
import { z } from 'zod'

import { fileTool, pathInput } from '../file-tool.ts'

export const writeFile = fileTool(
  'write_file',
  {
    title: 'Write File',
    description:
      'Creates a file, or replaces all of an existing one without asking. Only in allowed directories.',
    inputSchema: z.object({ path: pathInput, content: z.string().describe('All of the new text') }),
    annotations: toolHints('destroys', { idempotent: true }),
  },
  async ({ path, content }, { jail }) => {
    await jail.writeFile(path, content)
    return `Successfully wrote to ${path}`
  },
)

export const createDirectory = fileTool(
  'create_directory',
  {
    title: 'Create Directory',
    description:
      'Creates a directory with all that is missing above it; fine if it exists. Only in allowed directories.',
    inputSchema: z.object({ path: pathInput }),
    annotations: toolHints('adds', { idempotent: true }),
  },
  async ({ path }, { jail }) => {
    await jail.createDirectory(path)
    return `Successfully created directory ${path}`
  },
)

export const moveFile = fileTool(
  'move_file',
  {
    title: 'Move File',
    description:
      'Moves or renames a file or a directory. Fails if the destination exists. Only within allowed directories.',
    inputSchema: z.object({ source: pathInput, destination: pathInput }),
    annotations: toolHints('destroys'),
  },
  async ({ source, destination }, { jail }) => {
    await jail.move(source, destination)
    return `Successfully moved ${source} to ${destination}`
  },
)

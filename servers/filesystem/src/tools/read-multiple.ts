import { ToolError } from '@parley/mcp'
import { readText } from '@parley/server-kit/files'
import { z } from 'zod'

import { asText } from '../as-text.ts'
import { explained, fileTool, pathInput, type FileCall } from '../file-tool.ts'
import { readingHints } from '../reading-hints.ts'

export const readMultipleFiles = fileTool(
  'read_multiple_files',
  {
    title: 'Read Multiple Files',
    description:
      'The texts of several files, each behind its path. One that cannot be read does not keep the others back. Only files in allowed directories.',
    inputSchema: z.object({ paths: z.array(pathInput).min(1).describe('The files to read') }),
    annotations: readingHints,
  },
  async ({ paths }, call) => {
    const parts: string[] = []
    let left = call.settings.maxReadBytes // for all of them together
    for (const path of paths) {
      const part = await readOne(path, call, left)
      left = Math.max(0, left - part.length)
      parts.push(part)
      await call.context.progress({ progress: parts.length, total: paths.length })
    }
    return parts.join('\n---\n')
  },
)

async function readOne(path: string, { jail, context }: FileCall, left: number): Promise<string> {
  context.signal.throwIfAborted()
  try {
    return await explained(async () => {
      await using handle = await jail.open(path)
      return `${path}:\n${await readText(handle, asText(path, left))}\n`
    })
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    return `${path}: Error - ${error.message}`
  }
}

import { ToolError } from '@parley/mcp'
import { readHead, readTail, readText } from '@parley/server-kit/files'
import { z } from 'zod'

import { asText } from '../as-text.ts'
import { fileTool, pathInput, type FileCall } from '../file-tool.ts'
import { readingHints } from '../reading-hints.ts'

const inputSchema = z.object({
  path: pathInput,
  tail: z.number().optional().describe('The number of lines from the end'),
  head: z.number().optional().describe('The number of lines from the start'),
})

async function readPart(
  { path, head = 0, tail = 0 }: z.output<typeof inputSchema>,
  { jail, settings }: FileCall,
): Promise<string> {
  if (head !== 0 && tail !== 0) {
    throw new ToolError('Cannot specify both head and tail parameters simultaneously')
  }
  const reading = asText(path, settings.maxReadBytes)
  await using handle = await jail.open(path)
  if (head !== 0) return await readHead(handle, head, reading)
  if (tail !== 0) return await readTail(handle, tail, reading)
  return await readText(handle, reading)
}

/** The older name of the next. */
export const readFile = fileTool(
  'read_file',
  {
    title: 'Read File (Deprecated)',
    description: 'The text of a file. Deprecated: use read_text_file.',
    inputSchema,
    annotations: readingHints,
  },
  readPart,
)

export const readTextFile = fileTool(
  'read_text_file',
  {
    title: 'Read Text File',
    description:
      'The text of a file, read as UTF-8 whatever its extension. head or tail give only its first or last lines, which also works for files too large to read as a whole. Only files in allowed directories.',
    inputSchema,
    annotations: readingHints,
  },
  readPart,
)

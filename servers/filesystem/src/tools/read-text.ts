import { ToolError } from '@parley/mcp'
import type { PathJail } from '@parley/server-kit/paths'
import { z } from 'zod'

import { fileTool, pathInput, reads } from '../file-tool.ts'
import { readHead, readTail } from '../text/head-tail.ts'
import { readText } from '../text/read-whole.ts'

const inputSchema = z.object({
  path: pathInput,
  tail: z.number().optional().describe('Give only so many lines from the end'),
  head: z.number().optional().describe('Give only so many lines from the start'),
})

interface Part {
  readonly path: string
  readonly head?: number | undefined
  readonly tail?: number | undefined
}

async function readPart(
  { path, head = 0, tail = 0 }: Part,
  jail: PathJail,
  maxBytes: number,
): Promise<string> {
  if (head !== 0 && tail !== 0) {
    throw new ToolError('Cannot specify both head and tail parameters simultaneously')
  }
  await using handle = await jail.open(path)
  if (head !== 0) return await readHead(handle, path, head, maxBytes)
  if (tail !== 0) return await readTail(handle, path, tail, maxBytes)
  return await readText(handle, path, maxBytes)
}

/** The older name of the next. */
export const readFile = fileTool(
  'read_file',
  {
    title: 'Read File (Deprecated)',
    description: 'The text of a file. Deprecated: use read_text_file.',
    inputSchema,
    annotations: reads(),
  },
  (part, { jail, settings }) => readPart(part, jail, settings.maxReadBytes),
)

export const readTextFile = fileTool(
  'read_text_file',
  {
    title: 'Read Text File',
    description:
      'The text of a file, read as UTF-8 whatever its extension. head or tail give only its first or last lines, which also works for files too large to read as a whole. Only files in allowed directories.',
    inputSchema,
    annotations: reads(),
  },
  (part, { jail, settings }) => readPart(part, jail, settings.maxReadBytes),
)

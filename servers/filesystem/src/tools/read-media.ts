import { pathToFileURL } from 'node:url'

import { toolResult } from '@parley/mcp/server'
import { mediaTypeOf, readBytes } from '@parley/server-kit/files'
import { z } from 'zod'

import { pathInput, structuredFileTool } from '../file-tool.ts'
import { readingHints } from '../reading-hints.ts'

const block = z.union([
  z.object({ type: z.enum(['image', 'audio']), data: z.string(), mimeType: z.string() }),
  z.object({
    type: z.literal('resource'),
    resource: z.object({ uri: z.string(), mimeType: z.string().optional(), blob: z.string() }),
  }),
])

export const readMediaFile = structuredFileTool(
  'read_media_file',
  {
    title: 'Read Media File',
    description:
      'The bytes of a file in base64 with their media type: pictures and sounds as such, anything else as an embedded resource. Only files in allowed directories.',
    inputSchema: z.object({ path: pathInput }),
    annotations: readingHints,
  },
  z.object({ content: z.array(block) }),
  async ({ path }, { jail, settings }) => {
    const { path: real } = await jail.resolve(path)
    await using handle = await jail.open(path)
    const bytes = await readBytes(handle, {
      path,
      maxBytes: settings.maxReadBytes,
      ifLarge: 'Start the server with --enable read_bytes to read it in parts.',
    })
    const found = toBlock(real, bytes.toString('base64'))
    return toolResult({ structuredContent: { content: [found] }, content: [found] })
  },
)

function toBlock(path: string, data: string) {
  const mimeType = mediaTypeOf(path)
  const [kind] = mimeType.split('/')
  if (kind === 'image' || kind === 'audio') return { type: kind, data, mimeType } as const
  const uri = pathToFileURL(path).href
  return { type: 'resource', resource: { uri, mimeType, blob: data } } as const
}

import { embed } from '@parley/mcp'
import { defineTool } from '@parley/mcp/server'
import { toolHints } from '@parley/server-kit/tools'
import { z } from 'zod'

/** An answer as large as wanted, to find where a client, a gateway or a terminal gives up. */
export const largeOutput = defineTool(
  'get-large-output',
  {
    title: 'Get Large Output Tool',
    description: 'Answers with that many bytes of text or of binary data.',
    inputSchema: z.object({
      bytes: z
        .int()
        .min(0)
        .max(32 * 1024 * 1024)
        .default(1024 * 1024)
        .describe('How much'),
      form: z.enum(['text', 'binary']).default('text').describe('Text, or a resource of bytes'),
    }),
    annotations: toolHints('reads'),
  },
  ({ bytes, form }) =>
    form === 'text' ? longText(bytes) : embed('demo://resource/large', new Uint8Array(bytes)),
)

/** Numbered lines, so that what is missing can be seen. */
function longText(bytes: number): string {
  const count = Math.ceil(bytes / 16)
  const lines = Array.from(
    { length: count },
    (_, index) => `line ${`${index}`.padStart(10, '0')}\n`,
  )
  return lines.join('').slice(0, bytes)
}

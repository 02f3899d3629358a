/** Everything a tool may return, and how it fails. */

import { audio, embed, image, json, resourceLink, text, ToolError } from '@parley/mcp'
import { createServer, toolResult, type Server } from '@parley/mcp/server'
import { z } from 'zod'

const pixel = Uint8Array.from([0x89, 0x50, 0x4e, 0x47])
const division = z.object({ quotient: z.number(), remainder: z.number() })

export function createReturnsServer(): Server {
  const server = createServer({ name: 'returns', version: '1.0.0' })

  server.tool('text', {}, () => 'hello')
  server.tool('number', {}, () => 42)
  server.tool('nothing', {}, () => {})
  server.tool('rows', {}, () => json({ rows: [1, 2, 3] }))
  server.tool('picture', {}, () => image(pixel, 'image/png'))
  server.tool('blocks', {}, () => [
    'a line',
    text('for people only', { annotations: { audience: ['user'] } }),
    audio(Uint8Array.of(0), 'audio/wav'),
    embed('report://1', '# Report', { mimeType: 'text/markdown' }),
    resourceLink({ uri: 'notes://1', name: 'a note' }),
  ])
  server.tool('blob', {}, () => new Blob(['col,umn'], { type: 'text/csv' }))

  server.tool(
    'divide',
    {
      description: 'Divides whole numbers',
      inputSchema: z.object({ by: z.int(), number: z.int() }),
      outputSchema: division,
      annotations: { readOnlyHint: true },
    },
    ({ number, by }) => {
      if (by === 0) throw new ToolError('Nothing can be divided by 0; ask for another divisor.')
      return { quotient: Math.trunc(number / by), remainder: number % by }
    },
  )

  // Structured content and words of your own.
  server.tool('explain', { outputSchema: division }, () =>
    toolResult({
      structuredContent: { quotient: 3, remainder: 1 },
      content: ['7 is 3 times 2, and 1 is left.'],
    }),
  )

  // What is thrown and is no ToolError stays here: the caller sees an id, `onError` the cause.
  server.tool('broken', {}, () => {
    throw new Error('the password is swordfish')
  })

  return server
}

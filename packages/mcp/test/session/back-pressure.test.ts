import { jsonSchema } from '@parley/mcp'
import { createServer, type Server } from '@parley/mcp/server'
import { expect, test } from 'vitest'

import { describeMatrix, everyChannel } from '../support/matrix.ts'

function echoing(): Server {
  const server = createServer({ name: 'echo', version: '1.0.0', onError: () => undefined })
  const inputSchema = jsonSchema({ type: 'object', properties: { text: { type: 'string' } } })
  server.tool('echo', { inputSchema }, ({ text }) => text ?? '')
  return server
}

describeMatrix(
  'back-pressure',
  ({ connect, rawClient }) => {
    test('does not stop two sides that fill each other up', async () => {
      await using client = await connect(echoing())
      const text = 'x'.repeat(100_000)

      const answers = await Promise.all(
        Array.from({ length: 60 }, () => client.callTool('echo', { text })),
      )

      expect(answers).toHaveLength(60)
      expect(answers.every(({ content }) => JSON.stringify(content).includes(text))).toBe(true)
    })

    test('lets many small calls through at once', async () => {
      await using client = await connect(echoing(), { limits: { inFlight: 5_000 } })

      const answers = await Promise.all(
        Array.from({ length: 3_000 }, (_, index) => client.callTool('echo', { text: `${index}` })),
      )

      expect(answers.map(({ content }) => content[0])).toEqual(
        answers.map((_, index) => ({ type: 'text', text: `${index}` })),
      )
    })

    test('refuses more at once than one caller may have, and recovers [BASE-22]', async () => {
      const server = createServer({ name: 'slow', version: '1.0.0' })
      let release = (): void => undefined
      const released = new Promise<void>((resolve) => (release = resolve))
      server.tool('slow', {}, async () => {
        await released
        return 'done'
      })
      const client = await rawClient(server, { limits: { inFlight: 3 } })
      for (const id of [1, 2, 3, 4]) {
        client.send({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'slow' } })
      }

      expect(await client.next()).toEqual({
        jsonrpc: '2.0',
        id: 4,
        error: {
          code: 503,
          message: 'more requests at once than limits.inFlight (3) allows',
          data: { reason: 'overloaded' },
        },
      })
      release()

      const ids = [await client.next(), await client.next(), await client.next()].map(
        ({ id }) => id,
      )
      expect(ids).toEqual([1, 2, 3])
      expect(await client.request('tools/call', { name: 'slow' })).toHaveProperty('result')
      await client.close()
    })
  },
  { channels: everyChannel, revisions: ['2025-06-18'] },
)

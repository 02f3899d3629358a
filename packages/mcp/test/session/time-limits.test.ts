import { createVirtualClock } from '@parley/mcp/testing'
import { expect, test } from 'vitest'

import { describeMatrix, everyChannel } from '../support/matrix.ts'

describeMatrix(
  'a time limit',
  ({ rawServer }) => {
    test('ends every request of a mute server and tells it so [TIME-01] [TIME-02] [LIFE-18]', async () => {
      const clock = createVirtualClock()
      const server = rawServer({ clock, timeouts: { idleMs: 1_000 } })
      const client = await server.accept()
      const calling = client.callTool('slow')
      const { id } = await server.expect('tools/call')
      const failed = expect(calling).rejects.toMatchObject({
        code: 'timeout',
        details: { limit: 'idle', ms: 1_000 },
      })

      await clock.advance(1_000)

      await failed
      expect(await server.expect('notifications/cancelled')).toMatchObject({
        params: { requestId: id, reason: 'tools/call had no frame for 1000 ms' },
      })
      await client.close()
    })

    test('is set for one call where that is wanted [TIME-03]', async () => {
      const clock = createVirtualClock()
      const server = rawServer({ clock })
      const client = await server.accept()
      const failed = expect(
        client.callTool('slow', {}, { timeouts: { idleMs: 20, totalMs: 10 } }),
      ).rejects.toMatchObject({ details: { limit: 'total', ms: 10 } })
      await server.expect('tools/call')

      await clock.advance(10)

      await failed
      await client.close()
    })

    test('stands still while a person is asked [TIME-01]', async () => {
      const clock = createVirtualClock()
      let decide = (): void => undefined
      const server = rawServer({
        clock,
        timeouts: { idleMs: 1_000, totalMs: 2_000 },
        sample: () =>
          new Promise((resolve) => {
            const content = { type: 'text', text: 'yes' } as const
            decide = () => resolve({ role: 'assistant', model: 'person', content })
          }),
      })
      const client = await server.accept()
      let error: unknown
      const calling = client.callTool('slow').catch((reason: unknown) => (error = reason))
      await server.expect('tools/call')
      server.send({
        jsonrpc: '2.0',
        id: 1,
        method: 'sampling/createMessage',
        params: { messages: [], maxTokens: 1 },
      })
      await server.quiet()

      await clock.advance(500_000)
      expect(error).toBeUndefined()
      decide()
      await server.next(({ id, method }) => id === 1 && method === undefined)
      await clock.advance(999)
      expect(error).toBeUndefined()
      await clock.advance(1)
      await calling

      expect(error).toMatchObject({ code: 'timeout', details: { limit: 'idle' } })
      await client.close()
    })

    test('begins anew with a log message [TIME-04]', async () => {
      const clock = createVirtualClock()
      const server = rawServer({ clock, timeouts: { idleMs: 1_000 } })
      const client = await server.accept()
      let error: unknown
      const calling = client.callTool('slow').catch((reason: unknown) => (error = reason))
      await server.expect('tools/call')

      await clock.advance(900)
      const params = { level: 'info', data: 'still at it' }
      server.send({ jsonrpc: '2.0', method: 'notifications/message', params })
      await server.quiet()
      await clock.advance(999)
      expect(error).toBeUndefined()
      await clock.advance(1)
      await calling

      expect(error).toMatchObject({ code: 'timeout' })
      await client.close()
    })

    test('begins anew with progress, but the whole has its own [TIME-04] [TIME-05]', async () => {
      const clock = createVirtualClock()
      const server = rawServer({ clock, timeouts: { idleMs: 1_000, totalMs: 5_000 } })
      const client = await server.accept()
      let isOver = false
      const failed = client
        .callTool('slow', {}, { onProgress: () => undefined })
        .catch((error: unknown) => error)
        .finally(() => (isOver = true))
      const { id } = await server.expect('tools/call')

      for (let progress = 1; progress < 10; progress += 1) {
        await clock.advance(500)
        expect(isOver).toBe(false)
        server.send({
          jsonrpc: '2.0',
          method: 'notifications/progress',
          params: { progressToken: id, progress },
        })
        await server.quiet()
      }
      await clock.advance(500)

      expect(await failed).toMatchObject({
        code: 'timeout',
        details: { limit: 'total', ms: 5_000 },
      })
      await client.close()
    })
  },
  { channels: everyChannel },
)

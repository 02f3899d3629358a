import { createVirtualClock } from '@parley/mcp/testing'
import { expect, test } from 'vitest'

import { describeMatrix, serverChannels } from '../support/matrix.ts'
import { createSampleServer } from '../support/sample-server.ts'

const overloaded = {
  code: 503,
  message: 'the server is shutting down',
  data: { reason: 'overloaded' },
}

describeMatrix(
  'draining',
  ({ rawClient }) => {
    test('lets calls finish, takes no others, then closes [LIFE-10]', async () => {
      const { server, release, calls } = createSampleServer()
      const client = await rawClient(server)
      client.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'hang' } })
      await client.request('ping')

      const draining = client.service.drain()
      const rejected = await client.request('tools/call', { name: 'count' }, 2)
      expect((await client.request('ping')).result).toEqual({})
      release()

      expect(rejected).toEqual({ jsonrpc: '2.0', id: 2, error: overloaded })
      expect(await client.next(({ id }) => id === 1)).toHaveProperty('result')
      expect(await draining).toEqual({ finished: 1, aborted: 0 })
      await client.ended
      expect(calls.count).toBe(0)
    })

    test('aborts what is left at the deadline and says so [LIFE-10]', async () => {
      const clock = createVirtualClock()
      const { server, aborted } = createSampleServer()
      const client = await rawClient(server, { clock })
      client.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'hang' } })
      await client.request('ping')

      const draining = client.service.drain({ deadlineMs: 1_000 })
      await clock.advance(1_000)

      expect(await client.next(({ id }) => id === 1)).toEqual({
        jsonrpc: '2.0',
        id: 1,
        error: overloaded,
      })
      expect(await draining).toEqual({ finished: 0, aborted: 1 })
      expect(aborted).toEqual([expect.objectContaining({ details: { by: 'drain' } })])
      await client.ended
    })

    test('is done at once without calls, and twice is once', async () => {
      const client = await rawClient(createSampleServer().server)

      const [first, second] = [client.service.drain(), client.service.drain()]

      expect(await first).toEqual({ finished: 0, aborted: 0 })
      expect(await second).toBe(await first)
      await client.service.closed
      await client.ended
    })
  },
  { channels: serverChannels },
)

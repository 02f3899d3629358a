import { createVirtualClock } from '@parley/mcp/testing'
import { expect, test, vi } from 'vitest'

import { describeEntries, eventsOf, messagesOf, openEndpoint } from '../../support/http-endpoint.ts'
import { head, openSocket } from '../../support/raw-socket.ts'
import { createSampleServer } from '../../support/sample-server.ts'

/** Sends far more than sockets hold, then its result. */
function createFloodServer(messages: number, size: number) {
  const { server } = createSampleServer()
  server.tool('flood', {}, async (_, context) => {
    for (let count = 0; count < messages; count += 1) {
      context.log('info', `${count} ${'x'.repeat(size)}`)
      await new Promise((resolve) => setImmediate(resolve))
    }
    return 'over'
  })
  server.tool('large', {}, async (_, context) => {
    context.log('info', 'here it comes')
    return 'x'.repeat(3_000_000)
  })
  return server
}

const numberOf = (data: unknown) => Number(String(data).split(' ', 1)[0])

test('who stops reading is cut off, and resumes with all that was sent, each once', async () => {
  const clock = createVirtualClock()
  const server = createFloodServer(300, 60_000)
  await using endpoint = await openEndpoint('node', server, {
    clock,
    keepAliveMs: 1_000,
    replay: { events: 1_000, bytes: 64_000_000, keepMs: 600_000 },
  })
  const session = await endpoint.open()
  using socket = await openSocket(endpoint.port)
  const params = { name: 'flood' }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  socket.write(head({ 'content-length': body.length, 'mcp-session-id': session }) + body)
  const start = await socket.until('_1\n')
  socket.pause()
  await vi.waitFor(() => expect(endpoint.service.health().inFlight).toBe(0), 45_000)
  expect(endpoint.service.health().streams).toBe(1)
  await clock.advance(2_000)
  expect(endpoint.service.health().streams).toBe(0)

  const position = /id: (\S+_0)\n/.exec(start)?.[1] ?? ''
  const resumed = await endpoint.listen(session, { headers: { 'last-event-id': position } })
  const messages = messagesOf(await resumed.rest())

  const numbers = messages.slice(0, -1).map((message) => numberOf(message.params?.['data']))
  expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b))
  expect(messages.at(-1)).toMatchObject({ id: 1, result: {} })
})

describeEntries('a large message', (entry) => {
  test.each([{}, { sessions: 'off' }, { replay: false }] as const)(
    'is no slow reader: it arrives whole with %o',
    async (options) => {
      const server = createFloodServer(0, 0)
      await using endpoint = await openEndpoint(entry, server, {
        ...options,
        limits: { bufferedBytes: 1_000 },
      })
      const session = 'sessions' in options ? undefined : await endpoint.open()

      const response = await endpoint.call('large', { session })

      const messages = messagesOf(await eventsOf(response).rest())
      expect(messages).toHaveLength(2)
      expect(JSON.stringify(messages.at(-1)?.result).match(/x{9,}/)?.[0]).toHaveLength(3_000_000)
    },
  )
})

import { createVirtualClock } from '@parley/mcp/testing'
import { describe, expect, test } from 'vitest'

import { startHeartbeat } from '../../src/rpc/heartbeat.ts'
import { describeMatrix, everyChannel } from '../support/matrix.ts'
import { createSampleServer } from '../support/sample-server.ts'

describeMatrix(
  'a ping',
  ({ rawClient, rawServer }) => {
    test('is answered at once while a long call runs, and before initialized [PING-01]', async () => {
      const { server } = createSampleServer()
      const client = await rawClient(server)
      client.send({ jsonrpc: '2.0', id: 'slow', method: 'tools/call', params: { name: 'hang' } })

      expect(await client.request('ping', undefined, 'p')).toEqual({
        jsonrpc: '2.0',
        id: 'p',
        result: {},
      })
      await client.close()
    })

    test('is answered by our client while it is busy [PING-01]', async () => {
      const server = rawServer()
      const client = await server.accept()
      const calling = client.callTool('slow')
      await server.expect('tools/call')

      server.send({ jsonrpc: '2.0', id: 1, method: 'ping', params: { _meta: { a: 1 } } })

      expect(await server.next(({ id, method }) => id === 1 && method === undefined)).toEqual({
        jsonrpc: '2.0',
        id: 1,
        result: {},
      })
      await client.close()
      await expect(calling).rejects.toMatchObject({ code: 'closed' })
    })

    test('of our client says how long it took', async () => {
      const clock = createVirtualClock()
      const server = rawServer({ clock })
      const client = await server.accept()
      const pinging = client.ping()
      const { id } = await server.expect('ping')

      await clock.advance(25)
      server.send({ jsonrpc: '2.0', id, result: {} })

      expect(await pinging).toBe(25)
      await client.close()
    })
  },
  { channels: everyChannel },
)

const heartbeat = { everyMs: 1_000, timeoutMs: 100, failures: 2 }

describeMatrix(
  'a heartbeat',
  ({ rawClient, rawServer }) => {
    test('of our client is off unless asked for [PING-04]', async () => {
      const clock = createVirtualClock()
      const server = rawServer({ clock })
      const client = await server.accept()
      await server.expect('notifications/initialized')

      await clock.advance(3_600_000)

      expect(await server.quiet()).toEqual([])
      await client.close()
    })

    test('of our client asks at its interval, after each answer [PING-03] [PING-04] [PING-06]', async () => {
      const clock = createVirtualClock()
      const server = rawServer({ clock, heartbeat })
      const client = await server.accept()
      await server.expect('notifications/initialized')

      for (let beat = 0; beat < 3; beat += 1) {
        await clock.advance(999)
        expect(await server.quiet()).toEqual([])
        await clock.advance(1)
        await server.answer('ping', {})
        await server.quiet()
      }

      expect(client.status).toEqual({ state: 'ready' })
      await client.close()
      expect(clock.pending).toBe(0)
    })

    test('of our client that is not answered is reported and ends the connection [PING-02] [PING-05] [PING-07] [PING-08] [PING-09]', async () => {
      const clock = createVirtualClock()
      const errors: unknown[] = []
      const server = rawServer({
        clock,
        heartbeat,
        onError: (error, { operation }) => errors.push([operation, (error as Error).message]),
      })
      const client = await server.accept()
      const calling = client.callTool('slow').catch((error: unknown) => error)

      await clock.advance(1_100)
      expect(errors).toEqual([['ping', 'ping took longer than 100 ms']])
      expect(client.status).toEqual({ state: 'ready' })
      await clock.advance(1_100)

      expect(errors).toHaveLength(2)
      expect(await calling).toMatchObject({
        code: 'connection_lost',
        cause: { code: 'timeout', details: { ms: 100 } },
      })
      expect(client.status).toMatchObject({ state: 'closed', cause: { code: 'connection_lost' } })
      await server.ended
    })

    test('that is answered with an error proves life', async () => {
      const clock = createVirtualClock()
      const errors: unknown[] = []
      const server = rawServer({ clock, heartbeat, onError: (error) => errors.push(error) })
      const client = await server.accept()

      for (let beat = 0; beat < 4; beat += 1) {
        await clock.advance(1_000)
        await server.reject('ping', { code: -32601, message: 'what is a ping?' })
        await server.quiet()
      }

      expect(errors).toEqual([])
      expect(client.status).toEqual({ state: 'ready' })
      await client.close()
    })

    test('of our server begins with the session and finds a client that hangs [PING-03, PING-04] [PING-07] [PING-09]', async () => {
      const clock = createVirtualClock()
      const errors: unknown[] = []
      const { server, aborted } = createSampleServer()
      const client = await rawClient(server, {
        clock,
        heartbeat,
        onError: (_, { operation }) => errors.push(operation),
      })
      client.send({ jsonrpc: '2.0', id: 5, method: 'tools/call', params: { name: 'hang' } })

      await clock.advance(1_000)
      const ping = await client.next(({ method }) => method === 'ping')
      client.send({ jsonrpc: '2.0', id: ping.id, result: {} })
      await client.quiet()
      await clock.advance(2_200)

      await client.service.closed
      await client.ended
      expect(errors).toEqual(['ping', 'ping'])
      expect(aborted).toHaveLength(1)
    })

    test('of our server is off unless asked for [PING-04]', async () => {
      const clock = createVirtualClock()
      const client = await rawClient(createSampleServer().server, { clock })

      await clock.advance(3_600_000)

      expect(await client.quiet()).toEqual([])
      await client.close()
    })
  },
  { channels: everyChannel },
)

describe('the heart itself', () => {
  test('forgives failures that are not in a row [PING-08]', async () => {
    const clock = createVirtualClock()
    const answers = [false, true, false, true, false, false, true]
    const received: boolean[] = []
    startHeartbeat(
      clock,
      { everyMs: 10, failures: 2 },
      () => (answers.shift() ? Promise.resolve() : Promise.reject(new Error('silence'))),
      (_, isDead) => received.push(isDead),
    )

    await clock.advance(1_000)

    expect(received).toEqual([false, false, false, true])
    expect(answers).toEqual([true])
  })

  test('stops when disposed, also while it waits for an answer', async () => {
    const clock = createVirtualClock()
    let pings = 0
    let fail = (): void => undefined
    const received: unknown[] = []
    const beating = startHeartbeat(
      clock,
      { everyMs: 10 },
      () => {
        pings += 1
        return new Promise((_, reject) => (fail = () => reject(new Error('silence'))))
      },
      (error) => received.push(error),
    )
    await clock.advance(10)

    beating[Symbol.dispose]()
    fail()
    await clock.advance(1_000)

    expect({ pings, heard: received, pending: clock.pending }).toEqual({
      pings: 1,
      heard: [],
      pending: 0,
    })
  })

  test('waits ten seconds for an answer unless told otherwise [PING-05]', async () => {
    const clock = createVirtualClock()
    const timeouts: number[] = []
    using _ = startHeartbeat(
      clock,
      { everyMs: 10 },
      async (timeoutMs) => timeouts.push(timeoutMs),
      () => undefined,
    )

    await clock.advance(10)

    expect(timeouts).toEqual([10_000])
  })
})

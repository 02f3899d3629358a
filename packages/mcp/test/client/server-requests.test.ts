import type { ElicitHandler } from '@parley/mcp/client'
import { createVirtualClock } from '@parley/mcp/testing'
import { expect, test } from 'vitest'

import { describeMatrix } from '../support/matrix.ts'
import type { RawServer } from '../support/raw-server.ts'

const minute = 60_000
const newest = { revisions: ['2025-11-25', '2025-06-18'] }

describeMatrix(
  'a question while a call is in progress',
  ({ rawServer }) => {
    test('that nobody answers is a cancel after inputMs', async () => {
      const clock = createVirtualClock()
      const signals: AbortSignal[] = []
      const server = rawServer({
        clock,
        elicit: (_, { signal }) => (signals.push(signal), never()),
        timeouts: { inputMs: 10 * minute },
      })
      const client = await server.accept()

      ask(server)
      await clock.advance(10 * minute - 1)
      expect(signals[0]?.aborted).toBe(false)
      await clock.advance(1)

      expect((await answer(server)).result).toEqual({ action: 'cancel' })
      expect(signals[0]?.reason).toMatchObject({ code: 'timeout', details: { limit: 'input' } })
      await client.close()
    })

    test('that the model never answers is refused after inputMs', async () => {
      const clock = createVirtualClock()
      const server = rawServer({ clock, sample: () => never(), timeouts: { inputMs: minute } })
      const client = await server.accept()

      const params = {
        messages: [{ role: 'user', content: { type: 'text', text: '' } }],
        maxTokens: 1,
      }
      server.send({ jsonrpc: '2.0', id: 1, method: 'sampling/createMessage', params })
      await clock.advance(minute)

      expect((await answer(server)).error?.code).toBe(-1)
      await client.close()
    })

    test('stops the clocks of the call until it is answered [TIME-01]', async () => {
      const clock = createVirtualClock()
      let decide: (action: 'accept' | 'decline') => void = () => undefined
      const elicit: ElicitHandler = () =>
        new Promise((resolve) => (decide = () => resolve({ action: 'decline' })))
      const server = rawServer({ clock, elicit, timeouts: { idleMs: 1_000, totalMs: 5_000 } })
      const client = await server.accept()

      const calling = client.callTool('order', {})
      const outcome = calling.catch((error: { details: object }) => error.details)
      await server.expect('tools/call')
      await clock.advance(900)
      ask(server)
      await clock.advance(9 * minute)
      decide('decline')
      await answer(server)
      await clock.advance(999)
      expect(await Promise.race([outcome, Promise.resolve('waiting')])).toBe('waiting')
      await clock.advance(1)

      expect(await outcome).toEqual({ limit: 'idle', ms: 1_000 })
      await client.close()
    })

    test('leaves what had run of the total limit as it was [TIME-05]', async () => {
      const clock = createVirtualClock()
      let decide = (): void => undefined
      const elicit: ElicitHandler = () =>
        new Promise((resolve) => (decide = () => resolve({ action: 'decline' })))
      const server = rawServer({ clock, elicit, timeouts: { idleMs: 60 * minute, totalMs: 5_000 } })
      const client = await server.accept()

      const outcome = client
        .callTool('order', {})
        .catch((error: { details: object }) => error.details)
      await server.expect('tools/call')
      await clock.advance(4_000)
      ask(server)
      await clock.advance(minute)
      decide()
      await answer(server)
      await clock.advance(999)
      expect(await Promise.race([outcome, Promise.resolve('waiting')])).toBe('waiting')
      await clock.advance(1)

      expect(await outcome).toEqual({ limit: 'total', ms: 5_000 })
      await client.close()
    })

    test('that the server withdraws is aborted and not answered [SCH-34, SCH-31]', async () => {
      const signals: AbortSignal[] = []
      const server = rawServer({ elicit: (_, { signal }) => (signals.push(signal), never()) })
      const client = await server.accept()

      ask(server)
      await server.quiet()
      server.send({
        jsonrpc: '2.0',
        method: 'notifications/cancelled',
        params: { requestId: 1, reason: 'never mind' },
      })
      const after = await server.quiet()

      expect(after).toEqual([])
      expect(signals[0]?.reason).toMatchObject({ code: 'cancelled', message: 'never mind' })
      await client.close()
    })

    test('that comes too late to be withdrawn has been answered once [SCH-34]', async () => {
      const server = rawServer({ elicit: () => ({ action: 'decline' }) })
      const client = await server.accept()

      ask(server)
      await answer(server)
      server.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })
      ask(server)

      expect((await answer(server)).result).toEqual({ action: 'decline' })
      await client.close()
    })

    test('is void when the connection ends', async () => {
      const signals: AbortSignal[] = []
      const server = rawServer({ elicit: (_, { signal }) => (signals.push(signal), never()) })
      const client = await server.accept()
      ask(server)
      await server.quiet()

      await client.close()

      expect(signals[0]?.aborted).toBe(true)
    })

    test('under an id that is still open is refused without touching the first', async () => {
      let decide = (): void => undefined
      const elicit: ElicitHandler = () =>
        new Promise((resolve) => (decide = () => resolve({ action: 'decline' })))
      const server = rawServer({ elicit })
      const client = await server.accept()

      ask(server)
      ask(server)
      const rejection = await server.next(({ error }) => error !== undefined)
      decide()

      expect(rejection).toMatchObject({ error: { code: -32600 } })
      expect(rejection).not.toHaveProperty('id')
      expect((await answer(server)).result).toEqual({ action: 'decline' })
      await client.close()
    })

    test('is limited in rate [ELIC-19]', async () => {
      const clock = createVirtualClock()
      let asked = 0
      const server = rawServer({ clock, elicit: () => ((asked += 1), { action: 'decline' }) })
      const client = await server.accept()

      for (let id = 100; id < 160; id += 1) ask(server, id)
      const replies = (await server.quiet()).filter(({ method }) => method === undefined)

      expect(asked).toBe(50)
      expect(replies.filter(({ error }) => error?.code === 503)).toHaveLength(10)
      await client.close()
    })

    test('does not keep the client from answering a ping [PING-01]', async () => {
      const server = rawServer({ elicit: () => never() })
      const client = await server.accept()

      ask(server)
      server.send({ jsonrpc: '2.0', id: 2, method: 'ping' })

      expect(await server.next(({ id }) => id === 2)).toMatchObject({ result: {} })
      await client.close()
    })
  },
  newest,
)

function never(): Promise<never> {
  return new Promise(() => undefined)
}

function ask(server: RawServer, id = 1): void {
  const params = { message: 'Sure?', requestedSchema: { type: 'object', properties: {} } }
  server.send({ jsonrpc: '2.0', id, method: 'elicitation/create', params })
}

function answer(server: RawServer): ReturnType<RawServer['next']> {
  return server.next(({ id, method }) => id === 1 && method === undefined)
}

import { createServer, type Server } from '@parley/mcp/server'
import { createVirtualClock } from '@parley/mcp/testing'
import { expect, test } from 'vitest'

import { describeMatrix, serverChannels } from '../support/matrix.ts'
import type { Raw } from '../support/raw-channel.ts'
import type { RawClient } from '../support/raw-client.ts'

/** A server whose one tool reports these values, one after the other. */
function reporting(values: readonly object[]): Server {
  const server = createServer({ name: 'reports', version: '1.0.0' })
  server.tool('report', {}, async (_, context) => {
    for (const value of values) await context.progress(value as { progress: number })
    return 'done'
  })
  return server
}

/** Calls the tool and gives what came before its answer. */
async function progressOf(client: RawClient, token?: string | number): Promise<Raw[]> {
  await client.request('tools/call', {
    name: 'report',
    ...(token !== undefined && { _meta: { progressToken: token } }),
  })
  return client.received.filter(({ method }) => method === 'notifications/progress')
}

describeMatrix(
  'progress of our server',
  ({ revision, rawClient }) => {
    test.each(['text', 17, '', 0])(
      'carries the token %j as it was given [PROG-01] [PROG-03] [PROG-07] [META-03]',
      async (token) => {
        const client = await rawClient(
          reporting([{ progress: 0.5, total: 2.5, message: 'half a step' }]),
        )

        expect(await progressOf(client, token)).toEqual([
          {
            jsonrpc: '2.0',
            method: 'notifications/progress',
            params: {
              progressToken: token,
              progress: 0.5,
              total: 2.5,
              ...(revision !== '2024-11-05' && { message: 'half a step' }),
            },
          },
        ])
        await client.close()
      },
    )

    test('is not sent without a token [PROG-08] [PROG-09]', async () => {
      const client = await rawClient(reporting([{ progress: 1 }]))

      expect(await progressOf(client)).toEqual([])
      await client.close()
    })

    test('only rises; what does not is dropped and reported once [PROG-04] [PROG-11] [DEC-03]', async () => {
      const errors: unknown[] = []
      const values = [1, 2, 2, 1.5, Number.NaN, 3, -1, Infinity, 4].map((progress) => ({
        progress,
      }))
      const client = await rawClient(reporting(values), {
        onError: (error) => errors.push((error as Error).message),
      })

      const sent = (await progressOf(client, 't')).map(({ params }) => params?.['progress'])

      expect(sent).toEqual([1, 2, 3, 4])
      expect(errors).toEqual(['progress must rise: 2 after 2 was not sent'])
      await client.close()
    })

    test('with an endless total has none [PROG-11]', async () => {
      const client = await rawClient(reporting([{ progress: 1, total: Infinity }]))

      const [sent] = await progressOf(client, 't')

      expect(sent?.params).toEqual({ progressToken: 't', progress: 1 })
      await client.close()
    })

    test('comes before the answer and never after it [PROG-08] [PROG-14]', async () => {
      const server = createServer({ name: 'reports', version: '1.0.0' })
      let late: (() => Promise<void>) | undefined
      server.tool('report', {}, async (_, context) => {
        await context.progress({ progress: 1 })
        late = () => context.progress({ progress: 2 })
        return 'done'
      })
      const client = await rawClient(server)

      await progressOf(client, 't')
      await late?.()

      expect(await client.quiet()).toHaveLength(1)
      expect(client.received.slice(1).map(({ method, id }) => method ?? id)).toEqual([
        'notifications/progress',
        'raw-2',
      ])
      await client.close()
    })

    test('of a tight loop is a bounded number of frames, and the last value arrives [PROG-10] [PROG-13]', async () => {
      const values = Array.from({ length: 10_000 }, (_, index) => ({ progress: index + 1 }))
      const client = await rawClient(reporting(values), { clock: createVirtualClock() })

      const sent = (await progressOf(client, 't')).map(({ params }) => params?.['progress'])

      expect(sent.length).toBeLessThan(200)
      expect(sent.at(-1)).toBe(10_000)
      await client.close()
    })

    test('of two calls goes to the token of each [PROG-02] [PROG-12]', async () => {
      const client = await rawClient(reporting([{ progress: 1 }, { progress: 2 }]))

      await Promise.all([progressOf(client, 'one'), progressOf(client, 2)])

      const byToken = client.received.flatMap(({ params }) => {
        const { progressToken, progress } = params ?? {}
        return progressToken === undefined ? [] : [[progressToken, progress]]
      })
      expect(byToken).toHaveLength(4)
      for (const expected of [
        ['one', 1],
        ['one', 2],
        [2, 1],
        [2, 2],
      ]) {
        expect(byToken).toContainEqual(expected)
      }
      await client.close()
    })
  },
  { channels: serverChannels },
)

describeMatrix(
  'progress for our client',
  ({ connect, rawServer }) => {
    test('reaches the call it belongs to, and only it [PROG-12] [PROG-07]', async () => {
      const server = rawServer()
      const client = await server.accept()
      const [first, second]: [unknown[], unknown[]] = [[], []]
      const calls = [first, second].map((received) =>
        client.callTool('x', {}, { onProgress: (progress) => received.push(progress) }),
      )
      const requests = [await server.expect('tools/call'), await server.expect('tools/call')]

      for (const [index, { id }] of requests.entries()) {
        const params = { progressToken: id, progress: index, message: 'on it' }
        server.send({ jsonrpc: '2.0', method: 'notifications/progress', params })
        server.send({ jsonrpc: '2.0', id, result: { content: [] } })
      }
      await Promise.all(calls)

      expect([first, second]).toEqual([
        [{ progress: 0, message: 'on it' }],
        [{ progress: 1, message: 'on it' }],
      ])
      await client.close()
    })

    test('is asked for only where somebody listens [PROG-02] [PROG-09]', async () => {
      const server = rawServer()
      const client = await server.accept()
      const calling = client.callTool('x')

      const { params } = await server.answer('tools/call', { content: [] })

      await calling
      expect(params).not.toHaveProperty('_meta')
      await client.close()
    })

    test('may fall, come too late, or be for nobody [DEC-03] [PROG-12]', async () => {
      const errors: unknown[] = []
      const received: unknown[] = []
      const server = rawServer({ onError: (error) => errors.push(error) })
      const client = await server.accept()
      const calling = client.callTool(
        'x',
        {},
        { onProgress: ({ progress }) => received.push(progress) },
      )
      const { id } = await server.expect('tools/call')
      const notify = (progressToken: unknown, progress: unknown): void => {
        const params = { progressToken, progress }
        server.send({ jsonrpc: '2.0', method: 'notifications/progress', params })
      }

      for (const progress of [5, 3, 3]) notify(id, progress)
      notify('nobody', 1)
      notify(String(id), 1)
      server.send({ jsonrpc: '2.0', id, result: { content: [] } })
      notify(id, 9)
      await calling
      await server.quiet()
      expect(errors).toEqual([])

      notify(id, 'much')
      notify({}, 1)
      await server.quiet()

      expect(received).toEqual([5, 3, 3])
      expect(errors).toHaveLength(2)
      await client.close()
    })

    test('arrives whole through both of our sides [PROG-05] [PROG-06]', async () => {
      const received: object[] = []
      const client = await connect(reporting([{ progress: 0.25, total: 1 }, { progress: 1 }]))

      await client.callTool('report', {}, { onProgress: (progress) => received.push(progress) })

      expect(received).toEqual([{ progress: 0.25, total: 1 }, { progress: 1 }])
      await client.close()
    })
  },
  { channels: serverChannels },
)

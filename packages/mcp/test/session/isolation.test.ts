import { createServer } from '@parley/mcp/server'
import { expect, test } from 'vitest'

import { describeMatrix, serverChannels } from '../support/matrix.ts'
import { createSampleServer } from '../support/sample-server.ts'

describeMatrix(
  'isolation',
  ({ connect, rawClient, rawServer }) => {
    test('keeps two clients of one definition apart: ids, answers, aborts, levels [ARCH-07] [ARCH-13]', async () => {
      const { server, release, aborted } = createSampleServer()
      const [first, second] = [await rawClient(server), await rawClient(server)]
      for (const client of [first, second]) {
        client.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'hang' } })
        await client.request('ping')
      }

      first.notify('notifications/cancelled', { requestId: 1 })
      await first.request('ping')
      expect(aborted).toHaveLength(1)
      await first.close()
      release()

      expect(await second.next()).toMatchObject({ id: 1, result: {} })
      expect(first.received.filter(({ id }) => id === 1)).toEqual([])
      await second.close()
    })

    test('keeps two servers of one program apart: nothing of one is sent to the other [ARCH-11] [ARCH-07]', async () => {
      const [alpha, beta] = [rawServer(), rawServer()]
      const [first, second] = [await alpha.accept(), await beta.accept()]
      await beta.expect('notifications/initialized')

      const calling = first.callTool('read', { secret: 'only for alpha' })
      await alpha.answer('tools/call', { content: [{ type: 'text', text: 'from alpha' }] })
      await calling
      alpha.send({ jsonrpc: '2.0', id: 1, method: 'ping' })
      await alpha.next(({ id, method }) => id === 1 && method === undefined)

      expect(await beta.quiet()).toEqual([])
      const pinging = second.ping()
      await beta.answer('ping', {})
      await pinging
      expect(JSON.stringify(beta.received)).not.toContain('alpha')
      await first.close()
      await second.close()
    })

    test('hands a call its own client and nothing more [ARCH-12] [ARCH-13]', async () => {
      const server = createServer({ name: 'who', version: '1.0.0' })
      server.tool(
        'who',
        {},
        (_, { client, auth }) => `${client.info?.name} ${auth?.subject ?? '-'}`,
      )
      const [first, second] = [
        await connect(server, { info: { name: 'first', version: '1' } }),
        await connect(server, { info: { name: 'second', version: '1' } }),
      ]

      const answers = await Promise.all([first.callTool('who'), second.callTool('who')])

      expect(answers.map(({ content }) => content)).toEqual([
        [{ type: 'text', text: 'first -' }],
        [{ type: 'text', text: 'second -' }],
      ])
      await first.close()
      await second.close()
    })
  },
  { channels: serverChannels },
)

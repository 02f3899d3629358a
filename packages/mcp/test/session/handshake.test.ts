import { createServer } from '@parley/mcp/server'
import { expect, test } from 'vitest'

import { describeMatrix, serverChannels } from '../support/matrix.ts'

describeMatrix(
  'the handshake',
  ({ revision, connect, rawClient, rawServer }) => {
    test('ends with the version both sides speak [LIFE-03, VER-03, VER-11]', async () => {
      const server = createServer({ name: 'greeter', version: '1.2.3' })

      const client = await rawClient(server)

      expect(client.serverInfo.result).toMatchObject({
        protocolVersion: revision,
        serverInfo: { name: 'greeter', version: '1.2.3' },
      })
      await client.close()
    })

    test('is opened and confirmed by the client [LIFE-02, LIFE-04]', async () => {
      const server = rawServer({ info: { name: 'guest', version: '1.0.0' } })

      const client = await server.accept()
      const confirmation = await server.expect('notifications/initialized')

      expect(server.received[0]).toMatchObject({
        method: 'initialize',
        params: { capabilities: {}, clientInfo: { name: 'guest', version: '1.0.0' } },
      })
      expect(confirmation).not.toHaveProperty('id')
      await client.close()
    })

    test('gives a working connection', async () => {
      const server = createServer({ name: 'greeter', version: '1.2.3' })
      server.tool('hello', {}, () => 'hello')

      await using client = await connect(server)

      expect(client.negotiated.revision).toBe(revision)
      expect(await client.callTool('hello')).toEqual({ content: [{ type: 'text', text: 'hello' }] })
    })
  },
  { channels: serverChannels },
)

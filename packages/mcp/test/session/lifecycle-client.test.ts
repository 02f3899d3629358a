import type { ConnectOptions } from '@parley/mcp/client'
import { createVirtualClock } from '@parley/mcp/testing'
import { expect, test } from 'vitest'

import { legacyRevisions } from '../../src/wire/revisions.ts'
import { describeMatrix, everyChannel } from '../support/matrix.ts'

const newest = '2025-11-25'

describeMatrix(
  'a session of our client',
  ({ revision, rawServer }) => {
    test('asks for the newest version it speaks, first of all [VER-01] [VER-02] [ARCH-08] [LIFE-01]', async () => {
      const server = rawServer()

      const first = await server.next()
      expect(first).toMatchObject({ method: 'initialize', params: { protocolVersion: newest } })
      server.send({
        jsonrpc: '2.0',
        id: first.id,
        result: {
          protocolVersion: revision,
          capabilities: {},
          serverInfo: { name: 'raw', version: '1.0.0' },
        },
      })

      const client = await server.client
      expect(client.negotiated.revision).toBe(revision)
      await client.close()
    })

    test('asks for the one version it is told to speak [VER-01] [VER-09]', async () => {
      const protocolVersion = revision as NonNullable<ConnectOptions['protocolVersion']>
      const server = rawServer({ protocolVersion })

      const client = await server.accept()

      expect(server.received[0]?.params?.['protocolVersion']).toBe(revision)
      await client.close()
    })

    test('sends nothing before its greeting is answered, but answers pings [LIFE-05] [PING-01]', async () => {
      const server = rawServer()
      await server.expect('initialize')

      server.send({ jsonrpc: '2.0', id: 'early', method: 'ping' })

      expect(await server.next()).toEqual({ jsonrpc: '2.0', id: 'early', result: {} })
      expect(await server.quiet()).toEqual([])
      await server.close()
    })

    test.each(['2099-01-01', '', 'latest', `${revision}.1`])(
      'ends at once when the server answers with %j [VER-06] [VER-08] [DEC-01] [LIFE-16]',
      async (protocolVersion) => {
        const server = rawServer()
        server.client.catch(() => undefined)

        void server.accept({ protocolVersion }).catch(() => undefined)

        await expect(server.client).rejects.toMatchObject({
          code: 'no_common_version',
          details: { ours: legacyRevisions, theirs: [protocolVersion] },
        })
        await server.ended
        expect(server.received.map(({ method }) => method)).toEqual(['initialize'])
      },
    )

    test('gives both lists to its caller when the server refuses instead [LIFE-19] [DEC-02] [LIFE-16]', async () => {
      const server = rawServer()
      await server.reject('initialize', {
        code: -32602,
        message: 'Unsupported protocol version',
        data: { supported: ['2099-01-01'], requested: newest },
      })

      await expect(server.client).rejects.toMatchObject({
        code: 'no_common_version',
        details: { ours: legacyRevisions, theirs: ['2099-01-01'] },
      })
      await server.ended
    })

    test('fails with the error of the server when it is refused', async () => {
      const server = rawServer()
      await server.reject('initialize', { code: -32603, message: 'not today' })

      await expect(server.client).rejects.toMatchObject({
        code: 'internal_error',
        message: 'not today',
      })
      await server.ended
    })

    test('does not open with an answer that makes no sense', async () => {
      const server = rawServer()
      await server.answer('initialize', { protocolVersion: revision })

      await expect(server.client).rejects.toMatchObject({ code: 'invalid_message' })
      await server.ended
    })

    test('is not cancelled but closed when its greeting is not answered [CANC-03] [TIME-01, TIME-02] [LIFE-18]', async () => {
      const clock = createVirtualClock()
      const server = rawServer({ clock, timeouts: { connectMs: 5_000 } })
      await server.expect('initialize')

      await clock.advance(5_000)

      await expect(server.client).rejects.toMatchObject({
        code: 'timeout',
        details: { limit: 'connect', ms: 5_000 },
      })
      await server.ended
      expect(server.received).toHaveLength(1)
    })

    test('keeps what the server said about itself [LIFE-07] [LIFE-20]', async () => {
      const server = rawServer()
      const client = await server.accept({
        instructions: 'Ask nicely.',
        capabilities: { tools: {}, 'com.example/unknown': { a: 1 } },
        unknown: true,
      })

      expect(client.server).toMatchObject({
        info: { name: 'raw-server', version: '1.0.0' },
        instructions: 'Ask nicely.',
        capabilities: { tools: {} },
      })
      await client.close()
    })

    test('is over when the server closes: what waits fails at once [LIFE-14]', async () => {
      const server = rawServer()
      const client = await server.accept()
      const calling = client.callTool('slow')
      await server.expect('tools/call')

      await server.close()

      await expect(calling).rejects.toMatchObject({ code: 'connection_lost' })
      await expect(client.ping()).rejects.toMatchObject({ code: 'connection_lost' })
      expect(client.status).toMatchObject({ state: 'closed' })
      await client.close()
    })
  },
  { channels: everyChannel },
)

import { connect } from '@parley/mcp/client'
import { createServer, serveTransport } from '@parley/mcp/server'
import { transportContract } from '@parley/mcp/testing'
import { describe, expect, test } from 'vitest'

import { openPortPair } from '../support/port-transport.ts'

// The requirement suites of this folder run over the same transport, as the channel `custom`.
describe('a transport of your own [CUST-01] [CUST-02] [R1105-10]', () => {
  for (const { name, run } of transportContract(async () => openPortPair()))
    test(`${name} [SDKS-04]`, run)

  test('is served and connected to like any other, without a word about what carries it [SDKS-04]', async () => {
    const server = createServer({ name: 'anywhere', version: '1.0.0' })
    server.tool('hello', {}, () => 'hello')
    const [near, far] = openPortPair()
    const service = serveTransport(server, far)

    const client = await connect(near, { onError: () => undefined })

    expect(client.negotiated.transport).toBe('custom')
    expect(await client.callTool('hello')).toEqual({ content: [{ type: 'text', text: 'hello' }] })
    await client.close()
    await service.closed
  })
})

import type { Bridge } from '@parley/gateway'
import { serveHttp } from '@parley/mcp/node'
import { createServer } from '@parley/mcp/server'
import { serverTasks } from '@parley/mcp/tasks'
import { expect, test } from 'vitest'

import { post } from './gateway/raw-requests.ts'
import { startTestBridge } from './running.ts'

async function startBridged(
  protocolVersion: 'legacy' | 'modern',
): Promise<Bridge & AsyncDisposable> {
  const extensions = [serverTasks()]
  const server = createServer({ name: 'places', version: '1.0.0', extensions })
  const city = { type: 'string', 'x-mcp-header': 'City' } as const
  const inputSchema = { type: 'object', properties: { city } } as const
  server.tool('find', { inputSchema }, (args) => `found ${JSON.stringify(args)}`)
  const service = await serveHttp(server, { port: 0, host: '127.0.0.1', ownsProcess: false })
  const bridge = await startTestBridge({ from: { url: service.url.href }, protocolVersion })
  void bridge.closed.then(() => service.drain({ deadlineMs: 0 }))
  return bridge
}

test.each(['legacy', 'modern'] as const)(
  'a header that says something else than the argument is refused before a server of the %s era gets it',
  async (era) => {
    await using bridge = await startBridged(era)
    const call = { name: 'find', arguments: { city: 'Oslo' } }
    await post(bridge, 'tools/list', {})

    const right = await post(bridge, 'tools/call', call, {
      'mcp-name': 'find',
      'mcp-param-city': 'Oslo',
    })
    const wrong = await post(bridge, 'tools/call', call, {
      'mcp-name': 'find',
      'mcp-param-city': 'Rome',
    })

    expect(right.status).toBe(200)
    expect(wrong.status).toBe(400)
    expect(wrong.text).toContain('-32020')
  },
)

test('how an older revision asks for a task means nothing in a request of 2026-07-28', async () => {
  await using bridge = await startBridged('legacy')

  const { text } = await post(
    bridge,
    'tools/call',
    { name: 'find', arguments: {}, task: { ttl: 60_000 } },
    { 'mcp-name': 'find' },
  )

  expect(text).toContain('found {}')
})

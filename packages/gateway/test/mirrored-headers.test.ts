import { startGateway } from '@parley/gateway'
import { startBridge } from '@parley/gateway/bridge'
import { createServer, type Server } from '@parley/mcp/server'
import { expect, test } from 'vitest'

import { post } from './gateway/raw-requests.ts'
import { serveTest } from './gateway/running.ts'

const between = ['bridge', 'gateway'] as const
type Between = (typeof between)[number]

/** Says which headers reached it, and with which arguments. */
function createLocations(): Server {
  const server = createServer({ name: 'places', version: '1.0.0' })
  const city = { type: 'string', 'x-mcp-header': 'City' } as const
  const inputSchema = { type: 'object', properties: { city } } as const
  server.tool('find', { inputSchema }, (args, { http }) => {
    const names = ['mcp-param-city', 'mcp-param-later', 'x-later']
    return JSON.stringify([args, names.map((name) => http?.header(name) ?? null)])
  })
  server.tool('harmless', {}, () => 'nothing was done')
  return server
}

async function start(kind: Between, url: string, protocolVersion: 'legacy' | 'modern') {
  const onError = (): void => undefined
  if (kind === 'bridge') {
    return startBridge({ from: { url }, to: 'http', port: 0, protocolVersion, onError })
  }
  const servers = { places: { url, era: protocolVersion } }
  const gateway = await startGateway({ servers, naming: 'manual', port: 0, onError })
  await gateway.started
  return gateway
}

test.each(between)(
  '[N07-XHDR-08] headers of arguments that a %s does not know reach the server, and no others',
  async (kind) => {
    await using service = await serveTest(createLocations())
    await using running = await start(kind, service.url.href, 'modern')
    const call = { name: 'find', arguments: { city: 'Oslo' } }
    await post(running, 'tools/list', {})

    const { text } = await post(running, 'tools/call', call, {
      'mcp-param-city': 'Oslo',
      'mcp-param-later': 'kept',
      'x-later': 'dropped',
    })

    const said = JSON.stringify([{ city: 'Oslo' }, ['Oslo', 'kept', null]])
    expect(text).toContain(JSON.stringify(said))
  },
)

test.each(between)(
  '[N07-HDR-08] a %s believes mirrored headers in no revision that does not require them',
  async (kind) => {
    await using service = await serveTest(createLocations())
    await using running = await start(kind, service.url.href, 'legacy')
    const version = '2025-11-25'
    const session = await openSession(running.url, version)
    const params = { name: 'find', arguments: { city: 'Oslo' } }

    const answer = await fetch(String(running.url), {
      method: 'POST',
      headers: {
        ...usual,
        'mcp-protocol-version': version,
        'mcp-session-id': session,
        'mcp-method': 'tools/list',
        'mcp-name': 'harmless',
        'mcp-param-city': 'Rome',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params }),
    })

    const said = JSON.stringify([{ city: 'Oslo' }, [null, null, null]])
    expect(await answer.text()).toContain(JSON.stringify(said))
  },
)

test.each(between)(
  '[N07-HDR-08] a %s refuses mirrored headers that contradict the body, in the revision that requires them',
  async (kind) => {
    await using service = await serveTest(createLocations())
    await using running = await start(kind, service.url.href, 'modern')
    const call = { name: 'find', arguments: { city: 'Oslo' } }
    await post(running, 'tools/list', {})

    const wrong = await Promise.all([
      post(running, 'tools/call', call, { 'mcp-name': 'harmless', 'mcp-param-city': 'Oslo' }),
      post(running, 'tools/call', call, { 'mcp-method': 'tools/list', 'mcp-param-city': 'Oslo' }),
      post(running, 'tools/call', call, { 'mcp-param-city': 'Rome' }),
      post(running, 'tools/call', call),
    ])

    expect(wrong.map(({ status }) => status)).toEqual([400, 400, 400, 400])
    for (const { text } of wrong) expect(text).toContain('-32020')
  },
)

const usual = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
}

async function openSession(url: URL | undefined, protocolVersion: string): Promise<string> {
  const clientInfo = { name: 'raw', version: '1.0.0' }
  const params = { protocolVersion, capabilities: {}, clientInfo }
  const opened = await fetch(String(url), {
    method: 'POST',
    headers: usual,
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
  })
  await opened.text()
  const session = opened.headers.get('mcp-session-id') ?? ''
  const ready = await fetch(String(url), {
    method: 'POST',
    headers: { ...usual, 'mcp-session-id': session, 'mcp-protocol-version': protocolVersion },
    body: JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }),
  })
  await ready.text()
  return session
}

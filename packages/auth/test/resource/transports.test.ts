import { bearerAuth } from '@parley/auth/client'
import { isRpcError } from '@parley/mcp'
import { connect } from '@parley/mcp/client'
import { openWebSocket } from '@parley/mcp/websocket'
import { expect, test } from 'vitest'

import { listenProtected } from './listening-server.ts'
import { openSigningIssuer } from './signing-issuer.ts'

const upgrade = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  'sec-websocket-protocol': 'mcp',
}

async function upgradeStatus(url: URL, token?: string) {
  const { request } = await import('node:http')
  return new Promise<{ status: number | undefined; challenge: string | undefined }>((resolve) => {
    const headers = { ...upgrade, ...(token !== undefined && { authorization: `Bearer ${token}` }) }
    const asked = request(url, { headers })
    asked.on('response', ({ statusCode, headers: got }) => {
      resolve({ status: statusCode, challenge: got['www-authenticate'] })
      asked.destroy()
    })
    asked.on('upgrade', (_, socket) => {
      socket.destroy()
      resolve({ status: 101, challenge: undefined })
    })
    asked.on('error', () => undefined) // ended by us
    asked.end()
  })
}

test('a WebSocket is refused at its upgrade: 401, 403, 503 [AERR-01] [AERR-02]', async () => {
  await using issuer = await openSigningIssuer()
  await using server = await listenProtected({ issuer: issuer.issuer, scopes: ['base'] })
  const aud = server.url.href

  const without = await upgradeStatus(server.url)
  const poor = await upgradeStatus(server.url, await issuer.sign({ aud }))
  const good = await upgradeStatus(server.url, await issuer.sign({ aud, scope: 'base' }))

  expect(without).toEqual({ status: 401, challenge: expect.stringContaining('scope="base"') })
  expect(poor).toEqual({ status: 403, challenge: expect.stringContaining('insufficient_scope') })
  expect(good.status).toBe(101)
  await using away = await listenProtected({ issuer: 'http://127.0.0.1:1' })
  const token = await issuer.sign({ aud: away.url.href, iss: 'http://127.0.0.1:1' })
  expect((await upgradeStatus(away.url, token)).status).toBe(503)
})

test.each(['legacy', 'modern'] as const)(
  'over a WebSocket each operation is judged (%s)',
  async (protocolVersion) => {
    await using issuer = await openSigningIssuer()
    await using server = await listenProtected({ issuer: issuer.issuer })
    const token = await issuer.sign({ aud: server.url.href, scope: 'notes:read' })
    const url = server.url.href.replace('http', 'ws')
    const transport = await openWebSocket(url, { headers: { authorization: `Bearer ${token}` } })
    await using client = await connect(transport, { protocolVersion })

    expect((await client.callTool('read')).content).toMatchObject([{ text: 'read' }])
    await expect(client.callTool('write')).rejects.toSatisfy((error) =>
      isRpcError(error, 'insufficient_scope'),
    )
  },
)

test('over HTTP+SSE the stream is refused by a status, an operation by an error [AERR-01] [R1105B-04]', async () => {
  await using issuer = await openSigningIssuer()
  await using server = await listenProtected({ issuer: issuer.issuer }, { legacySse: true })
  const token = await issuer.sign({ aud: server.url.href, scope: 'notes:read' })
  const sse = new URL(`${server.url.href}/sse`)

  const without = await fetch(sse, { headers: { accept: 'text/event-stream' } })
  expect(without.status).toBe(401)
  expect(without.headers.get('www-authenticate')).toContain('resource_metadata=')

  const stream = await fetch(sse, {
    headers: { accept: 'text/event-stream', authorization: `Bearer ${token}` },
  })
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const until = async (mark: RegExp) => {
    for (;;) {
      const found = mark.exec(text)
      if (found) return found
      text += (await reader?.read())?.value ?? ''
    }
  }
  const [, path = ''] = await until(/data: (\S+sessionId=\S+)\n/)
  const post = (id: number, method: string, params: object, by = token) =>
    fetch(new URL(path, server.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${by}` },
      body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
    })
  const clientInfo = { name: 'c', version: '1' }
  await post(1, 'initialize', { protocolVersion: '2024-11-05', capabilities: {}, clientInfo })
  await post(2, 'tools/call', { name: 'write' })

  await until(/"id":2,"error":.*"reason":"insufficient_scope"/)
  const bare = await fetch(new URL(path, server.url), { method: 'POST', body: '{}' })
  expect(bare.status).toBe(401)

  // Each message is judged by the credential it came with, not by that of the stream.
  const [more, less] = await Promise.all([
    issuer.sign({ aud: server.url.href, scope: 'notes:write' }),
    issuer.sign({ aud: server.url.href }),
  ])
  await post(3, 'tools/call', { name: 'write' }, more)
  await until(/"id":3,"result"/)
  await post(4, 'tools/call', { name: 'read' }, less)
  await until(/"id":4,"error":.*"reason":"insufficient_scope"/)
  await reader?.cancel()
})

test('over Streamable HTTP a client that has the token works in every revision', async () => {
  await using issuer = await openSigningIssuer()
  await using server = await listenProtected({ issuer: issuer.issuer })
  const token = await issuer.sign({ aud: server.url.href })

  for (const protocolVersion of ['legacy', 'modern'] as const) {
    await using client = await connect(server.url, {
      auth: bearerAuth(() => token),
      protocolVersion,
    })
    expect((await client.callTool('who')).content).toMatchObject([{ text: 'ada by notes-app' }])
  }
})

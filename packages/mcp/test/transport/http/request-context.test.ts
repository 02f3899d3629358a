import { AsyncLocalStorage } from 'node:async_hooks'
import { once } from 'node:events'
import { createServer as createNodeServer } from 'node:http'
import { connect as connectSecond, createServer as createSecondServer } from 'node:http2'
import type { AddressInfo } from 'node:net'

import { createNodeHandler } from '@parley/mcp/node'
import { createServer } from '@parley/mcp/server'
import { expect, test } from 'vitest'

test('a handler runs in the AsyncLocalStorage of the listener its request came by', async () => {
  const storage = new AsyncLocalStorage<string | undefined>()
  const server = createServer({ name: 'context', version: '1.0.0' })
  server.tool('who', {}, () => storage.getStore() ?? 'nobody')
  const handler = createNodeHandler(server, { sessions: 'off' })
  const http = createNodeServer((request, response) =>
    storage.run(request.headers['user-agent'], () => handler(request, response)),
  )
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const { port } = http.address() as AddressInfo // it listens on an address

  const ask = async (name: string): Promise<string> => {
    const response = await fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      headers: {
        'user-agent': name,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        'mcp-protocol-version': '2025-06-18',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'who' },
      }),
    })
    return response.text()
  }
  const names = ['ann', 'bob', 'cem']
  const answers = await Promise.all(names.map(ask))

  names.forEach((name, index) => expect(answers[index]).toContain(`"text":"${name}"`))
  http.close()
  http.closeAllConnections()
})

test('a handler sees the URL that was asked for, also below a path that a framework took off', async () => {
  const server = createServer({ name: 'context', version: '1.0.0' })
  server.tool('where', {}, (_, { http }) => http?.url ?? 'nowhere')
  const handler = createNodeHandler(server, { sessions: 'off' })
  const http = createNodeServer((request, response) => {
    const { url = '' } = request
    handler(
      Object.assign(request, { originalUrl: url, url: url.replace('/api/mcp', '/') }),
      response,
    )
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const { port } = http.address() as AddressInfo // it listens on an address

  const response = await fetch(`http://127.0.0.1:${port}/api/mcp?tenant=1`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'mcp-protocol-version': '2025-06-18' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'where' },
    }),
  })

  expect(await response.text()).toContain('"text":"/api/mcp?tenant=1"')
  http.close()
  http.closeAllConnections()
})

test('HTTP/2 names its host by another name', async () => {
  const server = createServer({ name: 'context', version: '1.0.0' })
  server.tool('count', {}, async (_, context) => {
    await context.progress({ progress: 1 })
    return 'one'
  })
  const handler = createNodeHandler(server, { sessions: 'off' })
  const http = createSecondServer((request, response) =>
    handler(request as never, response as never),
  )
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const { port } = http.address() as AddressInfo // it listens on an address
  const connection = connectSecond(`http://127.0.0.1:${port}`)
  const ask = async (name: string, params: object) => {
    const stream = connection.request({
      ':method': 'POST',
      ':path': '/mcp',
      ':authority': name,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-protocol-version': '2025-06-18',
    })
    stream.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }))
    let text = ''
    stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    const [headers] = (await once(stream, 'response')) as [{ ':status'?: number }]
    await once(stream, 'end')
    return { status: headers[':status'], text }
  }

  const call = { name: 'count', _meta: { progressToken: 1 } }
  const [own, foreign] = [await ask('localhost', call), await ask('evil.example', call)]

  expect([own.status, foreign.status]).toEqual([200, 403])
  expect(own.text).toMatch(/"progress":1[^]*"text":"one"/)
  connection.close()
  http.close()
})

import { AsyncLocalStorage } from 'node:async_hooks'
import { once } from 'node:events'
import { createServer as createNodeServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { expect, test } from 'vitest'

import { createServer } from '../../../src/server/create-server.ts'
import { createNodeHandler } from '../../../src/transport/http/node-handler.ts'

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

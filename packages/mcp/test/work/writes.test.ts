import { once } from 'node:events'
import { createServer as createNodeServer } from 'node:http'
import { connect, Socket, type AddressInfo } from 'node:net'
import { PassThrough, Writable } from 'node:stream'

import { createNodeHandler } from '@parley/mcp/node'
import { createServer } from '@parley/mcp/server'
import { serveStdio } from '@parley/mcp/stdio'
import { expect, test, vi } from 'vitest'

function createEcho() {
  const server = createServer({ name: 'work', version: '1.0.0' })
  server.tool('echo', {}, () => 'hello')
  return server
}

const call = (id: number) =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"echo","arguments":{}}}`
const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'work', version: '1.0.0' },
  },
})

/** A session over stdio that has answered `initialize`, and all that was written in it. */
async function openSession() {
  const input = new PassThrough()
  const writes: string[] = []
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      writes.push(chunk.toString())
      done()
    },
  })
  const service = serveStdio(createEcho(), { input, output, ownsProcess: false })
  input.write(`${initialize}\n{"jsonrpc":"2.0","method":"notifications/initialized"}\n`)
  await expect.poll(() => writes.length).toBe(1)
  return { input, writes, service }
}

test('requests that arrive together over stdio are answered in one write', async () => {
  const { input, writes, service } = await openSession()

  input.write(Array.from({ length: 64 }, (_, index) => `${call(index + 1)}\n`).join(''))
  await expect.poll(() => writes.join('').split('\n').length - 1).toBe(65)

  expect(writes).toHaveLength(2)
  input.end()
  await service[Symbol.asyncDispose]()
})

test('what is answered at once over stdio is written before the turn that read it ends', async () => {
  const { input, writes, service } = await openSession()
  const timers = vi.spyOn(globalThis, 'setImmediate')

  input.emit('data', Buffer.from(`${call(1)}\n`))

  expect(writes[1]).toContain('"id":1')
  expect(timers).not.toHaveBeenCalled()
  timers.mockRestore()
  input.end()
  await service[Symbol.asyncDispose]()
})

const list = (id: number) => `{"jsonrpc":"2.0","id":${id},"method":"tools/list","params":{}}`

test.each([
  ['an answer', call],
  ['a list that is kept as bytes', list],
])('%s over HTTP reaches the socket in one write, head and body', async (_, request) => {
  let writes = 0
  const http = createNodeServer(createNodeHandler(createEcho(), { sessions: 'off' }))
  http.on('connection', (socket) => countWrites(socket, () => writes++))
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const { port } = http.address() as AddressInfo // it listens on an address
  const client = connect(port, '127.0.0.1')

  for (let id = 1; id <= 20; id++) {
    client.write(
      `POST / HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\naccept: application/json, text/event-stream\r\ncontent-type: application/json\r\nmcp-protocol-version: 2025-06-18\r\ncontent-length: ${request(id).length}\r\n\r\n${request(id)}`,
    )
    const [chunk] = (await once(client, 'data')) as [Buffer]
    expect(chunk.toString()).toContain(`"id":${id},`)
  }

  expect(writes).toBe(20)
  client.destroy()
  http.close()
})

/** What reaches the system: streams join what is written while they are corked. */
function countWrites(socket: Socket, onWrite: () => void): void {
  for (const name of ['_write', '_writev'] as const) {
    const spied = vi.spyOn(socket, name as '_write') // both are there on every socket
    spied.mockImplementation(new Proxy(Socket.prototype[name as '_write'], { apply: onApply }))
  }

  function onApply(
    write: Socket['_write'],
    self: Socket,
    args: Parameters<Socket['_write']>,
  ): void {
    onWrite()
    Reflect.apply(write, self, args)
  }
}

import { connect } from '@parley/mcp/client'
import { serveHttp } from '@parley/mcp/node'
import { createServer } from '@parley/mcp/server'
import { expect, test } from 'vitest'

function createGreeter() {
  const server = createServer({ name: 'greeter', version: '1.0.0' })
  server.tool('hello', {}, (_, { client }) => `hello ${client.info?.name}`)
  return server
}

test('one address serves HTTP and WebSockets, and connect() reaches both [WS-01]', async () => {
  await using service = await serveHttp(createGreeter(), {
    port: 0,
    websocket: true,
    ownsProcess: false,
  })
  const address = new URL(service.url)
  address.protocol = 'ws:'
  const info = { name: 'guest', version: '1.0.0' }

  await using socket = await connect(address, { info })
  await using http = await connect(service.url, { info })

  expect(socket.negotiated.transport).toBe('websocket')
  expect(http.negotiated.transport).toBe('http')
  const hello = { content: [{ type: 'text', text: 'hello guest' }] }
  expect(await socket.callTool('hello')).toEqual(hello)
  expect(await http.callTool('hello')).toEqual(hello)
})

test('without the option an upgrade is refused', async () => {
  await using service = await serveHttp(createGreeter(), { port: 0, ownsProcess: false })

  const connecting = connect({ url: service.url.href.replace('http:', 'ws:') })

  await expect(connecting).rejects.toMatchObject({ name: 'McpError' })
})

test('an entry says what kind of address it has', async () => {
  const connecting = connect({ url: 'http://127.0.0.1:1/mcp', type: 'ws' })

  await expect(connecting).rejects.toMatchObject({ code: 'invalid_target' })
})

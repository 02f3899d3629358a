import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'

import { configure } from '@parley/compat/options'
import { McpServer } from '@parley/compat/server/mcp.js'
import { StdioServerTransport } from '@parley/compat/server/stdio.js'
import { StreamableHTTPServerTransport } from '@parley/compat/server/streamableHttp.js'
import { WebStandardStreamableHTTPServerTransport } from '@parley/compat/server/webStandardStreamableHttp.js'
import type { JSONRPCMessage } from '@parley/compat/types.js'
import { expect, onTestFinished, test } from 'vitest'

const message = (text: string): JSONRPCMessage => ({
  jsonrpc: '2.0',
  method: 'notifications/message',
  params: { level: 'info', data: text },
})

/** Takes the limit back after the test. */
function limitUnread(maxUnreadBytes: number): void {
  configure({ maxUnreadBytes })
  onTestFinished(() => configure({ maxUnreadBytes: Infinity }))
}

test('hosts and origins that the program does not name are refused', async () => {
  configure({ allowedHosts: ['localhost', '[::1]'] })
  onTestFinished(() => configure({ allowedHosts: undefined }))
  const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: () => 'S' })
  await new McpServer({ name: 's', version: '1' }).connect(transport)
  const statusOf = async (headers: Record<string, string>) => {
    const request = new Request('http://localhost/mcp', { method: 'PUT', headers })
    return (await transport.handleRequest(request)).status
  }

  // 405: it was let through, and PUT is not a method.
  expect(await statusOf({ host: 'localhost:3000' })).toBe(405)
  expect(await statusOf({ host: '[::1]', origin: 'http://localhost:99' })).toBe(405)
  expect(await statusOf({ host: 'attacker.test' })).toBe(403)
  expect(await statusOf({ host: 'localhost.attacker.test' })).toBe(403)
  expect(await statusOf({ host: 'localhost', origin: 'http://attacker.test' })).toBe(403)
  expect(await statusOf({ host: 'localhost', origin: 'null' })).toBe(403)
  expect(await statusOf({})).toBe(403)
})

test('a client that does not read its web stream is let go', async () => {
  limitUnread(1_000)
  const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: undefined })
  const headers = { accept: 'text/event-stream' }
  const response = await transport.handleRequest(new Request('http://localhost/', { headers }))

  await transport.send(message('a'))
  await transport.send(message('b'.repeat(2_000)))

  await expect(response.text()).rejects.toThrow('the client does not read')
})

test("a client that does not read Node's stream is let go", async () => {
  limitUnread(1_000_000)
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined })
  const http = createServer((request, response) => void transport.handleRequest(request, response))
  onTestFinished(() => void http.close())
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const { port } = http.address() as AddressInfo
  const headers = { accept: 'text/event-stream' }
  const ended = new Promise((resolve) => {
    get({ port, headers }, (response) => {
      response.pause()
      response.socket.once('close', resolve)
      void transport.send(message('a'.repeat(20_000_000)))
    })
  })

  await ended
})

test('a client that does not read standard output ends the connection', async () => {
  limitUnread(1_000)
  const output = new PassThrough({ highWaterMark: 10 })
  const transport = new StdioServerTransport(new PassThrough(), output)
  const closed = new Promise<void>((resolve) => (transport.onclose = resolve))
  const errors: string[] = []
  transport.onerror = (error) => errors.push(error.message)
  await transport.start()

  void transport.send(message('a'.repeat(2_000)))

  await closed
  expect(errors).toEqual([expect.stringContaining('bytes wait for a peer that does not read')])
})

test('a limit that is none is refused', () => {
  expect(() => configure({ maxUnreadBytes: 0 })).toThrow('maxUnreadBytes must be a positive number')
})

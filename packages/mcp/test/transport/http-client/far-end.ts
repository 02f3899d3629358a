import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import { McpError, OutgoingMessage, type Transport, wrapTransport } from '@parley/mcp'

import type { TransportLink } from '../../../src/client/connection/transport-link.ts'
import { iterateMessages } from '../../../src/rpc/transport.ts'
import { createHttpTransport } from '../../../src/transport/http-client/http-transport.ts'
import { createInbox } from '../../../src/transport/memory.ts'

/** Our client's transport, and the other end of it: what is POSTed arrives, what is sent goes on one stream. */
export async function openHttpPair(
  type: 'http' | 'sse',
): Promise<{ readonly client: Transport; readonly far: Transport }> {
  const inbox = createInbox()
  let stream: ServerResponse | undefined
  let isClosed = false
  const server = createServer((request, response) => {
    if (request.method === 'GET') {
      stream = response
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(type === 'sse' ? 'event: endpoint\ndata: /message\n\n' : ': open\n\n')
      server.emit('stream')
      return
    }
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      if (text === greeting) {
        response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 's' })
        return response.end('{"jsonrpc":"2.0","id":"greeting","result":{}}')
      }
      const isInitialized = text === initialized
      const drained = isInitialized || request.method !== 'POST' ? undefined : inbox.put(text)
      if (isInitialized) server.emit('initialized')
      if (drained) void drained.then(() => response.writeHead(202).end())
      else response.writeHead(202).end()
      return undefined
    })
  })
  let connections = 0
  server.on('connection', (socket) => {
    connections += 1
    socket.once('close', () => {
      connections -= 1
      if (connections === 0) inbox.end() // nobody is there any more
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // a TCP server
  const link: TransportLink = {
    needsStream: () => true,
    onNeed: () => undefined,
    onGap: () => undefined,
    onHealth: () => undefined,
  }
  const client = withoutGreeting(
    createHttpTransport(new URL(`http://127.0.0.1:${port}/mcp`), { type, link, reconnect: false }),
  )
  const isOpen = Promise.all([once(server, 'stream'), once(server, 'initialized')])
  if (type === 'http') void client.send(new OutgoingMessage(greeting))
  void client.send(new OutgoingMessage(initialized))
  await isOpen

  async function close(): Promise<void> {
    isClosed = true
    inbox.end()
    if (stream && !stream.destroyed) await new Promise<void>((resolve) => stream?.end(resolve))
    await new Promise((resolve) => server.close(resolve))
  }

  const far: Transport = {
    messages: iterateMessages(inbox.receive),
    receive: inbox.receive,
    send({ text }) {
      if (isClosed) return Promise.reject(new McpError('closed', 'closed', { details: undefined }))
      if (stream?.write(eventOf(text))) return undefined
      return new Promise((resolve) => {
        stream?.once('drain', resolve)
        stream?.once('close', resolve)
      })
    },
    [Symbol.asyncDispose]: close,
  }
  return { client, far }
}

/** Nothing is sent over the newer way before `initialize`. */
const greeting = JSON.stringify({ jsonrpc: '2.0', id: 'greeting', method: 'initialize' })
const initialized = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })

function withoutGreeting(transport: Transport): Transport {
  return wrapTransport(transport, {
    sink: (sink) => ({
      message: (message) => ('id' in Object(message) ? undefined : sink.message(message)),
    }),
  })
}

/** A message may have line breaks between its members. */
function eventOf(text: string): string {
  return `${text
    .split(/\r\n|\r|\n/)
    .map((line) => `data: ${line}`)
    .join('\n')}\n\n`
}

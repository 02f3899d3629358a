import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import type { JsonObject, MessageSink, OutgoingMessage, Transport } from '@parley/mcp'
import { createMcpHandler, type HttpOptions } from '@parley/mcp/http'
import { createNodeHandler } from '@parley/mcp/node'
import type { Server, Service } from '@parley/mcp/server'

import { iterateMessages } from '../../src/rpc/transport.ts'
import { mirroredHeaders } from '../../src/wire/headers.ts'
import { namedVersion } from '../../src/wire/request-meta.ts'
import { readEvents } from './sse-reader.ts'

/** Which entry serves, and how the client wants its answers. */
export interface HttpChannelOptions extends HttpOptions {
  readonly entry: 'node' | 'fetch'
  readonly accept?: string
}

/** A client's end of Streamable HTTP, without any cleverness: one POST for each message, one GET to listen. */
export async function openHttpChannel(
  server: Server,
  { entry, accept = 'application/json, text/event-stream', ...options }: HttpChannelOptions,
): Promise<{ readonly transport: Transport; readonly service: Service }> {
  const { fetch, service, close } =
    entry === 'node' ? await serveNode(server, options) : serveFetch(server, options)
  const hangUp = new AbortController()
  const busy = new Set<Promise<void>>()
  let sink: MessageSink | undefined
  let sessionId: string | undefined
  let isOver = false
  let sending = Promise.resolve()

  void service.closed.then(async () => {
    await Promise.all(busy)
    end()
  })

  function end(): void {
    if (isOver) return
    isOver = true
    sink?.end()
  }

  function headers(): Record<string, string> {
    return { accept, ...(sessionId !== undefined && { 'mcp-session-id': sessionId }) }
  }

  /** Resolves when the server has the message, so that messages arrive in order. */
  async function post({ text: body }: OutgoingMessage): Promise<void> {
    const { arrived, response } = fetch({
      method: 'POST',
      headers: { ...headers(), ...mirrored(body), 'content-type': 'application/json' },
      body,
      signal: hangUp.signal,
    })
    const reading = response.then(read).catch(() => undefined) // cut off by hanging up
    busy.add(reading)
    void reading.then(() => busy.delete(reading))
    if (body.includes('"notifications/initialized"')) {
      await reading
      await listen()
    } else await Promise.race([arrived, reading])
  }

  async function read(response: Response): Promise<void> {
    sessionId ??= response.headers.get('mcp-session-id') ?? undefined
    const type = response.headers.get('content-type')
    if (type === 'text/event-stream' && response.body) {
      for await (const { data } of readEvents(response.body)) if (data) void sink?.message(data)
    } else {
      const text = await response.text()
      if (text) void sink?.message(text)
    }
  }

  async function listen(): Promise<void> {
    const { response } = fetch({ method: 'GET', headers: headers(), signal: hangUp.signal })
    const stream = await response
    if (stream.ok) void read(stream).catch(() => undefined) // cut off by hanging up
    else await stream.text()
  }

  function receive(given: MessageSink): void {
    sink = given
  }

  const transport: Transport = {
    kind: 'http',
    messages: iterateMessages(receive),
    receive,
    send(message) {
      if (isOver) return
      sending = sending.then(() => post(message)).catch(() => undefined)
    },
    async [Symbol.asyncDispose]() {
      await sending
      if (sessionId !== undefined && !isOver) {
        const { response } = fetch({ method: 'DELETE', headers: headers() })
        await response.then((answer) => answer.text()).catch(() => undefined)
      }
      hangUp.abort()
      end()
      await close()
    },
  }
  return { transport, service }
}

/** What a request that stands for itself repeats in its headers. */
function mirrored(body: string): Record<string, string> {
  const { method, params } = JSON.parse(body) as { method?: string; params?: JsonObject }
  const version = method === undefined || params === undefined ? undefined : namedVersion(params)
  if (typeof version !== 'string' || method === undefined || params === undefined) return {}
  return mirroredHeaders({ method, params }, version)
}

interface Fetched {
  /** The server has read the whole request. */
  readonly arrived: Promise<unknown>
  readonly response: Promise<Response>
}
interface Served {
  fetch(init: RequestInit): Fetched
  readonly service: Service
  close(): Promise<void>
}

function serveFetch(server: Server, options: HttpOptions): Served {
  const handler = createMcpHandler(server, options)
  return {
    service: handler,
    fetch(init) {
      const response = handler.fetch(new Request('http://localhost/mcp', init))
      return { arrived: new Promise((resolve) => setTimeout(resolve, 2)), response }
    },
    close: async () => undefined,
  }
}

async function serveNode(server: Server, options: HttpOptions): Promise<Served> {
  const handler = createNodeHandler(server, options)
  const waiting = new Map<string, () => void>()
  const http = createServer((request, response) => {
    const arrive = waiting.get(String(request.headers['x-number']))
    request.once('end', () => setImmediate(() => arrive?.()))
    handler(request, response)
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const { port } = http.address() as AddressInfo
  let last = 0

  return {
    service: handler,
    fetch(init) {
      const number = String(++last)
      const arrived = new Promise<void>((resolve) => waiting.set(number, resolve))
      const headers = { ...(init.headers as Record<string, string>), 'x-number': number }
      return { arrived, response: fetch(`http://127.0.0.1:${port}/mcp`, { ...init, headers }) }
    },
    async close() {
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
}

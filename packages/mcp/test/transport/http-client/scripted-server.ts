import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/** A JSON-RPC message as it came in; read, not trusted. */
export interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: { readonly [name: string]: unknown }
  readonly result?: unknown
  readonly error?: unknown
}

/** One HTTP request as the server saw it. */
export interface Seen {
  readonly verb: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly message: Message
}

/** How a script answers one request. */
export interface Reply extends Seen {
  readonly response: ServerResponse
  json(result: object, headers?: Record<string, string>): void
  status(code: number, body?: string | object, headers?: Record<string, string>): void
  /** A stream of events, open until told otherwise. */
  stream(headers?: Record<string, string>): Events
}

export interface Events {
  /** Raw text, for what is not an event. */
  raw(text: string): void
  event(data: object | string, id?: string): void
  end(): void
  /** Destroys the socket. */
  cut(): void
}

export type Script = (reply: Reply) => void

export interface ScriptedServer extends AsyncDisposable {
  readonly url: string
  readonly seen: readonly Seen[]
  /** What is answered to a method, or to `GET` and `DELETE`; `POST` comes before all methods. */
  readonly scripts: Record<string, Script | undefined>
  /** The messages of one method. */
  sent(method: string): readonly Seen[]
  /** Waits until that many requests of a method or verb have come. */
  until(method: string, count?: number): Promise<Seen>
  /** Open connections. */
  readonly sockets: ReadonlySet<Socket>
  /** Ends every connection and listens no more. */
  stop(): Promise<void>
  /** Listens again where it did. */
  start(): Promise<void>
}

export const serverInfo = {
  protocolVersion: '2025-06-18',
  capabilities: { tools: { listChanged: true }, resources: { subscribe: true }, logging: {} },
  serverInfo: { name: 'scripted', version: '1.0.0' },
}

/** An HTTP server that says exactly what it is told; by default a small MCP server that answers in JSON. */
export async function openScriptedServer(
  scripts: Record<string, Script | undefined> = {},
): Promise<ScriptedServer> {
  const seen: Seen[] = []
  const sockets = new Set<Socket>()
  let waiting: (() => void)[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('error', () => undefined)
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      const one = {
        verb: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body,
        message: readMessage(body),
      }
      seen.push(one)
      answer(createReply(one, response))
      const woken = waiting
      waiting = []
      for (const wake of woken) wake()
    })
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('close', () => sockets.delete(socket))
  })

  function answer(reply: Reply): void {
    const { verb, message } = reply
    const { method = 'response' } = message
    const script = verb === 'POST' ? (all['POST'] ?? all[method]) : all[verb]
    if (script) return script(reply)
    return message.id !== undefined && message.method !== undefined
      ? reply.json({})
      : reply.status(202)
  }

  const all: Record<string, Script | undefined> = {
    initialize: (reply) => reply.json(serverInfo),
    GET: (reply) => reply.status(405),
    DELETE: (reply) => reply.status(200),
    'tools/list': (reply) => reply.json({ tools: [] }),
    'tools/call': (reply) => reply.json(said('done')),
    ...scripts,
  }
  const start = (port: number): Promise<void> =>
    new Promise((resolve) => server.listen(port, '127.0.0.1', resolve))
  await start(0)
  const { port } = server.address() as AddressInfo // a TCP server

  const own: ScriptedServer = {
    url: `http://127.0.0.1:${port}/mcp`,
    seen,
    scripts: all,
    sockets,
    sent: (method) => seen.filter(({ message, verb }) => (message.method ?? verb) === method),
    async until(method, count = 1) {
      for (;;) {
        const found = own.sent(method)[count - 1]
        if (found) return found
        await new Promise<void>((resolve) => waiting.push(resolve))
      }
    },
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
    start: () => start(port),
    async [Symbol.asyncDispose]() {
      if (server.listening) await own.stop()
    },
  }
  return own
}

/** A tool's result with one text. */
export function said(text: string): object {
  return { content: [{ type: 'text', text }] }
}

/** A response as JSON-RPC writes it. */
export function result(id: number | undefined, value: object): object {
  return { jsonrpc: '2.0', id, result: value }
}

export function progress(token: unknown, value: number): object {
  const params = { progressToken: token, progress: value }
  return { jsonrpc: '2.0', method: 'notifications/progress', params }
}

/** Answers by a stream what a script would answer by JSON. */
export function asStream(value: object): Script {
  return (reply) => {
    const events = reply.stream()
    events.event(result(reply.message.id, value))
    events.end()
  }
}

function createReply(seen: Seen, response: ServerResponse): Reply {
  response.on('error', () => undefined)
  return {
    ...seen,
    response,
    json(value, headers = {}) {
      response.writeHead(200, { 'content-type': 'application/json', ...headers })
      response.end(JSON.stringify(result(seen.message.id, value)))
    },
    status(code, body = '', headers = {}) {
      const isJson = typeof body === 'object'
      response.writeHead(code, {
        'content-type': isJson ? 'application/json' : 'text/plain',
        ...headers,
      })
      response.end(isJson ? JSON.stringify(body) : body)
    },
    stream(headers = {}) {
      response.writeHead(200, { 'content-type': 'text/event-stream', ...headers })
      response.flushHeaders()
      return {
        raw: (text) => void response.write(text),
        event(data, id) {
          const text = typeof data === 'string' ? data : JSON.stringify(data)
          response.write(`${id === undefined ? '' : `id: ${id}\n`}data: ${text}\n\n`)
        },
        end: () => void response.end(),
        cut: () => response.socket?.destroy(),
      }
    },
  }
}

function readMessage(body: string): Message {
  try {
    return JSON.parse(body) as Message // what a test looks at, it checks
  } catch {
    return {}
  }
}

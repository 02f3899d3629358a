import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request as a test looks at it. */
export interface Seen {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  readonly body: string
  /** The body as a form. */
  readonly form: URLSearchParams
}

export interface Answer {
  readonly status?: number | undefined
  readonly headers?: Record<string, string> | undefined
  /** Text as it is, anything else as JSON. */
  readonly body?: unknown
}

export interface LoggedServer extends AsyncDisposable {
  readonly origin: string
  readonly seen: Seen[]
  /** Sockets, whether or not a request came through them. */
  connections(): number
  /** `METHOD /path` of all requests, in order. */
  paths(): readonly string[]
  /** Requests to one path. */
  at(path: string): readonly Seen[]
}

/** A web server on loopback that remembers every request. */
export async function openLoggedServer(
  answer: (seen: Seen, raw: RawExchange) => Answer | Promise<Answer | undefined> | undefined,
): Promise<LoggedServer> {
  const seen: Seen[] = []
  const server = createServer((request, response) => {
    void handle(request, response)
  })

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer) // no encoding is set
    const body = Buffer.concat(chunks).toString('utf8')
    const url = new URL(request.url ?? '/', 'http://loopback')
    const { method = '', headers } = request
    const one: Seen = {
      method,
      path: url.pathname,
      query: url.searchParams,
      headers,
      body,
      form: new URLSearchParams(body),
    }
    seen.push(one)
    const given = await answer(one, { request, response, body })
    if (given === undefined) return
    const isText = typeof given.body === 'string'
    response.writeHead(given.status ?? 200, {
      'content-type': isText ? 'text/plain' : 'application/json',
      ...given.headers,
    })
    response.end(given.body === undefined ? '' : isText ? given.body : JSON.stringify(given.body))
  }

  let connections = 0
  server.on('connection', () => (connections += 1))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on a port
  return {
    origin: `http://127.0.0.1:${port}`,
    seen,
    connections: () => connections,
    paths: () => seen.map(({ method, path }) => `${method} ${path}`),
    at: (path) => seen.filter((one) => one.path === path),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export interface RawExchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly body: string
}

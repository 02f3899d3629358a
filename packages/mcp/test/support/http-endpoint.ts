import { createServer, request as openRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'

import { createMcpHandler, type Health, type HttpOptions } from '@parley/mcp/http'
import { createNodeHandler } from '@parley/mcp/node'
import type { Server, Service } from '@parley/mcp/server'
import { describe } from 'vitest'

import type { Raw } from './raw-channel.ts'
import { readEvents, type SseEvent } from './sse-reader.ts'

export type Entry = 'node' | 'fetch'

export interface Ask {
  readonly method?: string
  readonly path?: string
  readonly headers?: Record<string, string>
  /** Text goes out as it is. */
  readonly body?: unknown
  readonly session?: string | undefined
  readonly signal?: AbortSignal
}

/** A server reached by hand, one request at a time. */
export interface Endpoint extends AsyncDisposable {
  readonly service: Service & { health(): Health }
  /** Of the Node entry. */
  readonly port: number
  ask(ask: Ask): Promise<Response>
  /** POSTs a message with the usual headers. */
  post(message: unknown, ask?: Ask): Promise<Response>
  /** Calls a tool. */
  call(
    name: string,
    ask?: Ask & { readonly id?: string | number; readonly meta?: object },
  ): Promise<Response>
  /** Shakes hands; gives the id of the session. */
  open(options?: {
    revision?: string
    capabilities?: object
    headers?: Record<string, string>
  }): Promise<string>
  /** Opens a stream and gives its events. */
  listen(session: string, ask?: Ask): Promise<Events>
}

/** Runs the same tests on both entries. */
export function describeEntries(name: string, body: (entry: Entry) => void): void {
  describe.each(['node', 'fetch'] as const)(`${name} (%s)`, body)
}

export async function openEndpoint(
  entry: Entry,
  server: Server,
  options: HttpOptions = {},
): Promise<Endpoint> {
  const quiet = { onError: () => undefined, ...options }
  const { ask, service, port, close } =
    entry === 'node' ? await serveNode(server, quiet) : serveFetch(server, quiet)

  function post(message: unknown, { headers, session, ...rest }: Ask = {}): Promise<Response> {
    return ask({
      method: 'POST',
      body: message,
      headers: {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        ...(session !== undefined && { 'mcp-session-id': session }),
        ...headers,
      },
      ...rest,
    })
  }

  return {
    service,
    port,
    ask,
    post,
    call: (name, { id = 1, meta, ...rest } = {}) =>
      post(
        {
          jsonrpc: '2.0',
          id,
          method: 'tools/call',
          params: { name, ...(meta && { _meta: meta }) },
        },
        rest,
      ),
    async open({ revision = '2025-06-18', capabilities = {}, headers = {} } = {}) {
      const response = await post(initialize(revision, capabilities), { headers })
      await response.text()
      const session = response.headers.get('mcp-session-id') ?? ''
      await post({ jsonrpc: '2.0', method: 'notifications/initialized' }, { session, headers })
      return session
    },
    async listen(session, { headers, ...rest } = {}) {
      const response = await ask({
        method: 'GET',
        headers: { accept: 'text/event-stream', 'mcp-session-id': session, ...headers },
        ...rest,
      })
      return eventsOf(response)
    },
    async [Symbol.asyncDispose]() {
      void service.drain({ deadlineMs: 0 }) // never over where time stands still
      await close()
    },
  }
}

export function initialize(revision = '2025-06-18', capabilities: object = {}) {
  const clientInfo = { name: 'by-hand', version: '1.0.0' }
  const params = { protocolVersion: revision, capabilities, clientInfo }
  return { jsonrpc: '2.0', id: 0, method: 'initialize', params }
}

export const ping = (id: string | number) => ({ jsonrpc: '2.0', id, method: 'ping' })

/** The events of a stream, one after the other. */
export interface Events {
  readonly response: Response
  /** The next event that is not only a comment or a place to resume from; undefined at the end. */
  next(): Promise<SseEvent | undefined>
  /** The next message. */
  message(): Promise<Raw>
  /** Everything that is left. */
  rest(): Promise<readonly SseEvent[]>
  /** Everything there was, positions and comments included. */
  readonly seen: readonly SseEvent[]
}

export function eventsOf(response: Response): Events {
  if (!response.body) throw new Error(`no body: ${response.status}`)
  const events = readEvents(response.body)
  const seen: SseEvent[] = []

  async function next(): Promise<SseEvent | undefined> {
    for (;;) {
      const { value, done } = await events.next()
      if (done) return undefined
      seen.push(value)
      if (value.data || value.retry !== undefined) return value
    }
  }

  return {
    response,
    seen,
    next,
    async message() {
      return JSON.parse((await next())?.data ?? 'null') as Raw
    },
    async rest() {
      const rest: SseEvent[] = []
      for (let event = await next(); event; event = await next()) rest.push(event)
      return rest
    },
  }
}

export function messagesOf(events: readonly SseEvent[]): readonly Raw[] {
  return events.flatMap(({ data }) => (data === undefined ? [] : [JSON.parse(data) as Raw]))
}

interface Served {
  readonly service: Service & { health(): Health }
  readonly port: number
  ask(ask: Ask): Promise<Response>
  close(): Promise<void>
}

function serveFetch(server: Server, options: HttpOptions): Served {
  const handler = createMcpHandler(server, options)
  return {
    service: handler,
    port: 0,
    ask: ({ method = 'GET', path = '/mcp', headers = {}, body, signal }) =>
      handler.fetch(
        new Request(`http://localhost${path}`, {
          method,
          headers,
          ...(body !== undefined && { body: textOf(body) }),
          ...(signal && { signal }),
        }),
      ),
    close: async () => undefined,
  }
}

async function serveNode(server: Server, options: HttpOptions): Promise<Served> {
  const handler = createNodeHandler(server, options)
  const http = createServer(handler)
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const { port } = http.address() as AddressInfo
  return {
    service: handler,
    port,
    ask: (ask) => askByHand(port, ask),
    async close() {
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
}

/** As `fetch`, but any header may be set. */
export function askByHand(
  port: number,
  { method = 'GET', path = '/mcp', headers = {}, body, signal }: Ask,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = openRequest(
      { host: '127.0.0.1', port, method, path, headers, signal },
      (answer) => {
        const { statusCode = 0 } = answer
        const isEmpty = statusCode === 204 || statusCode === 304
        if (isEmpty) answer.resume()
        const stream = Readable.toWeb(answer) as ReadableStream<Uint8Array> // bytes, as no encoding is set
        const pairs = Object.entries(answer.headers).map(([name, value]) => [name, String(value)])
        const init = {
          status: statusCode,
          headers: Object.fromEntries(pairs) as Record<string, string>,
        }
        resolve(new Response(isEmpty ? null : stream, init))
      },
    )
    request.once('error', reject)
    request.end(body === undefined ? undefined : textOf(body))
  })
}

function textOf(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body)
}

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import { McpError } from '../../rpc/mcp-error.ts'
import type { Service } from '../../server/serve.ts'
import type { Server } from '../../server/server.ts'
import { ownProcess } from '../own-process.ts'
import { createEndpointService } from './endpoint-service.ts'
import { isLoopback } from './host-check.ts'
import type { Health, HttpOptions } from './http-options.ts'
import { createNodeHandler } from './node-handler.ts'

export interface ServeHttpOptions extends HttpOptions {
  /** @defaultValue 3000; 0 picks a free one */
  readonly port?: number | undefined
  /** Another address than loopback needs `url`, and `auth` or `allowAnonymous`. @defaultValue '127.0.0.1' */
  readonly host?: string | undefined
  /** @defaultValue '/mcp', or the path of `url` */
  readonly path?: string | undefined
  /** Serve strangers on an address that is not loopback. @defaultValue false */
  readonly allowAnonymous?: boolean | undefined
  /** Drain and exit on SIGTERM and SIGINT. @defaultValue true */
  readonly ownProcess?: boolean | undefined
  /** @defaultValue 10_000 */
  readonly drainMs?: number | undefined
  /** `/healthz` and `/readyz`. @defaultValue true */
  readonly healthRoutes?: boolean | undefined
}

export interface HttpService extends Service {
  /** Where it listens. */
  readonly url: URL
  health(): Health
}

/** Listens, on loopback unless told otherwise. Resolves when it does. */
export async function serveHttp<App>(
  server: Server<App, unknown>,
  options: ServeHttpOptions = {},
): Promise<HttpService> {
  const { host = '127.0.0.1', port = 3000, drainMs = 10_000 } = options
  requireSafety(host, options)
  const path = options.path ?? (options.url === undefined ? '/mcp' : new URL(options.url).pathname)
  const handler = createNodeHandler(server, options)
  const http = createServer(
    { keepAliveTimeout: 75_000, headersTimeout: 30_000 },
    (request, response) => {
      const { pathname } = new URL(request.url ?? '/', 'http://localhost')
      if (pathname === path) handler(request, response)
      else if (options.healthRoutes !== false && pathname === '/healthz')
        answer(response, 200, 'ok')
      else if (options.healthRoutes !== false && pathname === '/readyz')
        answerReady(response, handler.health())
      else answerNotFound(request, response, path)
    },
  )
  await new Promise<void>((resolve, reject) => {
    http.once('error', (error) => reject(cannotListen(host, port, error)))
    http.listen(port, host, resolve)
  })
  const { port: actual } = http.address() as AddressInfo // listening on an address, not a pipe
  const name = host.includes(':') ? `[${host}]` : host

  const service = createEndpointService(
    {
      ...handler,
      handle: () => Promise.resolve(),
      drain: (deadlineMs) => handler.drain({ deadlineMs }),
      health: handler.health,
    },
    { drainMs, close: () => closeServer(http) },
  )
  if (options.ownProcess ?? true) ownProcess(service)
  return { ...service, url: new URL(`http://${name}:${actual}${path}`), health: handler.health }
}

/** Nothing is public by accident. */
function requireSafety(host: string, { url, auth, allowAnonymous }: ServeHttpOptions): void {
  if (isLoopback(host) || host === '::1') return
  const missing = [
    ...(url === undefined ? ['url, the public address'] : []),
    ...(auth === undefined && allowAnonymous !== true ? ['auth, or allowAnonymous: true'] : []),
  ]
  if (missing.length === 0) return
  throw new McpError('invalid_definition', `listening on ${host} needs ${missing.join(' and ')}`, {
    details: { feature: 'serveHttp' },
  })
}

function closeServer(http: ReturnType<typeof createServer>): Promise<void> {
  return new Promise((resolve) => {
    http.close(() => resolve())
    http.closeIdleConnections()
    setTimeout(() => http.closeAllConnections(), 1_000).unref()
  })
}

function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain' }).end(text)
}

function answerReady(response: ServerResponse, health: Health): void {
  const status = health.ready ? 200 : 503
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(health))
}

function answerNotFound(request: IncomingMessage, response: ServerResponse, path: string): void {
  request.resume()
  const error = { code: -32600, message: `nothing is served at this path; MCP is at ${path}` }
  response
    .writeHead(404, { 'content-type': 'application/json' })
    .end(JSON.stringify({ jsonrpc: '2.0', error }))
}

function cannotListen(host: string, port: number, error: NodeJS.ErrnoException): McpError {
  const hint =
    error.code === 'EADDRINUSE'
      ? 'Another program uses that port; choose another, or 0 for any.'
      : undefined
  return new McpError('unreachable', `cannot listen on ${host}:${port}: ${error.message}`, {
    details: { ...(error.code !== undefined && { systemCode: error.code }) },
    hint,
    cause: error,
  })
}

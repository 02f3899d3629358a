/**
 * `serveHttp()`: opens a listener and serves one or several definitions on it.
 *
 * Timeouts for slow clients, TLS, health paths, WebSocket upgrades, the server card, and shutdown with the process. Several processes
 * are started by `serve-processes.ts`. Requests are handled by `HttpEndpoint`; a server inside a framework uses
 * `createNodeHandler` and none of this.
 */
import type {
  IncomingMessage,
  RequestListener,
  Server as NodeServer,
  ServerOptions,
  ServerResponse,
} from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'

import { McpError } from '../../../rpc/errors/mcp-error.ts'
import { type OnError, guardedReport } from '../../../rpc/errors/on-error.ts'
import type { MemoryBudget } from '../../../rpc/memory-budget.ts'
import { drainAll } from '../../../server/calls/calls-in-flight.ts'
import { definitionOf, type Server } from '../../../server/server.ts'
import type { Service } from '../../../server/sessions/serve-connection.ts'
import { ownsProcess } from '../../stdio/own-process.ts'
import type { WebSocketService } from '../../websocket/accept.ts'
import { createHostCheck } from '../admission/host-check.ts'
import { publicUrl } from '../admission/public-options.ts'
import { useCluster } from '../cluster/cluster-life.ts'
import { createHttpEndpoint } from '../endpoint.ts'
import type { Health, HttpOptions } from '../http-options.ts'
import { pathOf, type HttpExchange, type Routes } from './exchange.ts'
import { resolveListening, createRunningService } from './listen-options.ts'
import { createNodeExchange } from './node.ts'
import type { ServerCardOptions } from './server-card.ts'
import { createTlsServer, type ServerTls, type TlsFiles } from './server-tls.ts'

/** Where to listen, and what {@link HttpOptions} has. */
export interface ServeHttpOptions extends HttpOptions {
  /** 0 picks a free one. @defaultValue the variable `PORT`, else 3000 */
  readonly port?: number | undefined
  /** Another address than loopback needs `url`, and `auth` or `allowAnonymous`. @defaultValue beside `PORT` the variable `HOST`, else '127.0.0.1' */
  readonly host?: string | undefined
  /** @defaultValue '/mcp', or the path of `url` */
  readonly path?: string | undefined
  /** Serve anonymous callers on an address that is not loopback. @defaultValue false */
  readonly allowAnonymous?: boolean | undefined
  /** Serve HTTPS with this certificate; also for certificates of clients. @defaultValue HTTP */
  readonly tls?: ServerTls | undefined
  /** Accept WebSocket upgrades on the same path. Needs the package `ws`. @defaultValue false */
  readonly websocket?: boolean | undefined
  /** Drain and exit on SIGTERM and SIGINT. @defaultValue true */
  readonly ownsProcess?: boolean | undefined
  /** @defaultValue 10_000 */
  readonly drainMs?: number | undefined
  /** Where a balancer asks. @defaultValue `/healthz` and `/readyz`; false is nowhere */
  readonly healthRoutes?: boolean | HealthRoutes | undefined
  /** Answers at `/metrics`, such as `prometheus()` of `@parley/telemetry`. Not guarded. @defaultValue nobody does */
  readonly metrics?: MetricsSource | undefined
  /** Further servers, each at a path of its own, for the same callers: one address, one guard. WebSocket is for the first alone. */
  readonly others?: { readonly [path: string]: Server } | undefined
  /** Answers on all other paths, before the guard's; undefined leaves one to us. Not guarded: check yourself who asks. */
  readonly routes?: Routes | undefined
  /**
   * Serve a card: what the server is and how it is reached, for everybody who asks, before they connect. It is at
   * `server-card` below the endpoint and in `/.well-known`. @defaultValue false
   */
  readonly card?: boolean | ServerCardOptions | undefined
  /**
   * How many processes of this machine serve; `'auto'` is one per core. The program is started once more for each, and what
   * a server keeps in its own memory is not shared. Needs the package `@parley/cluster`. @defaultValue 1
   */
  readonly processes?: number | 'auto' | undefined
}

/** Paths for a balancer. */
export interface HealthRoutes {
  /** The process runs. @defaultValue '/healthz' */
  readonly live?: string | undefined
  /** It takes requests: 503 while draining, and while the cluster is not ready. @defaultValue '/readyz' */
  readonly ready?: string | undefined
}

/** Figures for whoever collects them. */
export interface MetricsSource {
  /** @defaultValue '/metrics' */
  readonly path?: string | undefined
  /** All figures now, as text of the media type. `health` is that of the service. */
  read(health: Health): Promise<{ readonly type: string; readonly text: string }>
}

/** A server that listens; draining ends it. */
export interface HttpService extends Service {
  /** Where it listens. */
  readonly url: URL
  /** Figures for a health check. */
  health(): Health
  /** Uses other files for connections from now on. Only with `tls`; throws if they do not fit together. */
  replaceTls?(files: TlsFiles): void
}

/**
 * Listens, on loopback unless told otherwise. Resolves when it does. A `cluster` is started before, and closed when the
 * service has drained. With `processes` the service of the first process stands for all: draining it ends them.
 */
export async function serveHttp<App>(
  server: Server<App, unknown>,
  options: ServeHttpOptions = {},
): Promise<HttpService> {
  const listening = resolveListening(options)
  if (options.processes !== undefined) {
    const { serveProcesses } = await import('./serve-processes.ts')
    return serveProcesses(options, (own) => serveHttp(server, { ...own, processes: undefined }))
  }
  const cluster = await useCluster(options.cluster)
  try {
    return await startListening(server, options, listening, cluster)
  } catch (error) {
    await cluster[Symbol.asyncDispose]()
    throw error
  }
}

async function startListening<App>(
  server: Server<App, unknown>,
  options: ServeHttpOptions,
  { host, port, path }: ReturnType<typeof resolveListening>,
  cluster: AsyncDisposable,
): Promise<HttpService> {
  const { drainMs = 10_000 } = options
  const routes = await withCard(server, options, path, () => service.url)
  const endpoint = createHttpEndpoint(definitionOf(server), { ...options, path })
  const paths = new Map([path, ...ssePaths(path, options)].map((each) => [each, endpoint]))
  for (const [at, other] of Object.entries(options.others ?? {})) {
    const further = createHttpEndpoint(definitionOf(other), { ...options, path: at })
    for (const each of [at, ...ssePaths(at, options)]) paths.set(each, further)
  }
  const endpoints = [...new Set(paths.values())]
  const onError = guardedReport(options.onError ?? definitionOf(server).settings.onError)
  const { live, ready } = healthPaths(options)
  const { metrics } = options
  const metricsPath = metrics?.path ?? '/metrics'
  const hostCheck = metrics && createHostCheck(options)

  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    const exchange = createNodeExchange(request, response)
    const pathname = pathOf(exchange)
    const found = paths.get(pathname)
    if (found !== undefined) return found.handle(exchange, true)
    if (pathname === live) return answer(response, 200, 'ok')
    if (pathname === ready) return answerReady(response, endpoint.health())
    if (metrics && pathname === metricsPath) return void answerMetrics(exchange, response, metrics)
    void endpoint.routeOther(exchange, path, routes)
  }
  const { http, replace } = await createListener(options, listener, onError)
  http.on('clientError', rejectBytes)
  const connections = trackConnections(http)
  const sockets = await open().catch(async (error: unknown) => {
    await drainAll(endpoints.map((each) => each.drain(0)))
    throw error
  })
  http.on('error', (error) => onError(error, { severity: 'error', operation: 'http' }))
  const { port: actual } = http.address() as AddressInfo // listening on an address, not a pipe
  const name = host.includes(':') ? `[${host.split('%', 1)[0]}]` : host // a URL has no zone

  /** Whatever can fail does so before anybody is answered. */
  async function open(): Promise<WebSocketService | undefined> {
    const accepted = options.websocket
      ? await acceptUpgrades(http, server, { ...options, path }, endpoint.memory)
      : undefined
    await new Promise<void>((resolve, reject) => {
      http.once('error', (error) => reject(cannotListen(host, port, error)))
      http.listen(port, host, resolve)
    })
    return accepted
  }

  /** The lease goes last: until then others wait for what runs here. */
  async function close(): Promise<void> {
    await closeServer(http, connections)
    try {
      await cluster[Symbol.asyncDispose]()
    } catch (error) {
      onError(error, { severity: 'warning', operation: 'cluster' })
    }
  }

  function health(): Health {
    const all = endpoints.map((each) => each.health())
    const sum = (count: (each: Health) => number): number =>
      all.reduce((total, each) => total + count(each), 0)
    return {
      ...endpoint.health(),
      streams: sum(({ streams }) => streams),
      usedBytes: sum(({ usedBytes }) => usedBytes),
      sessions: sum(({ sessions }) => sessions) + (sockets?.sockets ?? 0),
      inFlight: sum(({ inFlight }) => inFlight) + (sockets?.inFlight ?? 0),
    }
  }

  async function answerMetrics(
    exchange: HttpExchange,
    response: ServerResponse,
    source: MetricsSource,
  ): Promise<void> {
    const named = exchange.header('host') ?? ''
    // A page that had a name bound to us asks by that name, never by an address.
    const rejection = isAddress.test(named)
      ? undefined
      : hostCheck?.rejection(named, exchange.header('origin'))
    if (rejection) return answer(response, 403, rejection.message)
    try {
      const { type, text } = await source.read(health())
      response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' }).end(text)
    } catch (error) {
      onError(error, { severity: 'warning', operation: 'metrics' })
      answer(response, 500, 'the figures cannot be read')
    }
  }

  const running = createRunningService(
    {
      drain: (deadlineMs) =>
        drainAll([
          ...endpoints.map((each) => each.drain(deadlineMs)),
          sockets?.drain({ deadlineMs }),
        ]),
    },
    { drainMs, close },
  )
  if (options.ownsProcess ?? true) ownsProcess(running, { parentPollMs: 0 })
  const service: HttpService = {
    ...running,
    url: new URL(`${options.tls ? 'https' : 'http'}://${name}:${actual}${path}`),
    health,
    ...(replace && { replaceTls: replace }),
  }
  return service
}

/** The author's own paths come first. Who serves no card loads nothing for it. */
async function withCard<App>(
  server: Server<App, unknown>,
  options: ServeHttpOptions,
  path: string,
  urlOf: () => URL,
): Promise<Routes | undefined> {
  const { routes, card = false, auth, legacySse = false, revisions } = options
  if (card === false) return routes
  const { cardRoutes } = await import('./server-card.ts')
  const own = cardRoutes(definitionOf(server), card === true ? {} : card, {
    path,
    positionOf() {
      const url = publicUrl(options) ?? urlOf()
      const [sse] = legacySse === false ? [] : ssePaths(url.pathname, options)
      return {
        url,
        sseUrl: sse === undefined ? undefined : new URL(sse, url),
        revisions,
        isGuarded: auth !== undefined,
        hasMetadata: auth?.route !== undefined,
      }
    },
  })
  return async (request) => (await routes?.(request)) ?? own(request)
}

/** The `Host` of somebody who knows no name of ours, such as a collector in a cluster. */
const isAddress = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:.]+\])(?::\d+)?$/i

/** Loaded when it listens: this entry also serves programs with stdio alone. */
async function createListener(
  options: ServeHttpOptions,
  listener: RequestListener,
  onError: OnError,
): Promise<{ readonly http: NodeServer; readonly replace?: (files: TlsFiles) => void }> {
  const limits = nodeLimits(options)
  if (options.tls) return createTlsServer(options.tls, limits, listener, onError)
  const { createServer } = await import('node:http')
  return { http: createServer(limits, listener) }
}

/** Loaded only when asked for: the rest needs no package for sockets. */
async function acceptUpgrades<App>(
  http: NodeServer,
  server: Server<App, unknown>,
  options: ServeHttpOptions,
  bytes: MemoryBudget,
): Promise<WebSocketService> {
  const { acceptForQuota } = await import('../../websocket/accept.ts')
  const accepting = { ...options, maxSockets: options.maxSessions }
  const sockets = acceptForQuota(http, server, accepting, bytes)
  await sockets.ready
  return sockets
}

/** Timeouts for slow clients: one for the headers, one for the whole request. */
function nodeLimits({ bodyMs = 30_000 }: ServeHttpOptions): ServerOptions {
  const headersTimeout = 30_000
  return {
    keepAliveTimeout: 75_000,
    headersTimeout,
    requestTimeout: bodyMs < Infinity ? Math.max(120_000, bodyMs + headersTimeout) : 0,
    connectionsCheckingInterval: 5_000,
    joinDuplicateHeaders: true, // two of what there is one of are neither
  }
}

/** Neither is a path where there are none. */
function healthPaths({ healthRoutes = true }: ServeHttpOptions): HealthRoutes {
  if (healthRoutes === false) return {}
  const { live = '/healthz', ready = '/readyz' } = healthRoutes === true ? {} : healthRoutes
  return { live, ready }
}

function ssePaths(path: string, { legacySse = false }: ServeHttpOptions): readonly string[] {
  if (legacySse === false) return []
  const stream = legacySse === true ? `${path.replace(/\/$/, '')}/sse` : legacySse
  return [stream, stream.replace(/sse$/, 'message')]
}

function trackConnections(http: NodeServer): ReadonlySet<Socket> {
  const connections = new Set<Socket>()
  http.on('connection', (socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  return connections
}

function closeServer(http: NodeServer, connections: ReadonlySet<Socket>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => http.closeAllConnections(), 1_000)
    http.close(() => {
      clearTimeout(timer)
      resolve()
    })
    http.closeIdleConnections()
    // Clients open connections ahead of need; Node takes one that has asked nothing yet for busy.
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy()
  })
}

function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain' }).end(text)
}

/** Numbers stay inside: this path has neither a guard nor a check of `Host`. */
function answerReady(response: ServerResponse, { ready, cluster }: Health): void {
  answer(response, ready ? 200 : 503, ready ? 'ready' : (cluster?.why ?? 'draining'))
}

/** Responds to a request that is not HTTP, or whose head is too large or too slow. */
function rejectBytes(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const [status, why] =
    headProblems[error.code ?? ''] ?? (['400 Bad Request', 'this is not HTTP'] as const)
  const body = errorBody(why)
  socket.end(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
    () => socket.destroy(),
  )
}

const headProblems: Record<string, readonly [status: string, why: string] | undefined> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'the headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'the request did not arrive in time'],
}

function errorBody(message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', error: { code: -32600, message } })
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

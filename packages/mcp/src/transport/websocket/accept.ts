/**
 * Serves WebSockets on the listener of `serveHttp`: upgrades, limits, and one `ServerSession` for each socket.
 *
 * `check-upgrade.ts` checks Host, Origin and the guard before the socket is accepted. Counts sockets in all and of one caller, and
 * charges messages to the memory of the endpoint. Needs the package `ws`.
 */
import type { IncomingMessage, Server as HttpServer } from 'node:http'
import type { Server as HttpsServer } from 'node:https'
import type { Duplex } from 'node:stream'

import type { WebSocketServer } from 'ws'

import type { AuthInfo } from '../../rpc/auth-info.ts'
import { systemClock } from '../../rpc/clock.ts'
import { guardedReport } from '../../rpc/errors/on-error.ts'
import { RpcError } from '../../rpc/errors/rpc-error.ts'
import { networkMessageBytes, resolveServerLimits } from '../../rpc/limits.ts'
import { createMemoryBudget, MemoryShare, type MemoryBudget } from '../../rpc/memory-budget.ts'
import { shuttingDown, type DrainReport, drainAll } from '../../server/calls/calls-in-flight.ts'
import { internalError } from '../../server/calls/report-fault.ts'
import { definitionOf, type Server } from '../../server/server.ts'
import {
  serveDefinition,
  type ConnectionService,
  type ServeOptions,
  type Service,
} from '../../server/sessions/serve-connection.ts'
import { authorizationExpired, Authorizations } from '../http/admission/authorizations.ts'
import {
  createConcurrencyLimit,
  draining as noMoreSockets,
  openLimits,
  resolveSessionCaps,
  tooManySockets,
  type SessionCapsOption,
} from '../http/admission/capacity.ts'
import { HttpError } from '../http/admission/http-errors.ts'
import { publicUrl } from '../http/admission/public-options.ts'
import { createCallers, isAnonymous, type RequestCaller } from '../http/admitted-request.ts'
import { pathOf } from '../http/runtime/exchange.ts'
import { credentialsOf } from '../http/runtime/node.ts'
import {
  createUpgradeCheck,
  denial,
  type UpgradeDenial,
  type UpgradeOptions,
  type UpgradeRequest,
} from './check-upgrade.ts'
import { closeCodes, payloadBytes, type SocketLike, subprotocol } from './socket-like.ts'
import { openSocketChannel, type SocketChannel } from './transport.ts'

/** Which upgrades become sockets, and how those are served. */
export interface AcceptWebSocketsOptions extends ServeOptions, UpgradeOptions {
  /** @defaultValue '/mcp', or the path of `url` */
  readonly path?: string | undefined
  /** Open at once; further ones are refused with 503 or 429. @defaultValue 10_000 in all, 100 of one principal, a tenth of anonymous callers at one address */
  readonly maxSockets?: SessionCapsOption | undefined
  /** Time without a message before a ping frame; as much again before the socket is lost. 0 is never. @defaultValue 15_000 */
  readonly keepAliveMs?: number | undefined
  /** @defaultValue 5_000 */
  readonly drainMs?: number | undefined
}

/** Sockets being served. Draining closes them with 1001 and leaves the HTTP server to its owner. */
export interface WebSocketService extends Service {
  /** How many there are. */
  readonly sockets: number
  /** Their calls that are being worked on. */
  readonly inFlight: number
  /** Resolves when upgrades can be accepted; rejects when the package `ws` is missing. */
  readonly ready: Promise<void>
}

/** Accepts WebSocket upgrades on one path of an HTTP server, and serves each socket. Needs the package `ws`. */
export function acceptWebSockets<App>(
  httpServer: HttpServer | HttpsServer,
  server: Server<App, unknown>,
  options: AcceptWebSocketsOptions = {},
): WebSocketService {
  return acceptForQuota(httpServer, server, options, createSocketAccount(options))
}

/** Where nobody else serves the same callers. */
function createSocketAccount({ limits, auth }: AcceptWebSocketsOptions): MemoryBudget {
  const resolved = resolveServerLimits({ messageBytes: networkMessageBytes, ...limits })
  return createMemoryBudget({
    ...resolved,
    isAnonymous,
    anonymousBytes: auth === undefined ? resolved.totalBytes : resolved.totalBytes / 2,
  })
}

/** The same beside an endpoint, which shares its account. */
export function acceptForQuota<App>(
  httpServer: HttpServer | HttpsServer,
  server: Server<App, unknown>,
  options: AcceptWebSocketsOptions,
  bytes: MemoryBudget,
): WebSocketService {
  const { drainMs = 5_000, keepAliveMs, clock = systemClock } = options
  const caps = resolveSessionCaps(options.maxSockets)
  const callers = createConcurrencyLimit(openLimits(caps, 'sockets', 'maxSockets'))
  const { messageBytes = networkMessageBytes, bufferedBytes } = options.limits ?? {}
  const resource = publicUrl(options)
  const { callerOf } = createCallers({ ...options, resource })
  const path = options.path ?? resource?.pathname ?? '/mcp'
  const onError = guardedReport(options.onError ?? definitionOf(server).settings.onError)
  const check = createUpgradeCheck(options)
  const authorizations = new Authorizations(options.auth, clock)
  const served = new Set<{ readonly channel: SocketChannel; readonly service: ConnectionService }>()
  let checking = 0
  let draining: Promise<DrainReport> | undefined
  let markClosed = (): void => {}
  const closed = new Promise<void>((resolve) => (markClosed = resolve))

  const loading = loadUpgrader(payloadBytes(messageBytes))
  loading.catch((error) => onError(error, { severity: 'error', operation: 'websocket' }))

  function onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (pathOf({ target: request.url ?? '/' }) === path) return void accept(request, socket, head)
    // Another path may be another listener's; if there is none, nobody else will answer.
    const isAlone = httpServer.listenerCount('upgrade') === 1
    if (isAlone) denyUpgrade(socket, denial(404, invalid(`WebSockets are accepted at ${path}`)))
  }

  async function accept(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => {}) // it may break while it is being checked
    const rejection = busy()
    if (rejection) return denyUpgrade(socket, rejection)
    checking += 1
    try {
      const upgrade = readRequest(request)
      const decision = await check(upgrade)
      const upgrader = await loading
      const denied = decision.kind === 'deny' ? decision : draining && denialOf(noMoreSockets())
      if (denied?.cause !== undefined) {
        onError(denied.cause, { severity: 'error', operation: 'authorization' })
      }
      if (denied) return denyUpgrade(socket, denied)
      const { auth } = decision as { readonly auth?: AuthInfo } // not denied
      if (socket.destroyed) return
      const caller = callerOf(upgrade, auth)
      callers.enter(caller.quotaKey, 1)
      let leave = (): void => callers.leave(caller.quotaKey, 1)
      upgrader.handleUpgrade(request, socket, head, (opened) => {
        serve(opened, request, caller, leave)
        leave = () => {} // when it is over
      })
      leave() // what is no handshake has been refused
    } catch (error) {
      if (error instanceof HttpError) {
        return denyUpgrade(socket, denialOf(error))
      }
      onError(error, { severity: 'error', operation: 'websocket' })
      denyUpgrade(socket, denial(500, internalError()))
    } finally {
      checking -= 1
    }
  }

  function busy(): UpgradeDenial | undefined {
    if (draining) return denialOf(noMoreSockets())
    const { total } = caps
    if (served.size + checking < total) return undefined
    return denialOf(tooManySockets(total))
  }

  function serve(
    opened: SocketLike,
    request: IncomingMessage,
    { auth, quotaKey, authorize }: RequestCaller,
    leave: () => void,
  ): void {
    const { socket } = request
    const [arriving, waiting] = [new MemoryShare(bytes, quotaKey), new MemoryShare(bytes, quotaKey)]
    const channel = openSocketChannel(opened, {
      keepAliveMs,
      messageBytes,
      bufferedBytes,
      clock,
      peer: `websocket from ${socket.remoteAddress ?? 'an unknown address'}`,
      bytesRead: () => socket.bytesRead,
      waiting,
    })
    // A message is with `ws` until all of it has arrived.
    socket.on('data', (chunk: Buffer) => {
      const rejection = arriving.reserve(chunk.length)
      if (rejection) channel.cut(rejection.message)
    })
    opened.addEventListener('message', () => arriving.resize(0))
    opened.on?.('ping', () => void arriving.resize(0))
    opened.on?.('pong', () => void arriving.resize(0))
    const { target, header } = readRequest(request)
    const service = serveDefinition(definitionOf(server), channel.transport, {
      ...options,
      auth,
      authorize,
      bytes: { quotaKey: bytes, caller: quotaKey },
      http: { url: target, header: (name) => header(name.toLowerCase()) },
    })
    const entry = { channel, service }
    served.add(entry)
    const end = (why: string): void => {
      channel.closeAs(closeCodes.policyViolation, why)
      void service.drain()
    }
    const authorization = authorizations.watch(auth, () => end(authorizationExpired))
    const gracePeriod = clock.setTimer(() => {
      if (!channel.isUsed) end(`no message arrived within ${firstMessageMs} ms`)
    }, firstMessageMs)
    void service.closed.then(() => {
      authorization[Symbol.dispose]()
      gracePeriod[Symbol.dispose]()
      served.delete(entry)
      arriving.close()
      waiting.close()
      leave()
    })
  }

  async function drain(deadlineMs: number): Promise<DrainReport> {
    const entries = [...served]
    for (const { channel } of entries) {
      channel.closeAs(closeCodes.goingAway, shuttingDown)
    }
    const report = await drainAll(entries.map(({ service }) => service.drain({ deadlineMs })))
    httpServer.off('upgrade', onUpgrade)
    authorizations[Symbol.dispose]()
    markClosed()
    return report
  }

  httpServer.on('upgrade', onUpgrade)
  httpServer.once('close', () => markClosed()) // which waits for every connection

  const service: WebSocketService = {
    get sockets() {
      return served.size
    },
    get inFlight() {
      return [...served].reduce((sum, { service: peer }) => sum + peer.inFlight, 0)
    },
    ready: loading.then(() => {}),
    closed,
    drain: ({ deadlineMs = drainMs } = {}) =>
      (draining ??= Promise.resolve(deadlineMs).then(drain)),
    [Symbol.asyncDispose]: async () => void (await service.drain()),
  }
  service.ready.catch(() => {}) // reported above, for who does not wait for it
  return service
}

/** A socket without a message is closed after this long. */
const firstMessageMs = 30_000

function invalid(message: string): RpcError {
  return new RpcError('invalid_request', message)
}

function denialOf({ status, error, headers }: HttpError): UpgradeDenial {
  return denial(status, error, headers)
}

/** Answers an upgrade request over its bare connection, and ends it. */
function denyUpgrade(socket: Duplex, { status, headers, body }: UpgradeDenial): void {
  if (!socket.writable) return void socket.destroy()
  const fields = {
    ...headers,
    connection: 'close',
    'content-length': String(Buffer.byteLength(body)),
  }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`)
  socket.once('finish', () => socket.destroy())
  socket.end(
    `HTTP/1.1 ${status} ${phrases[status] ?? 'Refused'}\r\n${lines.join('\r\n')}\r\n\r\n${body}`,
  )
}

const phrases: { readonly [status: number]: string } = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  426: 'Upgrade Required',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}

/** Loads the server of `ws`, without a port of its own, to turn upgrade requests into sockets. */
async function loadUpgrader(maxPayload: number): Promise<WebSocketServer> {
  const { loadWs } = await import('#ws')
  const ws = await loadWs()
  return new ws.WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload,
    handleProtocols: (offered) => offered.has(subprotocol) && subprotocol,
  })
}

/** The request as the checks want it. */
function readRequest(request: IncomingMessage): UpgradeRequest {
  const { url = '/', headers, socket } = request
  return {
    target: url,
    header(name: string): string | undefined {
      const lower = name.toLowerCase()
      const value = lower === 'authorization' ? credentialsOf(request) : headers[lower]
      return Array.isArray(value) ? value.join(', ') : value
    },
    remoteAddress: socket.remoteAddress,
  }
}

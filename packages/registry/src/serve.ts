/**
 * A registry on a port of its own: how many connections and requests one caller may have, who stands behind a proxy, the page, the
 * paths that a balancer asks, and the end, at which writes that have begun are finished.
 *
 * What is asked is answered by `Registry.fetch`, which also limits how often a caller may ask. Callers are counted by the block that
 * their address is in, so that an IPv6 caller with many addresses is one.
 */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { createStaticFiles, guardHeaders, type StaticFiles } from '@parley/foundation/listener'
import { addressBlock, createTrustedProxies, type TrustedProxies } from '@parley/mcp/address'

import type { Registry } from './api/create-registry.ts'
import { Problem, problemResponse } from './api/problem.ts'
import { programPage } from './own-files.ts'

/** Where to listen, and for whom. */
export interface ServeRegistryOptions {
  /** 0 picks a free one. @defaultValue 0 */
  readonly port?: number | undefined
  /** @defaultValue '127.0.0.1' */
  readonly host?: string | undefined
  /** The folder of the page at `/`; false for none. @defaultValue the page that comes with the package */
  readonly page?: string | false | undefined
  /** Lets the page load icons from the addresses that publishers name, who then see who looks. @defaultValue false: initials stand for them */
  readonly icons?: boolean | undefined
  /** Addresses and ranges, such as `10.0.0.0/8`, whose `X-Forwarded-For` names the caller. @defaultValue none */
  readonly trustedProxies?: readonly string[] | undefined
  /** How long requests that have begun may take when the registry ends. @defaultValue 10_000 */
  readonly drainMs?: number | undefined
}

/** A registry that listens. Disposing of it finishes the writes that have begun. */
export interface ServedRegistry extends AsyncDisposable {
  /** Where clients find it, without the version. */
  readonly url: URL
}

/** Connections at once, of all and of one address. Those of trusted proxies count for all only. */
const maxConnections = 1_000
const maxConnectionsPerAddress = 100
/** Requests of one caller that are being answered, streams included. */
const maxRequestsPerAddress = 100

/** Listens on a port, until it is disposed of. The registry itself stays open. */
export async function serveRegistry(
  registry: Registry,
  options: ServeRegistryOptions = {},
): Promise<ServedRegistry> {
  const {
    port = 0,
    host = '127.0.0.1',
    page = programPage,
    icons = false,
    drainMs = 10_000,
  } = options
  const proxies = createTrustedProxies(options.trustedProxies)
  const server = createServer({ requestTimeout: 30_000, headersTimeout: 10_000 })
  server.maxConnections = maxConnections
  const connections = trackConnections(server, proxies)
  const inFlight = new Map<string, number>()
  const reading = new Set<AbortController>()
  let isDraining = false
  const files = page === false ? undefined : createStaticFiles(page)
  const headers = icons ? iconHeaders : guardHeaders
  server.on('request', (request, response) => {
    if (isDraining) response.setHeader('connection', 'close')
    response.once('finish', () => isDraining && request.socket.end())
    if (request.url === '/healthz') return writeText(response, 200, 'ok')
    if (request.url === '/readyz') return void answerReady(response)
    if (files === undefined || !asksForPage(request)) return respondToCaller(request, response)
    if (/^\/settings\.json(?:\?|$)/.test(request.url ?? '')) {
      const type = { 'content-type': 'application/json', 'cache-control': 'no-cache' }
      response.writeHead(200, { ...headers, ...type }).end(JSON.stringify({ icons }))
      return
    }
    void servePage(files, request, response, headers).then(
      (isThere) => isThere || respondToCaller(request, response),
    )
  })

  /** Streams and long polls keep a place for as long as they are open. */
  function respondToCaller(request: IncomingMessage, response: ServerResponse): void {
    const address = proxies.callerAddress(
      request.socket.remoteAddress,
      request.headersDistinct['x-forwarded-for']?.join(','),
    )
    const block = addressBlock(address ?? '')
    const count = inFlight.get(block) ?? 0
    if (count >= maxRequestsPerAddress) {
      const busy = new Problem(429, 'Too many requests at once: end some of them first.', {
        headers: { 'retry-after': '5' },
      })
      return void writeResponse(problemResponse(busy), request, response)
    }
    inFlight.set(block, count + 1)
    const aborted = new AbortController()
    const isReading = request.method === 'GET' || request.method === 'HEAD'
    if (isReading) reading.add(aborted)
    if (isReading && isDraining) aborted.abort()
    response.once('close', () => {
      aborted.abort()
      reading.delete(aborted)
      const left = (inFlight.get(block) ?? 1) - 1
      if (left > 0) inFlight.set(block, left)
      else inFlight.delete(block)
    })
    void answer(registry, request, response, { address, signal: aborted.signal })
  }

  async function answerReady(response: ServerResponse): Promise<void> {
    if (isDraining) return writeText(response, 503, 'draining')
    const { ok } = await registry.fetch(new Request('http://localhost/v0.1/health'))
    writeText(response, ok ? 200 : 503, ok ? 'ready' : 'the database cannot be used')
  }

  async function drain(): Promise<void> {
    isDraining = true
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    for (const controller of reading) controller.abort() // ends streams and long polls; other reads do not listen to it
    server.closeIdleConnections()
    // Clients open connections ahead of need; Node takes one that has asked nothing yet for busy.
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy()
    const late = setTimeout(() => server.closeAllConnections(), drainMs)
    await closed
    clearTimeout(late)
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const address = server.address()
  const boundPort = typeof address === 'object' && address !== null ? address.port : port
  let draining: Promise<void> | undefined
  return {
    url: new URL(`http://${host.includes(':') ? `[${host}]` : host}:${boundPort}`),
    [Symbol.asyncDispose]: () => (draining ??= drain()),
  }
}

/** All open connections. One address that has opened too many gets no further one, whether it asks anything or not. */
function trackConnections(server: Server, proxies: TrustedProxies): ReadonlySet<Socket> {
  const connections = new Set<Socket>()
  const perAddress = new Map<string, number>()
  server.on('connection', (socket) => {
    const { remoteAddress } = socket
    const block = addressBlock(remoteAddress ?? '')
    const count = perAddress.get(block) ?? 0
    if (count >= maxConnectionsPerAddress && !proxies.isTrusted(remoteAddress)) {
      socket.destroy()
      return
    }
    perAddress.set(block, count + 1)
    connections.add(socket)
    socket.once('close', () => {
      connections.delete(socket)
      const left = (perAddress.get(block) ?? 1) - 1
      if (left > 0) perAddress.set(block, left)
      else perAddress.delete(block)
    })
  })
  return connections
}

function writeText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain', 'cache-control': 'no-store' })
  response.end(text)
}

/** Everything else is the API's. */
function asksForPage({ method, url = '/' }: IncomingMessage): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  return /^\/(?:assets\/[\w.-]+|icon\.svg|scheme\.js|settings\.json)?(?:\?|$)/.test(url)
}

/** Pictures of any host, and of no other kind: they need not say that they may be shown here. */
const { 'cross-origin-embedder-policy': _, ...others } = guardHeaders
const iconHeaders = {
  ...others,
  'content-security-policy': (guardHeaders['content-security-policy'] ?? '').replace(
    "img-src 'self' data: blob:",
    "img-src 'self' data: blob: https:",
  ),
}

/** Answers with a file of the page; false if there is none, and the registry says so. */
async function servePage(
  files: StaticFiles,
  request: IncomingMessage,
  response: ServerResponse,
  guards: typeof guardHeaders,
): Promise<boolean> {
  const { method, url = '/', headers } = request
  const [path = '/'] = url.split('?', 1)
  const file = await files.find(path, headers['accept-encoding'] ?? '').catch(() => undefined)
  if (file === undefined) return false
  const isKnown = headers['if-none-match'] === file.etag
  response.writeHead(isKnown ? 304 : 200, { ...guards, ...file.headers })
  response.end(isKnown || method === 'HEAD' ? undefined : file.body)
  return true
}

async function answer(
  registry: Registry,
  request: IncomingMessage,
  response: ServerResponse,
  { address, signal }: { readonly address: string | undefined; readonly signal: AbortSignal },
): Promise<void> {
  try {
    const outcome = await registry.fetch(toRequest(request, signal), { address })
    await writeResponse(outcome, request, response)
  } catch {
    // A request that is none, or somebody who has gone: there is nobody to tell more.
    if (!response.headersSent) response.writeHead(400)
    response.end()
  }
}

async function writeResponse(
  outcome: Response,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const headers = Object.fromEntries(outcome.headers)
  // A body that was not read must not be taken for the next request.
  response.writeHead(
    outcome.status,
    request.complete ? headers : { ...headers, connection: 'close' },
  )
  if (outcome.body === null) return void response.end()
  // A stream may have nothing to tell for a while; its reader wants to know that it is open.
  if (outcome.headers.get('content-type') === 'text/event-stream') response.flushHeaders()
  await pipeline(Readable.fromWeb(outcome.body), response)
}

function toRequest(request: IncomingMessage, signal: AbortSignal): Request {
  const { method = 'GET', url = '/' } = request
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(request.headersDistinct)) {
    for (const value of values) headers.append(name, value)
  }
  const target = new URL(
    url.replace(/^[a-z]+:\/\/[^/]*/i, '').replace(/^\/*/, '/'),
    'http://registry.invalid',
  )
  const hasBody = method !== 'GET' && method !== 'HEAD'
  return new Request(target, {
    method,
    headers,
    signal,
    ...(hasBody && { body: Readable.toWeb(request) as ReadableStream, duplex: 'half' }), // one and the same at run time
  })
}

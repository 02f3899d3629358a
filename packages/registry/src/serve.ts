import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'

import { createStaticFiles, guardHeaders, type StaticFiles } from '@parley/foundation/listener'

import type { Registry } from './api/create-registry.ts'

/** Where to listen. */
export interface ServeRegistryOptions {
  /** 0 picks a free one. @defaultValue 0 */
  readonly port?: number | undefined
  /** @defaultValue '127.0.0.1' */
  readonly host?: string | undefined
  /** The folder of the page at `/`; false for none. @defaultValue the page that comes with the package */
  readonly page?: string | false | undefined
  /** Lets the page load icons from the addresses that publishers name, who then see who looks. @defaultValue false: initials stand for them */
  readonly icons?: boolean | undefined
}

/** A registry that listens. */
export interface ServedRegistry extends AsyncDisposable {
  /** Where clients find it, without the version. */
  readonly url: URL
}

const ownPage = fileURLToPath(new URL('../dist/page', import.meta.url))

/** Connections at once. */
const maxConnections = 1_000

/** Listens on a port, until it is disposed of. The registry itself stays open. */
export async function serveRegistry(
  registry: Registry,
  { port = 0, host = '127.0.0.1', page = ownPage, icons = false }: ServeRegistryOptions = {},
): Promise<ServedRegistry> {
  const server = createServer({ requestTimeout: 30_000, headersTimeout: 10_000 })
  server.maxConnections = maxConnections
  const files = page === false ? undefined : createStaticFiles(page)
  const headers = icons ? iconHeaders : guardHeaders
  server.on('request', (request, response) => {
    if (files === undefined || !asksForPage(request)) {
      void answer(registry, request, response)
      return
    }
    if (/^\/settings\.json(?:\?|$)/.test(request.url ?? '')) {
      const type = { 'content-type': 'application/json', 'cache-control': 'no-cache' }
      response.writeHead(200, { ...headers, ...type }).end(JSON.stringify({ icons }))
      return
    }
    void answerPage(files, request, response, headers).then(
      (isThere) => isThere || void answer(registry, request, response),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const address = server.address()
  const taken = typeof address === 'object' && address !== null ? address.port : port
  return {
    url: new URL(`http://${host.includes(':') ? `[${host}]` : host}:${taken}`),
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
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
async function answerPage(
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
): Promise<void> {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  try {
    const address = request.socket.remoteAddress
    const answered = await registry.fetch(toRequest(request, gone.signal), { address })
    const headers = Object.fromEntries(answered.headers)
    // A body that was not read must not be taken for the next request.
    response.writeHead(
      answered.status,
      request.complete ? headers : { ...headers, connection: 'close' },
    )
    if (answered.body === null) response.end()
    else await pipeline(Readable.fromWeb(answered.body), response)
  } catch {
    // A request that is none, or somebody who has gone: there is nobody to tell more.
    if (!response.headersSent) response.writeHead(400)
    response.end()
  }
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

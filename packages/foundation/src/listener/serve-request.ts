import type { IncomingMessage, ServerResponse } from 'node:http'

import { keyHeader, type Access } from './access.ts'
import type { Guard } from './guard.ts'
import { framingHeaders, guardHeaders } from './headers.ts'
import { readJsonBody } from './json-body.ts'
import type { ListenerApp } from './options.ts'
import { reject, type Rejection } from './refusal.ts'
import type { StaticFiles } from './static-files.ts'

export interface ServeContext {
  readonly app: ListenerApp
  readonly guard: Guard
  readonly access: Access
  readonly files: StaticFiles | undefined
  /** Begins and ends with a slash. */
  readonly basePath: string
  readonly isSecure: boolean
  readonly bodyBytes: number
  /** For programs: a link that lets one browser in. */
  readonly createEntryUrl: () => URL
}

/** The request, without the base path. */
export interface PreparedRequest {
  readonly path: string
  readonly query: URLSearchParams
}

/** Answers one request, or refuses it. */
export async function serveRequest(
  request: IncomingMessage,
  response: ServerResponse,
  parts: ServeContext,
): Promise<void> {
  setHeaders(response, guardHeaders)
  const rejection = parts.guard.checkCaller(request)
  if (rejection !== undefined) return sendRejection(response, rejection)
  const sandbox = sandboxOrigin(request, parts)
  if (sandbox !== undefined) setHeaders(response, framingHeaders(sandbox))
  const path = readPath(request, parts.basePath)
  if (path === undefined) return redirectOrMissing(request, response, parts.basePath)
  const { method = '' } = request
  if (!['GET', 'HEAD', 'POST'].includes(method)) {
    return sendRejection(
      response,
      reject(405, 'method_refused', `the method ${method} is not allowed here`),
    )
  }
  if (path.path.startsWith('/api/')) return serveApi(request, response, path, parts)
  if (method === 'POST') return sendRejection(response, missing())
  return serveFile(request, response, path.path, parts.files)
}

function setHeaders(response: ServerResponse, headers: { readonly [name: string]: string }): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
}

/** The sandbox as this browser reaches it: by the name it reaches us by, which has been checked. */
function sandboxOrigin(
  { headers }: IncomingMessage,
  { app: { framePort }, isSecure }: ServeContext,
): string | undefined {
  if (framePort === undefined) return undefined
  const url = new URL(`${isSecure ? 'https' : 'http'}://${headers.host}`)
  url.port = String(framePort)
  return url.origin
}

/** Undefined for what is not below the base path, or no path at all. */
export function readPath(
  { url = '' }: IncomingMessage,
  basePath: string,
): PreparedRequest | undefined {
  if (!url.startsWith(basePath) || url.startsWith('//')) return undefined
  const [path = '', ...query] = url.slice(basePath.length - 1).split('?')
  return { path, query: new URLSearchParams(query.join('?')) }
}

async function serveApi(
  request: IncomingMessage,
  response: ServerResponse,
  { path, query }: PreparedRequest,
  parts: ServeContext,
): Promise<void> {
  const { method = '' } = request
  const route = `${method} ${path}`
  if (route === 'POST /api/enter') return enter(request, response, parts)
  const via = parts.guard.checkAccess(request)
  if (typeof via !== 'string') return sendRejection(response, via)
  const body = method === 'POST' ? await readJsonBody(request, parts.bodyBytes) : undefined
  if (body?.kind === 'refused') return sendRejection(response, body.rejection)
  switch (route) {
    case 'GET /api/session':
      return sendJson(response, 200, { ok: true })
    case 'POST /api/ticket':
      return sendJson(response, 200, { ticket: parts.access.createTicket() })
    case 'POST /api/entry':
      if (via !== 'bearer')
        return sendRejection(
          response,
          reject(403, 'not_for_pages', 'this address is for programs only'),
        )
      return sendJson(response, 200, { url: parts.createEntryUrl().href })
  }
  const { routes = {} } = parts.app
  const handle = Object.hasOwn(routes, route) ? routes[route] : undefined
  if (handle === undefined) return sendRejection(response, missing())
  const { status = 200, json } = await handle({ body: body?.value, query, via })
  sendJson(response, status, json)
}

/** Exchanges the secret of the fragment. A page of ours says so by its origin and by a header a form cannot have. */
async function enter(
  request: IncomingMessage,
  response: ServerResponse,
  { access, bodyBytes }: ServeContext,
): Promise<void> {
  const { origin, [keyHeader]: key } = request.headers
  if (origin === undefined || key === undefined) {
    return sendRejection(
      response,
      reject(403, 'foreign_origin', 'only our own page can sign in this way'),
    )
  }
  const body = await readJsonBody(request, Math.min(bodyBytes, 4096))
  if (body.kind === 'refused') return sendRejection(response, body.rejection)
  const { secret } = (body.value ?? {}) as { readonly secret?: unknown } // read, not trusted
  const entered = typeof secret === 'string' ? access.enter(secret) : undefined
  if (entered === undefined) {
    return sendRejection(
      response,
      reject(401, 'not_entered', 'that link has already been used, or is not valid'),
    )
  }
  response.setHeader('set-cookie', entered.cookie)
  sendJson(response, 200, { key: entered.key })
}

async function serveFile(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  files: StaticFiles | undefined,
): Promise<void> {
  const file = await files?.find(path, request.headers['accept-encoding'] ?? '')
  if (file === undefined) return sendRejection(response, missing())
  setHeaders(response, file.headers)
  if (request.headers['if-none-match'] === file.etag) {
    response.writeHead(304).end()
    return
  }
  response.writeHead(200, { 'content-length': file.body.length })
  response.end(request.method === 'HEAD' ? undefined : file.body)
}

function redirectOrMissing(
  { url = '', method }: IncomingMessage,
  response: ServerResponse,
  basePath: string,
): void {
  if (method !== 'GET' || `${url}/` !== basePath) return sendRejection(response, missing())
  response.writeHead(308, { location: basePath }).end()
}

function missing(): Rejection {
  return reject(404, 'not_found', 'not found')
}

/** Whatever is left of the request is not read. */
export function sendRejection(response: ServerResponse, rejection: Rejection): void {
  const { status, ...problem } = rejection
  if (!response.req.complete) response.setHeader('connection', 'close')
  sendJson(response, status, { error: problem })
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  const text = JSON.stringify(value)
  response.writeHead(status, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'content-length': Buffer.byteLength(text),
  })
  response.end(response.req.method === 'HEAD' ? undefined : text)
}

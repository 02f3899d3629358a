import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'

import { parseUrl } from '@parley/mcp/address'
import { appContentPolicy, readAppCsp } from '@parley/mcp/apps'

import { readBinding } from '../listener/addresses.ts'
import { createAllowance, defaultLimits } from '../listener/limits.ts'
import { createNames } from '../listener/names.ts'
import type { ListenerOptions } from '../listener/options.ts'
import { sandboxDocument } from './sandbox-document.ts'

/** Where the sandbox listens, and for which page. */
export interface AppSandboxOptions extends Pick<
  ListenerOptions,
  'host' | 'port' | 'allowRemote' | 'allowedHosts' | 'tls'
> {
  /** The port of the page that may show the sandbox; asked for with each request. */
  readonly pagePort: () => number
}

/** A sandbox in use. */
export interface AppSandbox extends AsyncDisposable {
  /** For `framePort` of a listener, and for the page. */
  readonly port: number
  /** Ends the listener of the sandbox. */
  close(): Promise<void>
}

/**
 * Opens a second port, and with it a second origin, for apps of servers. It answers with one document, which only the page
 * of this program may show. It has no secrets, no cookies and no other address.
 */
export async function startAppSandbox(options: AppSandboxOptions): Promise<AppSandbox> {
  const { host = '127.0.0.1', port: wanted = 0, allowedHosts = [], tls, allowRemote } = options
  const binding = readBinding(host)
  if (binding.reach !== 'loopback' && !allowRemote) {
    throw new TypeError(
      `${JSON.stringify(host)} can be reached from other machines: add --allow-remote to listen there`,
    )
  }
  const server = createServer(tls)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port: wanted, host: binding.address, ipv6Only: false }, resolve)
  })
  const { port } = server.address() as AddressInfo // it listens on a port, not on a pipe
  const isSecure = tls !== undefined
  const address = binding.reach === 'everywhere' ? undefined : binding.address
  const names = createNames({ port, address, allowedHosts, isSecure })
  const hasCapacity = createAllowance(defaultLimits.burst, defaultLimits.perSecond)
  const scheme = isSecure ? 'https' : 'http'

  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!hasCapacity()) return rejectWith(response, 429)
    if (!names.isOurHost(request.headers.host)) return rejectWith(response, 403)
    const url = parseUrl(`${scheme}://${request.headers.host}${request.url}`)
    if (url === undefined || url.pathname !== '/') return rejectWith(response, 404)
    if (request.method !== 'GET' && request.method !== 'HEAD') return rejectWith(response, 405)
    const declared = parse(url.searchParams.get('csp') ?? '{}')
    if (declared === undefined) return rejectWith(response, 400)
    const page = `${scheme}://${url.hostname}:${options.pagePort()}`
    const { allowed } = readAppCsp(declared, ownOrigins(scheme, url, options.pagePort()))
    const policy = `${appContentPolicy(allowed)}; frame-ancestors ${page}`
    response.writeHead(200, { ...headers, 'content-security-policy': policy })
    response.end(request.method === 'HEAD' ? undefined : sandboxDocument(page))
  })
  async function close(): Promise<void> {
    const closed = new Promise((resolve) => server.close(resolve))
    server.closeAllConnections()
    await closed
  }
  return { port, close, [Symbol.asyncDispose]: close }
}

/** By every name that leads to this machine, since an app must reach neither. */
function ownOrigins(scheme: string, { hostname, port }: URL, pagePort: number): readonly string[] {
  return [hostname, 'localhost', '127.0.0.1'].flatMap((name) =>
    [port, pagePort].map((item) => `${scheme}://${name}:${item}`),
  )
}

function createServer(tls: AppSandboxOptions['tls']): Server {
  const settings = {
    maxHeaderSize: defaultLimits.headerBytes * 2, // the policy is in the address
    headersTimeout: defaultLimits.headersMs,
    requestTimeout: defaultLimits.requestMs,
    keepAliveTimeout: defaultLimits.idleMs,
  }
  const server = tls ? createHttpsServer({ ...settings, ...tls }) : createHttpServer(settings)
  server.maxConnections = defaultLimits.sockets
  return server
}

/** `origin-agent-cluster`: in a process of its own, although only its port differs from that of the page. */
const headers = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'cross-origin-resource-policy': 'cross-origin',
  'origin-agent-cluster': '?1',
  'permissions-policy':
    'camera=(), microphone=(), geolocation=(), clipboard-read=(), clipboard-write=(), usb=(), serial=(), display-capture=(), payment=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
}

function rejectWith(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-type': 'text/plain', 'cache-control': 'no-store' }).end()
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

import type { Client } from '../client/client.ts'
import type { TransportLink } from '../client/connection/transport-link.ts'
import { createClient, type ClientTarget } from '../client/create-client.ts'
import type { ConnectOptions } from '../client/options.ts'
import type { ServerEntry, UrlEntry } from '../client/server-entry.ts'
import { parseUrl } from '../rpc/address/parse-url.ts'
import { McpError } from '../rpc/errors/mcp-error.ts'
import type { Transport } from '../rpc/transport.ts'
import type { AnyTools, ToolMap } from '../schema/tools.ts'
import type { Server } from '../server/server.ts'

/**
 * Connects to a URL, an entry of a configuration file (or a command), a transport, or a definition in this process, whose
 * `features` type the client. Resolves when usable.
 */
export function connect<Tools extends ToolMap<Tools> = AnyTools>(
  target: string | URL | ServerEntry | Transport | LocalServer<Tools>,
  options?: ConnectOptions,
): Promise<Client<Tools>>
export async function connect(
  target: string | URL | ServerEntry | Transport | LocalServer<unknown>,
  options: ConnectOptions = {},
): Promise<Client> {
  const entry = urlEntryOf(target)
  if (entry === undefined) {
    const { openerOf, commandName } = await import('./connect-local.ts')
    return createClient(openerOf(target, options), options, { name: commandName(target) })
  }
  const { reconnect = true } = options
  const full = { ...options, reconnect }
  return createClient(urlOpener(entry, full), full, urlNames(entry))
}

/** The result of `createServer`, whatever its `app`. */
export type LocalServer<Tools> = Pick<Server<unknown, Tools>, '~definition' | '~serve' | '~tools'>

/** Never with credentials: names are kept, and shown. */
function urlNames(entry: UrlEntry): ClientTarget {
  const { origin, pathname, search } = checkUrl(entry)
  return { name: `${origin}${pathname}`, cacheName: `${origin}${pathname}${search}` }
}

/** The entry of a target that is an address; undefined for any other. */
export function urlEntryOf(target: unknown): UrlEntry | undefined {
  if (typeof target === 'string') return { url: target }
  if (target instanceof URL) return { url: target.href }
  const isEntry = typeof target === 'object' && target !== null && 'url' in target
  return isEntry && !('send' in target) && typeof target.url === 'string'
    ? (target as UrlEntry) // any other field is optional, and checked where it is used
    : undefined
}

/** How an address is opened, each time it has to be. */
export function urlOpener(
  entry: UrlEntry,
  options: ConnectOptions,
): (link: TransportLink) => Promise<Transport> {
  const url = checkUrl(entry)
  if (isWebSocket(url)) return () => openSocket(url, entry, options)
  const { reconnect, auth, fetch, limits, clock, onError } = options
  const type = entry.type === 'sse' ? 'sse' : entry.type === undefined ? undefined : 'http'
  return async (link) => {
    const { createHttpTransport } = await import('./http-client/http-transport.ts')
    return createHttpTransport(url, {
      type,
      headers: { ...entry.headers, ...options.headers },
      reconnect: reconnect === true ? {} : reconnect,
      auth,
      fetch,
      limits,
      clock,
      onError,
      link,
    })
  }
}

async function openSocket(
  url: URL,
  entry: UrlEntry,
  { limits, timeouts, signal, headers, clock, auth }: ConnectOptions,
): Promise<Transport> {
  const { openWebSocket } = await import('./websocket/open.ts')
  return openWebSocket(url, {
    headers: { ...entry.headers, ...headers },
    connectMs: timeouts?.connectMs,
    messageBytes: limits?.messageBytes,
    bufferedBytes: limits?.bufferedBytes,
    signal,
    clock,
    auth,
  })
}

function isWebSocket({ protocol }: URL): boolean {
  return protocol === 'ws:' || protocol === 'wss:'
}

function checkUrl({ url, type }: UrlEntry): URL {
  const parsed = parseUrl(url)
  if (parsed && isWebSocket(parsed) && (type === undefined || type === 'ws')) return parsed
  if (parsed && /^https?:$/.test(parsed.protocol) && type !== 'ws') return parsed
  throw new McpError(
    'invalid_target',
    `${JSON.stringify(url)} is not a URL${type === undefined ? '' : ` for type ${type}`}: use http:, https:, ws: or wss:, or a command { command: 'node', args: ['server.js'] }`,
    { details: { target: url } },
  )
}

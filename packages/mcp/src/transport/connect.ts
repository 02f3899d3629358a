import type { Client } from '../client/client.ts'
import { createClient, type ClientTarget } from '../client/create-client.ts'
import type { ConnectOptions } from '../client/options.ts'
import type { CommandEntry, ServerEntry, UrlEntry } from '../client/server-entry.ts'
import type { TransportLink } from '../client/transport-link.ts'
import { McpError } from '../rpc/mcp-error.ts'
import type { Transport } from '../rpc/transport.ts'
import type { AnyTools, ToolMap } from '../schema/tool-map.ts'
import type { Server } from '../server/server.ts'

/** Connects to a definition in this process; no bytes are made. Its `features` type the client. */
export function connect<App, Tools extends ToolMap<Tools>>(
  server: Server<App, Tools>,
  options?: ConnectOptions,
): Promise<Client<Tools>>
/** Connects to a URL, an entry of a configuration file (or a command), or a transport. Resolves when usable. */
export function connect<Tools extends ToolMap<Tools> = AnyTools>(
  target: string | URL | ServerEntry | Transport,
  options?: ConnectOptions,
): Promise<Client<Tools>>
export async function connect(
  target: string | URL | ServerEntry | Transport | Server,
  options: ConnectOptions = {},
): Promise<Client> {
  const entry = urlEntryOf(target)
  if (entry === undefined) {
    return createClient(opener(target, options), options, { name: commandName(target) })
  }
  const { reconnect = true } = options
  const full = { ...options, reconnect }
  return createClient(urlOpener(entry, full), full, urlNames(entry))
}

/** A command is the same server if it is called in the same way; what it answers may still depend on who calls. */
function commandName(target: unknown): string | undefined {
  if (typeof target !== 'object' || target === null || !('command' in target)) return undefined
  const { command, args = [] } = target as CommandEntry // the one member others lack
  return JSON.stringify([command, args])
}

/** Never with credentials: names are kept, and shown. */
function urlNames(entry: UrlEntry): ClientTarget {
  const { origin, pathname, search } = checkUrl(entry)
  return { name: `${origin}${pathname}`, cacheName: `${origin}${pathname}${search}` }
}

function urlEntryOf(target: unknown): UrlEntry | undefined {
  if (typeof target === 'string') return { url: target }
  if (target instanceof URL) return { url: target.href }
  const isEntry = typeof target === 'object' && target !== null && 'url' in target
  return isEntry && !('send' in target) && typeof target.url === 'string'
    ? (target as UrlEntry) // any other field is optional, and checked where it is used
    : undefined
}

/** How a target is opened, each time it has to be. */
function opener(target: unknown, options: ConnectOptions): () => Transport | Promise<Transport> {
  if (typeof target !== 'object' || target === null) throw noTarget(target)
  if ('~serve' in target) return () => serveInProcess(target as Server, options) // its mark
  if ('send' in target) return once(target as Transport) // the one member others lack
  if ('command' in target) return () => spawn(target as CommandEntry, options) // the same
  throw noTarget(target)
}

/** How an address is opened, each time it has to be. */
function urlOpener(
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
  const { openWebSocket } = await import('./websocket/open-websocket.ts')
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
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed && isWebSocket(parsed) && (type === undefined || type === 'ws')) return parsed
  if (parsed && /^https?:$/.test(parsed.protocol) && type !== 'ws') return parsed
  throw new McpError(
    'invalid_target',
    `${JSON.stringify(url)} is no URL ${type === undefined ? 'to connect to' : `for type ${type}`}: use http:, https:, ws: or wss:; a command is written { command: 'node', args: ['server.js'] }`,
    { details: { target: url } },
  )
}

function noTarget(target: unknown): McpError {
  return new McpError(
    'invalid_target',
    'connect() takes a URL, a server, a transport, or { command, args }',
    { details: { target: JSON.stringify(target) ?? String(target) } },
  )
}

async function serveInProcess(
  server: Server,
  { clock, limits }: ConnectOptions,
): Promise<Transport> {
  const { createTransportPair } = await import('./memory.ts')
  const [ours, theirs] = createTransportPair()
  server['~serve'](theirs, { clock, limits })
  return { ...ours, peer: server.info.name }
}

/** A transport cannot be opened twice. */
function once(transport: Transport): () => Transport {
  let isUsed = false
  return () => {
    if (isUsed) {
      throw new McpError('closed', 'a transport cannot be opened again', { details: undefined })
    }
    isUsed = true
    return transport
  }
}

async function spawn(entry: CommandEntry, options: ConnectOptions): Promise<Transport> {
  const { spawnTransport } = await import('#child-process')
  return spawnTransport(entry, {
    onStderr: options.onStderr,
    onError: options.onError,
    messageBytes: options.limits?.messageBytes,
    bufferedBytes: options.limits?.bufferedBytes,
  })
}

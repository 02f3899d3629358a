import type { ClientAuth } from '../../client/client-auth.ts'
import { parseUrl } from '../../rpc/address/parse-url.ts'
import { McpError } from '../../rpc/errors/mcp-error.ts'
import { defaultLimits } from '../../rpc/limits.ts'
import { systemClock } from '../../rpc/time/clock.ts'
import type { Transport } from '../../rpc/transport.ts'
import { authorizeSocket, type OpenSocket } from './authorize-socket.ts'
import { refused, unreachable, type HandshakeResponse } from './handshake-error.ts'
import { payloadBytes, subprotocol, type SocketLike } from './socket-like.ts'
import { createWebSocketTransport, type WebSocketOptions } from './websocket-transport.ts'

/** How a server is reached, and what may be on its way. */
export interface OpenWebSocketOptions extends WebSocketOptions {
  /** Sent with the handshake, on Node only: a web page cannot. */
  readonly headers?: { readonly [name: string]: string } | undefined
  /** Signs in, as over HTTP; on Node only, as `headers`. */
  readonly auth?: ClientAuth | undefined
  /** Of one message that arrives. @defaultValue 64 MiB */
  readonly messageBytes?: number | undefined
  /** @defaultValue 30_000 */
  readonly connectMs?: number | undefined
  /** Abandons connecting. */
  readonly signal?: AbortSignal | undefined
  /** @defaultValue the global one; on Node without one, and with headers or `auth`, the package `ws` */
  readonly WebSocket?: (new (url: string, protocols: string[]) => SocketLike) | undefined
}

/** Opens a socket to a server and speaks the subprotocol `mcp`. Resolves when it is open. */
export async function openWebSocket(
  url: string | URL,
  options: OpenWebSocketOptions = {},
): Promise<Transport> {
  const { headers = {}, connectMs = 30_000, signal, auth, WebSocket, ...rest } = options
  const { messageBytes = defaultLimits.messageBytes } = options
  const address = parseAddress(url)
  const peer = options.peer ?? `${address.protocol}//${address.host}${address.pathname}`
  const needsHeaders = auth !== undefined || Object.keys(headers).length > 0

  const open: OpenSocket = async (given, onRefused) => {
    signal?.throwIfAborted()
    const own = needsHeaders ? { ...headers, ...given } : undefined
    const socket = await createSocket(address.href, { headers: own, WebSocket, messageBytes })
    const transport = createWebSocketTransport(socket, { ...rest, messageBytes, peer })
    try {
      await opened(socket, peer, { connectMs, signal, onRefused })
      return transport
    } catch (error) {
      void transport[Symbol.asyncDispose]()
      throw error
    }
  }
  return auth ? authorizeSocket(address, { auth, peer, signal }, open) : open({}, () => undefined)
}

function parseAddress(url: string | URL): URL {
  const target = String(url)
  const address = parseUrl(target)
  if (address && /^wss?:$/.test(address.protocol) && address.hash === '') return address
  throw new McpError('invalid_target', `${JSON.stringify(target)} is no ws: or wss: URL`, {
    details: { target },
  })
}

async function createSocket(
  url: string,
  options: Pick<OpenWebSocketOptions, 'headers' | 'WebSocket'> & { readonly messageBytes: number },
): Promise<SocketLike> {
  const { headers, messageBytes } = options
  const Socket = options.WebSocket ?? (headers ? undefined : globalSocket())
  if (Socket) return new Socket(url, [subprotocol])
  const { WebSocket } = await import('#ws').then(({ loadWs }) => loadWs())
  return new WebSocket(url, [subprotocol], {
    headers: headers ?? {},
    maxPayload: payloadBytes(messageBytes),
    perMessageDeflate: false,
  })
}

function globalSocket(): OpenWebSocketOptions['WebSocket'] {
  return (globalThis as { WebSocket?: OpenWebSocketOptions['WebSocket'] }).WebSocket // the standard's own
}

/** Rejects with what is known about why it did not open. */
function opened(
  socket: SocketLike,
  peer: string,
  {
    connectMs,
    signal,
    onRefused,
  }: {
    readonly connectMs: number
    readonly signal: AbortSignal | undefined
    readonly onRefused: (response: HandshakeResponse) => void
  },
): Promise<void> {
  let finish = (): void => {}
  const opening = new Promise<void>((resolve, reject) => {
    const onAbort = (): void => reject(signal?.reason)
    const timer = systemClock.setTimer(() => reject(tooSlow(peer, connectMs)), connectMs)
    finish = () => {
      timer[Symbol.dispose]()
      signal?.removeEventListener('abort', onAbort)
    }
    if (signal?.aborted) onAbort() // while `ws` was loaded
    signal?.addEventListener('abort', onAbort, { once: true })
    socket.addEventListener('open', () => resolve())
    socket.addEventListener('error', ({ error }) => reject(unreachable(peer, error)))
    socket.addEventListener('close', () => reject(unreachable(peer, undefined)))
    socket.on?.('unexpected-response', (_: unknown, response: HandshakeResponse) => {
      onRefused(response)
      void refused(peer, response).then(reject)
    })
  })
  return opening.finally(finish)
}

function tooSlow(peer: string, ms: number): McpError {
  return new McpError('timeout', `${peer} did not accept a WebSocket within ${ms} ms`, {
    details: { limit: 'connect', ms },
    peer,
    retryable: true,
  })
}

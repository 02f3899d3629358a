/**
 * Opens a WebSocket to a server: the client's side of the transport.
 *
 * Uses the `WebSocket` of the runtime, or the package `ws` on Node, with headers, a time limit and a clear error for what is not a
 * WebSocket address. What is sent over the socket is the business of `transport.ts`.
 */
import type { ClientAuth } from '../../client/client-auth.ts'
import { parseUrl } from '../../rpc/address/parse-url.ts'
import { systemClock } from '../../rpc/clock.ts'
import { McpError } from '../../rpc/errors/mcp-error.ts'
import { defaultLimits } from '../../rpc/limits.ts'
import type { Transport } from '../../rpc/transport.ts'
import { foreignPageOrigin, pageOriginHint } from '../http-client/request/page-origin.ts'
import { payloadBytes, subprotocol, type SocketLike } from './socket-like.ts'
import { createWebSocketTransport, type WebSocketOptions } from './transport.ts'

/** How a server is reached, and what may be on its way. */
export interface OpenWebSocketOptions extends WebSocketOptions {
  /** Sent with the handshake, on Node only: a web page cannot. */
  readonly headers?: { readonly [name: string]: string } | undefined
  /** Signs in, as over HTTP; on Node only, as `headers`. */
  readonly auth?: ClientAuth | undefined
  /** Limit for one message that arrives. @defaultValue 64 MiB */
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

  const open: OpenSocket = async (extraHeaders, onRejected) => {
    signal?.throwIfAborted()
    const own = needsHeaders ? { ...headers, ...extraHeaders } : undefined
    const socket = await createSocket(address.href, { headers: own, WebSocket, messageBytes })
    const transport = createWebSocketTransport(socket, { ...rest, messageBytes, peer })
    try {
      await opened(socket, peer, { connectMs, signal, onRejected })
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
  throw new McpError('invalid_target', `${JSON.stringify(target)} is not a ws: or wss: URL`, {
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
    onRejected,
  }: {
    readonly connectMs: number
    readonly signal: AbortSignal | undefined
    readonly onRejected: (response: HandshakeResponse) => void
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
      onRejected(response)
      void rejected(peer, response).then(reject)
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

/** How a socket is opened with headers; `onRejected` hears of an answer that is none. */
type OpenSocket = (
  headers: { readonly [name: string]: string },
  onRejected: (response: HandshakeResponse) => void,
) => Promise<Transport>

/** The most the handshake is repeated with other credentials, as over HTTP. */
const maxChallenges = 6

/** Opens a socket with credentials, and again with better ones when they are refused. */
async function authorizeSocket(
  address: URL,
  { auth, peer, signal }: { auth: ClientAuth; peer: string; signal: AbortSignal | undefined },
  open: OpenSocket,
): Promise<Transport> {
  const url = new URL(address)
  url.protocol = address.protocol === 'wss:' ? 'https:' : 'http:' // the handshake is an HTTP request
  const attempts = { 401: 0, 403: 0 }

  for (;;) {
    const authHeaders = await auth.authorize({ method: 'GET', url, server: url }).catch(fail)
    let rejectedResponse: HandshakeResponse | undefined
    try {
      return await open(authHeaders, (response) => (rejectedResponse = response))
    } catch (error) {
      const { statusCode: status, headers = {} } = rejectedResponse ?? {}
      if (status !== 401 && status !== 403) throw error
      const attempt = (attempts[status] += 1)
      if (attempts[401] + attempts[403] > maxChallenges) throw error
      const isSolved = await auth
        .challenged({
          status,
          url,
          server: url,
          wwwAuthenticate: textOf(headers['www-authenticate']),
          dpopNonce: textOf(headers['dpop-nonce']),
          given: authHeaders,
          attempt,
          signal: signal ?? new AbortController().signal,
        })
        .catch(fail)
      if (!isSolved) throw error
    }
  }

  function fail(cause: unknown): never {
    throw unauthorized(peer, { details: {}, cause })
  }
}

function textOf(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : header?.join(', ')
}

/** An HTTP answer instead of a socket, as `ws` gives it. */
interface HandshakeResponse extends AsyncIterable<Uint8Array> {
  readonly statusCode?: number
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined }
}

/** The server answered the handshake with something else than a socket. Reads the start of what it said. */
async function rejected(peer: string, response: HandshakeResponse): Promise<McpError> {
  const { statusCode: status = 0, headers } = response
  const excerpt = await readExcerpt(response)
  const challenge = headers['www-authenticate']
  if (status === 401 || (status === 403 && challenge !== undefined)) {
    const details = typeof challenge === 'string' ? { challenge } : {}
    const hint = 'Give connect() the option auth, or an Authorization header.'
    return unauthorized(peer, { details, hint })
  }
  const message = `${peer} answered the WebSocket handshake with HTTP ${status}`
  return new McpError('http_error', excerpt === '' ? message : `${message}: ${excerpt}`, {
    details: { status, excerpt },
    peer,
    retryable: status === 503,
    hint: takesNoSockets.has(status)
      ? 'It takes no WebSockets there. serveHttp takes the option websocket: true; else connect to the http: or https: URL.'
      : undefined,
  })
}

/** The server takes verified callers only. */
function unauthorized(
  peer: string,
  more: { details: { challenge?: string }; hint?: string; cause?: unknown },
): McpError {
  return new McpError('unauthorized', `${peer} requires authorization`, { ...more, peer })
}

/** How HTTP servers, ours too, answer an upgrade that they do not know. */
const takesNoSockets: ReadonlySet<number> = new Set([200, 400, 404, 405, 406, 426])

/** No answer at all, or none that is a handshake. */
function unreachable(peer: string, cause: unknown): McpError {
  const reason = cause instanceof Error ? cause.message : 'the connection was refused or lost'
  if (/subprotocol/i.test(reason)) {
    return new McpError('not_mcp', `${peer} does not speak the subprotocol mcp: ${reason}`, {
      details: { excerpt: reason },
      peer,
      cause,
    })
  }
  const systemCode = cause instanceof Error && 'code' in cause ? cause.code : undefined
  const origin = foreignPageOrigin(peer)
  const why = origin === undefined ? reason : `${reason}, or it does not allow pages of ${origin}`
  return new McpError('unreachable', `cannot open a WebSocket to ${peer}: ${why}`, {
    details: typeof systemCode === 'string' ? { systemCode } : {},
    peer,
    retryable: true,
    hint: origin === undefined ? undefined : pageOriginHint(origin),
    cause,
  })
}

const excerptBytes = 500

async function readExcerpt(body: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const chunk of body) {
      text += decoder.decode(chunk, { stream: true })
      if (text.length >= excerptBytes) break
    }
  } catch {
    // Data that was read before it broke is still the best explanation.
  }
  return text.slice(0, excerptBytes)
}

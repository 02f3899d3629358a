import { McpError } from '../../rpc/errors/mcp-error.ts'
import { foreignPageOrigin, pageOriginHint } from '../http-client/request/page-origin.ts'

/** An HTTP answer instead of a socket, as `ws` gives it. */
export interface HandshakeResponse extends AsyncIterable<Uint8Array> {
  readonly statusCode?: number
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined }
}

/** The server answered the handshake with something else than a socket. Reads the start of what it said. */
export async function refused(peer: string, response: HandshakeResponse): Promise<McpError> {
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
export function unauthorized(
  peer: string,
  more: { details: { challenge?: string }; hint?: string; cause?: unknown },
): McpError {
  return new McpError('unauthorized', `${peer} requires authorization`, { ...more, peer })
}

/** How HTTP servers, ours too, answer an upgrade that they do not know. */
const takesNoSockets: ReadonlySet<number> = new Set([200, 400, 404, 405, 406, 426])

/** No answer at all, or none that is a handshake. */
export function unreachable(peer: string, cause: unknown): McpError {
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
    // What was read before it broke is still the best we can say.
  }
  return text.slice(0, excerptBytes)
}

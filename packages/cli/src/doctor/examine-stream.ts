import { isLoopback } from '../probe/http-link.ts'
import type { Location } from './examine-http.ts'
import type { Session } from './examine-sessions.ts'
import { timeLimitOf, type Examining } from './examining.ts'
import { bad, good, passedOver, warning, type Step } from './step.ts'

const waitMs = 4_000

/** Whether an open stream reaches us at once, or is held back until it ends. */
export async function* examineStream(
  { url, headers }: Session,
  examining: Examining = {},
): AsyncGenerator<Step> {
  const title = 'streams'
  const ending = new AbortController()
  const timer = setTimeout(() => ending.abort(), examining.options?.timeoutMs ?? waitMs)
  try {
    const response = await fetch(url, {
      headers: { ...headers, accept: 'text/event-stream' },
      signal: ending.signal,
    })
    if (response.status === 405 || response.status === 400 || response.status === 404) {
      yield passedOver(title, 'the server does not offer one')
      return
    }
    yield judgeStream(title, response)
    yield judgeConnection(response)
  } catch {
    yield bad(
      title,
      `no event of an open stream arrives within ${timeLimitOf(waitMs, examining)}`,
      'A proxy holds it back until it ends: turn buffering off for this path (nginx: proxy_buffering off; or X-Accel-Buffering: no).',
    )
  } finally {
    clearTimeout(timer)
    ending.abort()
  }
}

function judgeStream(title: string, response: Response): Step {
  const type = response.headers.get('content-type') ?? ''
  if (!type.startsWith('text/event-stream')) {
    return bad(
      title,
      `GET answers ${type || 'no type'} (HTTP ${response.status})`,
      'Answer an event stream, or 405 [HGET-03].',
    )
  }
  const caching = response.headers.get('cache-control') ?? ''
  if (!/no-cache|no-store|no-transform/.test(caching)) {
    return warning(
      title,
      'Cache-Control allows caching or changing it',
      'Send Cache-Control: no-cache, no-transform, or caches and compressing proxies hold events back.',
    )
  }
  if (response.headers.get('content-encoding') !== null) {
    return warning(
      title,
      `it is compressed (${response.headers.get('content-encoding')})`,
      'Compression holds events back until a block is full: do not compress streams.',
    )
  }
  return good(title, 'events arrive as they are sent')
}

function judgeConnection(response: Response): Step {
  const title = 'keep-alive'
  return response.headers.get('connection') === 'close'
    ? warning(
        title,
        'every answer closes its connection',
        'Keep connections open: each new one costs a handshake, with TLS two.',
      )
    : good(title, 'connections are kept open')
}

/** Whether a web page could use it; most servers are not meant for that. */
export async function* examineBrowser(
  { url }: Location,
  { options = {} }: Examining = {},
): AsyncGenerator<Step> {
  const title = 'web pages (CORS)'
  const origin = 'https://parley-doctor.example'
  const response = await fetch(url, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type, mcp-session-id, mcp-protocol-version',
    },
    signal: AbortSignal.timeout(options.timeoutMs ?? 10_000),
  }).catch(() => undefined)
  const allowed = response?.headers.get('access-control-allow-origin')
  if (allowed === undefined || allowed === null) {
    yield good(title, 'pages of other origins are refused')
    return
  }
  const names = response?.headers.get('access-control-allow-headers')?.toLowerCase() ?? ''
  const isHalf = names !== '*' && !names.includes('mcp-session-id')
  if (isLoopback(url)) {
    yield bad(
      title,
      `pages of any origin may use it (${allowed})`,
      'A server on this machine that any web page can use is open to every site you visit: name the origins.',
    )
  } else if (isHalf) {
    yield warning(
      title,
      'pages are allowed, but may not send Mcp-Session-Id',
      'Add mcp-session-id, mcp-protocol-version, mcp-method and mcp-name to Access-Control-Allow-Headers, and expose Mcp-Session-Id.',
    )
  } else
    yield warning(
      title,
      `pages of ${allowed} may use it`,
      'This is fine if it is intended and every call needs a token.',
    )
}

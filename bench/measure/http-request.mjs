/** What a client sends with every request of a revision with sessions. */
export const sessionRevision = '2025-11-25'

/** The text of a POST. `headers` are those of the workload; `revision` is that of sessions unless it says otherwise. */
export function post(port, body, options = {}) {
  const { sessionId, revision = sessionRevision, headers = {}, path = '/mcp' } = options
  return `POST ${path} HTTP/1.1\r
host: 127.0.0.1:${port}\r
accept: application/json, text/event-stream\r
content-type: application/json\r
mcp-protocol-version: ${revision}\r
${linesOf(sessionId, headers)}content-length: ${Buffer.byteLength(body)}\r
\r
${body}`
}

/** The text of the request that ends a session, or with GET of the one that listens to it. */
export function bodiless(method, port, sessionId, headers = {}) {
  return `${method} /mcp HTTP/1.1\r
host: 127.0.0.1:${port}\r
accept: text/event-stream\r
mcp-protocol-version: ${sessionRevision}\r
${linesOf(sessionId, headers)}\r
`
}

/** The body of the notification that ends a handshake. */
export const initializedNotification = '{"jsonrpc":"2.0","method":"notifications/initialized"}'

function linesOf(sessionId, headers) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  if (sessionId !== undefined) lines.push(`mcp-session-id: ${sessionId}\r\n`)
  return lines.join('')
}

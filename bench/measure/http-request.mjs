const revision = '2025-06-18'

/** The text of a POST, as a client of revision 2025-06-18 sends it. */
export function post(port, body, sessionId) {
  return `POST /mcp HTTP/1.1\r
host: 127.0.0.1:${port}\r
accept: application/json, text/event-stream\r
content-type: application/json\r
mcp-protocol-version: ${revision}\r
${sessionLine(sessionId)}content-length: ${Buffer.byteLength(body)}\r
\r
${body}`
}

/** The text of the request that ends a session. */
export function endOf(port, sessionId) {
  return `DELETE /mcp HTTP/1.1\r
host: 127.0.0.1:${port}\r
mcp-protocol-version: ${revision}\r
${sessionLine(sessionId)}\r
`
}

/** The body of the notification that ends a handshake. */
export const initializedNotification = '{"jsonrpc":"2.0","method":"notifications/initialized"}'

function sessionLine(sessionId) {
  return sessionId === undefined ? '' : `mcp-session-id: ${sessionId}\r\n`
}

import { once } from 'node:events'
import { request, type IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:net'

/** Sends a request with any headers at all, and says what it was answered with. */
export function send(
  url: URL,
  headers: { readonly [name: string]: string | readonly string[] },
  { method = 'POST', path = url.pathname, body = initialize } = {},
): Promise<{
  readonly status: number
  readonly text: string
  readonly headers: IncomingHttpHeaders
}> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: url.hostname, port: url.port, method, path })
    for (const [name, value] of Object.entries({ ...usual, ...headers }))
      sent.setHeader(name, value)
    sent.on('error', reject)
    sent.on('response', (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += chunk.toString()))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text, headers: response.headers }),
      )
    })
    sent.end(method === 'GET' ? undefined : body)
  })
}

/** What every client sends. */
export const usual = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
}

/** Opens a session. */
export const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'raw', version: '1.0.0' },
  },
})

/** Ends of a request that two programs could read differently, each with a name. */
export function smuggled(key: string): readonly (readonly [string, string])[] {
  return [
    ['two lengths', 'content-length: 5\r\ncontent-length: 60\r\n\r\n{}'],
    [
      'a length and chunks',
      'content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nPOST /mcp HTTP/1.1\r\n\r\n',
    ],
    ['an obsolete fold', 'x-a: b\r\n c: d\r\ncontent-length: 2\r\n\r\n{}'],
    ['a bare line feed in a header', 'x-a: b\nx-api-key: key\r\ncontent-length: 2\r\n\r\n{}'],
    ['two credentials', `x-api-key: ${key}\r\nx-api-key: other\r\ncontent-length: 2\r\n\r\n{}`],
  ]
}

/** Sends a request that ends with these bytes; all that is heard until the server closes, which it does after a refusal. */
export async function answerToBytes(url: URL, rest: string): Promise<string> {
  const socket = connect(Number(url.port), url.hostname)
  let received = ''
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString()
    if (received.includes('\r\n\r\n')) socket.end()
  })
  socket.on('error', () => undefined) // it is told by close
  const start = Object.entries({ host: url.host, ...usual }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  socket.write(`POST ${url.pathname} HTTP/1.1\r\n${start.join('')}${rest}`)
  await once(socket, 'close')
  return received
}

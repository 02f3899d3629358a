// The least a correct HTTP server can do by hand: who asks, collect, parse, switch, stringify, one write with a length.
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'

import { announce, isStateless } from './announce.mjs'
import { answerMessage } from './floor.mjs'

const sessions = new Map()
let host

const server = createServer((request, response) => {
  const { method, headers } = request
  if (headers.host !== host || headers.origin !== undefined) finish(response, 403)
  else if (method === 'POST') collect(request, (text) => post(text, headers, response))
  else if (method === 'DELETE' && sessions.delete(headers['mcp-session-id'])) finish(response, 204)
  else finish(response, method === 'DELETE' ? 404 : 405)
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address()
  host = `127.0.0.1:${port}`
  announce(port)
})

function collect(request, onText) {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () =>
    onText((chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)).toString()),
  )
}

function post(text, headers, response) {
  let message
  try {
    message = JSON.parse(text)
  } catch {
    finish(response, 400)
    return
  }
  const isOpening = !isStateless && message.method === 'initialize'
  if (!isStateless && !isOpening && !sessions.has(headers['mcp-session-id'])) {
    finish(response, 404)
    return
  }
  const reply = answerMessage(message)
  if (reply === undefined) {
    finish(response, 202)
    return
  }
  const head = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(reply) }
  if (isOpening) head['mcp-session-id'] = openSession(message.params)
  response.writeHead(200, head).end(reply)
}

/** What a server must remember: what the client said, calls it may cancel, questions that it may answer. */
function openSession(hello) {
  const id = randomUUID()
  sessions.set(id, { hello, usedAt: Date.now(), calls: new Map(), questions: new Map() })
  return id
}

function finish(response, status) {
  response.writeHead(status, { 'content-length': 0 }).end()
}

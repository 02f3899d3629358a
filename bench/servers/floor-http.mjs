// The least a correct HTTP server can do by hand: who asks, collect, parse, switch, stringify, one write with a length.
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'

import { announce, isGuarded, isStateless } from './announce.mjs'
import { answerStandalone, isStandalone } from './floor-standalone.mjs'
import { answerMessage, progressOf } from './floor.mjs'
import { bearerToken } from './workload.mjs'

const sessions = new Map()
let host

const server = createServer((request, response) => {
  const { method, headers } = request
  if (headers.host !== host || headers.origin !== undefined) finish(response, 403)
  else if (isGuarded && headers.authorization !== `Bearer ${bearerToken}`) finish(response, 401)
  else if (method === 'GET') listen(headers, response)
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
  if (isStandalone(message)) {
    sendJson(response, answerStandalone(message, headers))
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
  if (message.params?.name === 'report') {
    response.writeHead(200, streamHead)
    for (const event of progressOf(message)) response.write(`data: ${event}\n\n`)
    response.end(`data: ${reply}\n\n`)
    return
  }
  sendJson(response, reply, isOpening ? { 'mcp-session-id': openSession(message.params) } : {})
}

function sendJson(response, text, more = {}) {
  const length = Buffer.byteLength(text)
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': length,
    ...more,
  })
  response.end(text)
}

const streamHead = { 'content-type': 'text/event-stream', 'cache-control': 'no-store' }

/** A stream that stays open, for what the server has to say by itself. */
function listen(headers, response) {
  const session = sessions.get(headers['mcp-session-id'])
  if (session === undefined) {
    finish(response, 404)
    return
  }
  session.listener = response
  response.writeHead(200, streamHead).flushHeaders()
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

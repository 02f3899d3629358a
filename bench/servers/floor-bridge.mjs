// The least a correct bridge can do by hand: who asks, collect, parse, a new id, one line; then the same back.
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { Agent, createServer, request as openRequest } from 'node:http'
import { execPath } from 'node:process'
import { createInterface } from 'node:readline'

import { announce } from './announce.mjs'
import { floorStdio, startFloorHttp } from './bridged-floor.mjs'

const sessions = new Set()
const waiting = new Map()
let lastId = 0
let host

const send = process.argv.includes('--http') ? await overHttp() : overStdio()
const server = createServer((incoming, response) => {
  const { method, headers } = incoming
  if (headers.host !== host || headers.origin !== undefined) finish(response, 403)
  else if (method === 'POST') collect(incoming, (text) => post(text, headers, response))
  else finish(response, 405)
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address()
  host = `127.0.0.1:${port}`
  announce(port)
})

function post(text, headers, response) {
  const message = JSON.parse(text)
  const isOpening = message.method === 'initialize'
  if (!isOpening && !sessions.has(headers['mcp-session-id'])) return finish(response, 404)
  const { id } = message
  if (id === undefined) {
    if (message.method !== 'notifications/initialized') send(message)
    return finish(response, 202)
  }
  message.id = ++lastId
  waiting.set(lastId, (answer) => {
    answer.id = id
    const session = isOpening ? { 'mcp-session-id': openSession() } : {}
    sendJson(response, JSON.stringify(answer), session)
  })
  send(message)
}

function resolve(answer) {
  const take = waiting.get(answer.id)
  waiting.delete(answer.id)
  take?.(answer)
}

function overStdio() {
  const child = spawn(execPath, [floorStdio], { stdio: ['pipe', 'pipe', 'inherit'] })
  createInterface({ input: child.stdout }).on('line', (line) => resolve(JSON.parse(line)))
  return (message) => child.stdin.write(`${JSON.stringify(message)}\n`)
}

async function overHttp() {
  const url = await startFloorHttp()
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  let session
  return (message) => {
    const body = JSON.stringify(message)
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'content-length': Buffer.byteLength(body),
      ...(session && { 'mcp-session-id': session }),
    }
    const outgoing = openRequest(url, { method: 'POST', agent, headers }, (answer) => {
      session ??= answer.headers['mcp-session-id']
      collect(answer, (text) => text && resolve(JSON.parse(text)))
    })
    outgoing.end(body)
  }
}

function collect(stream, onText) {
  const chunks = []
  stream.on('data', (chunk) => chunks.push(chunk))
  stream.on('end', () =>
    onText((chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)).toString()),
  )
}

function sendJson(response, text, more) {
  const length = Buffer.byteLength(text)
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': length,
    ...more,
  })
  response.end(text)
}

function openSession() {
  const id = randomUUID()
  sessions.add(id)
  return id
}

function finish(response, status) {
  response.writeHead(status, { 'content-length': 0 }).end()
}

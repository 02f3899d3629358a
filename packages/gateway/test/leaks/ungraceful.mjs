// Clients that never say goodbye, as bytes on sockets.
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

const initialize = message('initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'rude', version: '1.0.0' },
})
const call = message('tools/call', { name: 'wait', arguments: {}, _meta: { progressToken: 1 } })
const initialized = '{"jsonrpc":"2.0","method":"notifications/initialized"}'

/** How they leave. */
const ways = [leaveIdle, leaveInMidCall, leaveListening, leaveHalfOpen, leaveInMidRequest]

/** At once and without a pause, a fast machine would begin more calls than a server takes, before those of who left end. */
const crowd = 200
const crowdPauseMs = 1_500

/** So many sessions one after the other on `lanes` at once, each left in the next way. */
export async function misbehave(url, sessions, lanes = 16) {
  for (let begun = 0; begun < sessions; begun += crowd) {
    if (begun > 0) await wait(crowdPauseMs)
    await misbehaveAtOnce(url, Math.min(crowd, sessions - begun), lanes)
  }
}

async function misbehaveAtOnce(url, sessions, lanes) {
  let begun = 0
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      while (begun < sessions) {
        begun += 1
        await ways[begun % ways.length](new URL(url))
      }
    }),
  )
}

/** It opened a session, and that is the last one hears of it. */
async function leaveIdle(url) {
  const { socket } = await openSession(url)
  socket.destroy()
}

async function leaveInMidCall(url) {
  const { socket, id } = await openSession(url)
  await sayUntil(socket, post(url, call, id), 'notifications/progress')
  socket.destroy()
}

async function leaveListening(url) {
  const { socket, id } = await openSession(url)
  const head = `GET ${url.pathname} HTTP/1.1\r\nhost: ${url.host}\r\naccept: text/event-stream\r\n`
  await sayUntil(socket, `${head}mcp-session-id: ${id}\r\n\r\n`, 'HTTP/1.1 200')
  socket.destroy()
}

/** Sends no more, in the middle of a call, and goes when it has been answered or not. */
async function leaveHalfOpen(url) {
  const { socket, id } = await openSession(url)
  await sayUntil(socket, post(url, call, id), 'notifications/progress')
  socket.end()
  await new Promise((resolve) => setTimeout(resolve, 5))
  socket.destroy()
}

async function leaveInMidRequest(url) {
  const { socket, id } = await openSession(url)
  socket.write(post(url, call, id).slice(0, -20))
  await new Promise((resolve) => setTimeout(resolve, 1))
  socket.destroy()
}

async function openSession(url) {
  const socket = connect(Number(url.port), url.hostname)
  socket.on('error', () => undefined) // what waits for it is told by close
  const answer = await sayUntil(socket, post(url, initialize), '"protocolVersion"')
  const [, id] = /mcp-session-id: (\S+)/i.exec(answer) ?? []
  if (id === undefined) throw new Error(`no session: ${answer}`)
  await sayUntil(socket, post(url, initialized, id), 'HTTP/1.1 202')
  return { socket, id }
}

function sayUntil(socket, text, wanted) {
  return new Promise((resolve, reject) => {
    let received = ''
    const onClose = () => reject(new Error(`closed before ${wanted}: ${received}`))
    const onData = (chunk) => {
      received += chunk.toString()
      if (!received.includes(wanted)) return
      socket.off('data', onData)
      socket.off('close', onClose)
      resolve(received)
    }
    socket.on('data', onData)
    socket.on('close', onClose)
    socket.write(text)
  })
}

function message(method, params) {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
}

function post(url, body, id) {
  const session = id === undefined ? '' : `mcp-session-id: ${id}\r\n`
  return `POST ${url.pathname} HTTP/1.1\r\nhost: ${url.host}\r\naccept: application/json, text/event-stream\r\ncontent-type: application/json\r\n${session}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}

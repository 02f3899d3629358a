#!/usr/bin/env node
/**
 * Opens, uses, cuts and abandons sessions over HTTP, round after round; what is left in memory after collection must be
 * what there was at the start. Needs `--expose-gc`; `npm run soak -- --rounds 50 --sessions 500` does more.
 */

import { Agent, request } from 'node:http'
import { exit } from 'node:process'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'

import { serveHttp } from '@parley/mcp/node'
import { createServer } from '@parley/mcp/server'
import { createVirtualClock } from '@parley/mcp/testing'

const usage = 'npm run soak -- [--rounds 12] [--sessions 150]'
const { rounds, sessions: sessionsPerRound } = readArguments()
/** Rounds before the heap is compared: code is compiled and pools are filled. */
const warmUp = 4
const idleMs = 60_000

const clock = createVirtualClock()
const server = createServer({ name: 'soak', version: '1.0.0' })
server.tool('work', {}, async (_, context) => {
  for (let progress = 1; progress <= 5; progress += 1) {
    await context.progress({ progress, message: 'x'.repeat(2_000) })
  }
  return 'done'
})
server.tool('hang', {}, (_, { signal }) => {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve('given up'))
  })
})
const service = await serveHttp(server, {
  port: 0,
  clock,
  sessionIdleMs: idleMs,
  detachedMs: 5_000,
  legacySse: true,
  ownsProcess: false,
})
const agent = new Agent({ keepAlive: true, maxSockets: 50 })

/** What was asked for; ends the program where that cannot be done. */
function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        rounds: { type: 'string', default: '12' },
        sessions: { type: 'string', default: '150' },
        help: { type: 'boolean', default: false },
      },
    })
    if (values.help) {
      console.log(usage)
      exit(0)
    }
    return {
      rounds: readCount('--rounds', values.rounds),
      sessions: readCount('--sessions', values.sessions),
    }
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n${usage}`)
    exit(2)
  }
}

/** @param {string} name @param {string} text */
function readCount(name, text) {
  if (/^[1-9]\d*$/.test(text)) return Number(text)
  throw new Error(`${name} ${text} is no number of at least 1`)
}

/**
 * @param {{ method?: string, path?: string, body?: object, session?: string | undefined, cut?: boolean }} ask
 * @returns {Promise<{ session: string | undefined, text: string }>}
 */
function send({ method = 'POST', path = service.url.pathname, body, session, cut = false }) {
  return new Promise((resolve, reject) => {
    const sent = request(
      service.url,
      {
        method,
        path,
        agent,
        headers: {
          accept: method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream',
          'content-type': 'application/json',
          ...(session !== undefined && { 'mcp-session-id': session }),
        },
      },
      (answer) => {
        const id = answer.headers['mcp-session-id']
        let text = ''
        answer.setEncoding('utf8')
        answer.on('data', (chunk) => {
          text += String(chunk)
          if (cut) sent.destroy()
        })
        answer.on('close', () =>
          resolve({ session: id === undefined ? undefined : String(id), text }),
        )
        answer.on('error', () => undefined) // cut by us
      },
    )
    sent.on('error', (error) => (cut ? resolve({ session: undefined, text: '' }) : reject(error)))
    sent.end(body === undefined ? undefined : JSON.stringify({ jsonrpc: '2.0', ...body }))
  })
}

/** @param {string} name */
const call = (name) => ({
  id: 1,
  method: 'tools/call',
  params: { name, _meta: { progressToken: 1 } },
})
const clientInfo = { name: 'soak', version: '1.0.0' }
const hello = {
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo },
}

/** One session and what becomes of it. @param {number} index */
async function live(index) {
  const { session } = await send({ body: hello })
  await send({ body: { method: 'notifications/initialized' }, session })
  await send({ body: call('work'), session })
  switch (index % 5) {
    case 0:
      return send({ method: 'DELETE', session })
    case 1:
      return send({ body: call('work'), session, cut: true })
    case 2:
      return send({ method: 'GET', session, cut: true })
    case 3: {
      const sent = send({ body: call('hang'), session, cut: true })
      await wait(1)
      await clock.advance(20_000) // becomes a stream, whose first bytes cut it
      return sent
    }
    default:
      return send({ method: 'GET', path: `${service.url.pathname}/sse`, cut: true })
  }
}

/** Settles what is under way and measures what is left. */
async function heapAfter() {
  for (let step = 0; step < 10; step += 1) {
    await clock.advance(idleMs / 2)
    await wait(5)
  }
  globalThis.gc?.()
  await wait(5)
  globalThis.gc?.()
  return process.memoryUsage().heapUsed / 1024 / 1024
}

if (globalThis.gc === undefined) {
  console.error('run with --expose-gc')
  exit(2)
}
let start = 0
let last = 0
for (let round = 1; round <= rounds + warmUp; round += 1) {
  await Promise.all(Array.from({ length: sessionsPerRound }, (_, index) => live(index)))
  last = await heapAfter()
  if (round === warmUp) start = last
  const { sessions, streams, inFlight } = service.health()
  const label = round <= warmUp ? 'warm-up' : `round ${round - warmUp}`
  console.log(`${label.padEnd(9)} ${last.toFixed(2)} MiB, ${sessions} sessions, ${streams} streams`)
  if (sessions + streams + inFlight > 0) {
    console.error('something was not forgotten')
    exit(1)
  }
}
agent.destroy()
await service.drain()
const grown = last - start
const perSession = (grown * 1024 * 1024) / (rounds * sessionsPerRound)
console.log(
  `${grown.toFixed(2)} MiB more after ${rounds * sessionsPerRound} sessions (${perSession.toFixed(0)} bytes each)`,
)
if (grown > Math.max(1, start * 0.05)) {
  console.error('the heap did not return to its start')
  exit(1)
}

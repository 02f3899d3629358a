import { createCluster, createMemoryClusterStore } from '@parley/cluster'
import { connect } from '@parley/mcp/client'
import type { HttpGuard } from '@parley/mcp/http'
import { serveHttp } from '@parley/mcp/node'
import { createServer } from '@parley/mcp/server'
import { testAuth } from '@parley/mcp/testing'
import { expect, onTestFinished, test } from 'vitest'

import { createEqualShare } from '../src/cluster/equal-share.ts'
import { openSession, post, type SessionHeaders } from './by-hand.ts'

const secret = 'a secret of this cluster, which is long enough'

test('a process has its part of the calls that may run at once, as many as are alive', async () => {
  const store = createMemoryClusterStore()
  const open = async (): Promise<URL> => {
    const cluster = createCluster(store, { secret, leaseMs: 6_000, shareLimits: true })
    const server = createServer({ name: 'busy', version: '1.0.0' })
    server.tool('wait', {}, async (_, { signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      return 'never'
    })
    const options = { port: 0, ownsProcess: false, cluster, limits: { inFlight: 4 } }
    const service = await serveHttp(server, options)
    onTestFinished(async () => void (await service.drain({ deadlineMs: 0 })))
    return service.url
  }
  const [a] = [await open(), await open()]

  await expect.poll(() => countAccepted(a)).toBe(2)
})

/** How many calls of one caller run before one is refused. */
async function countAccepted(url: URL): Promise<number> {
  await using client = await connect(url, { protocolVersion: 'modern' })
  const stop = new AbortController()
  let refused = 0
  const calls = Array.from({ length: 5 }, () =>
    client.callTool('wait', {}, { signal: stop.signal }).catch((error: { code?: string }) => {
      if (error.code === 'overloaded') refused += 1
    }),
  )
  await expect.poll(() => refused).toBeGreaterThan(0)
  stop.abort()
  await Promise.all(calls)
  return 5 - refused
}

test('a caller opens its part of the sessions at each process, wherever they are used', async () => {
  const store = createMemoryClusterStore()
  const open = async (): Promise<URL> => {
    const cluster = createCluster(store, { secret, leaseMs: 6_000, shareLimits: true })
    const server = createServer({ name: 'crowded', version: '1.0.0' })
    const maxSessions = { total: 1_000, perPrincipal: 4 }
    const options = { port: 0, ownsProcess: false, cluster, auth: everybody, maxSessions }
    const service = await serveHttp(server, options)
    onTestFinished(async () => void (await service.drain({ deadlineMs: 0 })))
    return service.url
  }
  const [a, b] = [await open(), await open()]
  let strangers = 0
  const countFor = async (url: URL) => (await openUntilRefused(url, `${(strangers += 1)}`)).length
  await expect.poll(() => countFor(a)).toBe(2) // it has heard of the other
  await expect.poll(() => countFor(b)).toBe(2)

  const sessions = [...(await openUntilRefused(a, 'ada')), ...(await openUntilRefused(b, 'ada'))]
  const uses = [a, b].flatMap((url) => sessions.map((session) => post(url, session, ping)))
  const [first] = sessions

  expect((await Promise.all(uses)).map(({ status }) => status)).toEqual(Array(8).fill(200))
  expect(await openUntilRefused(a, 'ada')).toEqual([])
  await fetch(b, { method: 'DELETE', headers: { ...first } })
  await expect.poll(async () => (await openUntilRefused(a, 'ada')).length).toBe(1)
})

/** Whoever says so is that user. */
const everybody: HttpGuard = {
  authenticate({ header }) {
    return { kind: 'allow', auth: testAuth({ subject: header('authorization') ?? '' }) }
  },
}

const ping = { jsonrpc: '2.0', id: 2, method: 'ping' }

async function openUntilRefused(url: URL, user: string): Promise<readonly SessionHeaders[]> {
  const sessions: SessionHeaders[] = []
  for (;;) {
    const session = await openSession(url, { authorization: user })
    if (session['mcp-session-id'] === '') return sessions
    sessions.push(session)
  }
}

test('the last count holds while the processes cannot be counted', async () => {
  let isAway = false
  let asked = 0
  const errors: unknown[] = []
  const count = async () => {
    asked += 1
    if (isAway) throw new Error('the store is away')
    return 4
  }
  const part = createEqualShare({ count }, 5, (error) => errors.push(error))
  await part.start()
  isAway = true
  await expect.poll(() => errors.length).toBeGreaterThan(1)

  expect(part.share()).toBe(0.25)
  part.stop()
  const before = asked
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(asked - before).toBeLessThan(2)
})

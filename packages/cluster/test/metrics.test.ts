import { connect } from 'node:net'

import {
  type ClusterMetric,
  createCluster,
  createMemoryClusterStore,
  type StoreCluster,
  StoreUnavailable,
} from '@parley/cluster'
import { serveHttp, type ServeHttpOptions } from '@parley/mcp/node'
import { createServer } from '@parley/mcp/server'
import { expect, onTestFinished, test } from 'vitest'

import { openSession, post } from './by-hand.ts'
import { openProcess } from './open-process.ts'
import { testSecret as secret } from './two-processes.ts'
import { until } from './until.ts'

/** Every name there is: a new one without an entry here does not compile. */
const kinds: { readonly [Name in ClusterMetric['name']]: ClusterMetric['kind'] } = {
  appends: 'counter',
  appendMs: 'histogram',
  batchEvents: 'histogram',
  fencedWrites: 'counter',
  takeovers: 'counter',
  resumes: 'counter',
  replayedEvents: 'counter',
  mailboxWaitMs: 'histogram',
  leaseRenewMs: 'histogram',
  leaseMisses: 'counter',
  revocationLagMs: 'histogram',
  slowConsumerCuts: 'counter',
  storeErrors: 'counter',
  openStreams: 'gauge',
}

test('whoever takes metrics hears of everything that happens in a cluster', async () => {
  const store = createMemoryClusterStore()
  const { renew } = store.leases
  let isDown = false
  store.leases.renew = (...args) =>
    isDown ? Promise.reject(new StoreUnavailable('away')) : renew(...args)
  const metrics: ClusterMetric[] = []
  const cluster = createCluster(store, {
    secret,
    leaseMs: 1_500,
    onError: () => undefined,
    onMetric: (metric) => metrics.push(metric),
  })
  const other = createCluster(store, { secret, leaseMs: 1_500, onError: () => undefined })
  const { service } = await openProcess('a', cluster)
  const elsewhere = await openProcess('b', other)
  const has = (name: ClusterMetric['name']) => metrics.some((metric) => metric.name === name)

  // Streams: one that goes on after its end, and one of a process that is lost.
  const session = await openSession(service.url)
  const count = (id: number) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'count', arguments: { to: 3 }, _meta: { progressToken: id } },
  })
  const events = await (await post(service.url, session, count(2))).text()
  const ref = { sessionId: 'by hand', streamId: '1' }
  await cluster.log.append(ref, { firstSequence: 1, texts: ['1'], isLast: true })
  await cluster.log.append(ref, { firstSequence: 2, texts: ['2'], isLast: true })
  const own = { sessionId: 'by hand', streamId: '3' }
  await cluster.log.append(own, { firstSequence: 1, texts: ['1'], isLast: false })
  expect(await cluster.log.ending?.endOwn(own, ['given up'])).toBe(true)
  expect(has('takeovers')).toBe(false)
  const lost = createCluster(store, { secret })
  await lost.start()
  const left = { sessionId: 'by hand', streamId: '2' }
  await lost.log.append(left, { firstSequence: 1, texts: ['1'], isLast: false })
  await lost.close()
  const from = { writer: lost.node, after: 1 }
  await until(() => cluster.log.ending?.endIfDisconnected(left, from, () => ['lost']))

  // A client that comes back for the rest, and one that listens.
  const first = /^id: ?(.*)$/m.exec(events)?.[1] ?? ''
  const headers = { ...session, accept: 'text/event-stream' }
  await (await fetch(service.url, { headers: { ...headers, 'last-event-id': first } })).text()
  const listening = new AbortController()
  await fetch(service.url, { headers, signal: listening.signal })
  await until(() => metrics.some(({ name, value }) => name === 'openStreams' && value > 0))
  listening.abort()

  // Processes that talk, a session that ends elsewhere, a lease that cannot be renewed.
  await fetch(elsewhere.service.url, { method: 'DELETE', headers: session })
  isDown = true
  await until(() => has('leaseMisses') && has('mailboxWaitMs') && has('revocationLagMs'))
  isDown = false

  await cutReader(cluster, 'much', { outputMs: 100 })
  await until(() => has('slowConsumerCuts'))

  const seen = new Map(metrics.map(({ name, kind }) => [name, kind]))
  expect(Object.fromEntries(seen)).toEqual(kinds)
  expect(metrics.every(({ value }) => Number.isFinite(value) && value >= 0)).toBe(true)
  expect(metrics).toContainEqual({
    name: 'storeErrors',
    kind: 'counter',
    value: 1,
    operation: 'leases.renew',
  })
})

test('a reader that holds its stream up is counted when it is cut off', async () => {
  const names: string[] = []
  const cluster = createCluster(createMemoryClusterStore(), {
    secret,
    onMetric: ({ name }) => names.push(name),
  })

  await cutReader(cluster, 'talk', { keepAliveMs: 100, outputMs: 0 })

  await until(() => names.includes('slowConsumerCuts'))
})

test('what a collector throws harms nothing', async () => {
  const errors: unknown[] = []
  const cluster = createCluster(createMemoryClusterStore(), {
    secret,
    onError: (error) => errors.push(error),
    onMetric() {
      throw new Error('no room for figures')
    },
  })
  onTestFinished(() => cluster.close())

  await cluster.start()

  expect(cluster.health()).toEqual({ isReady: true })
  expect(errors[0]).toMatchObject({ message: 'no room for figures' })
})

/** Asks for much, and reads nothing of it. */
async function cutReader(
  cluster: StoreCluster,
  tool: 'much' | 'talk',
  options: ServeHttpOptions,
): Promise<void> {
  const server = createServer({ name: 'large', version: '1.0.0' })
  server.tool('much', {}, () => 'x'.repeat(20_000_000))
  server.tool('talk', {}, async (_, context) => {
    for (let progress = 1; progress <= 200; progress += 1) {
      await context.progress({ progress, message: 'x'.repeat(100_000) })
    }
    return 'done'
  })
  const rules = { port: 0, ownsProcess: false, onError: () => undefined }
  const service = await serveHttp(server, { ...rules, cluster, ...options })
  onTestFinished(async () => void (await service.drain({ deadlineMs: 0 })))
  const session = await openSession(service.url)
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 2,
    method: 'tools/call',
    params: { name: tool, arguments: {}, _meta: { progressToken: 1 } },
  })
  const socket = connect(Number(service.url.port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.pause()
  const lines = [
    `POST ${service.url.pathname} HTTP/1.1`,
    `host: ${service.url.host}`,
    'content-type: application/json',
    'accept: application/json, text/event-stream',
    `content-length: ${body.length}`,
    ...Object.entries(session).map(([name, value]) => `${name}: ${value}`),
  ]
  socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`)
}

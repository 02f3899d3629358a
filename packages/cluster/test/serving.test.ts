import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import {
  type ClusterStore,
  createCluster,
  createMemoryClusterStore,
  type StoreCluster,
  StoreUnavailable,
} from '@parley/cluster'
import { createMcpHandler, type Cluster } from '@parley/mcp/http'
import { createNodeHandler, serveHttp, type ServeHttpOptions } from '@parley/mcp/node'
import { createServer } from '@parley/mcp/server'
import { expect, onTestFinished, test } from 'vitest'

import { openSession, post } from './by-hand.ts'
import { openProcess } from './open-process.ts'
import { testSecret as secret } from './two-processes.ts'
import { until } from './until.ts'

const clock = createServer({ name: 'clock', version: '1.0.0' })

async function serve(cluster: Cluster, options: ServeHttpOptions = {}) {
  const service = await serveHttp(clock, { port: 0, ownsProcess: false, cluster, ...options })
  onTestFinished(async () => void (await service.drain({ deadlineMs: 0 })))
  const ask = async (path: string) => {
    const response = await fetch(new URL(path, service.url))
    return { status: response.status, text: await response.text() }
  }
  return { service, ask }
}

/** A store that can be cut off, and that tells when it is used after its end. */
function createFaultyStore() {
  const store = createMemoryClusterStore()
  const state = { isDown: false, isClosed: false, closings: 0, late: [] as string[] }
  const watch = <Part extends object>(name: string, part: Part): Part =>
    new Proxy(part, {
      get(target, method, receiver): unknown {
        const found: unknown = Reflect.get(target, method, receiver)
        if (typeof found !== 'function') return found
        return async (...args: readonly unknown[]): Promise<unknown> => {
          if (state.isClosed) state.late.push(`${name}.${String(method)}`)
          if (state.isDown || state.isClosed) throw new StoreUnavailable('the store is away')
          return (await Reflect.apply(found, target, args)) as unknown
        }
      },
    })
  const faulty: ClusterStore = {
    ...store,
    records: watch('records', store.records),
    feeds: watch('feeds', store.feeds),
    leases: watch('leases', store.leases),
    streams: watch('streams', store.streams),
    async close() {
      state.isClosed = true
      state.closings += 1
    },
  }
  return { store: faulty, state, inner: store }
}

function open(store: ClusterStore, options = {}): StoreCluster {
  const cluster = createCluster(store, { secret, ...options })
  onTestFinished(() => cluster.close())
  return cluster
}

test('a cluster is started before anybody is answered, and closed after draining', async () => {
  const { store, state, inner } = createFaultyStore()
  const cluster = open(store)

  const { service, ask } = await serve(cluster)
  expect(await inner.leases.alive()).toHaveLength(1)
  expect(await ask('/readyz')).toEqual({ status: 200, text: 'ready' })
  expect(service.health()).toMatchObject({ ready: true, cluster: { isReady: true } })
  await service.drain()

  expect(await inner.leases.alive()).toEqual([])
  expect(state.closings).toBe(1)
})

test('a cluster that was started before is used as it is', async () => {
  const { store, state } = createFaultyStore()
  const cluster = open(store)
  await cluster.start()

  const { service, ask } = await serve(cluster)

  expect(await ask('/readyz')).toEqual({ status: 200, text: 'ready' })
  await service.drain()
  expect(state.closings).toBe(1)
})

test('two services of one process share a cluster, which the last one closes', async () => {
  const { store, state } = createFaultyStore()
  const cluster = open(store)
  const [first, second] = [await serve(cluster), await serve(cluster)]

  await first.service.drain()
  expect(state.closings).toBe(0)
  expect(await second.ask('/readyz')).toEqual({ status: 200, text: 'ready' })
  await second.service.drain()

  expect(state.closings).toBe(1)
})

test('a cluster is closed if the port cannot be listened on', async () => {
  const taken = createHttpServer().listen(0, '127.0.0.1')
  onTestFinished(() => void taken.close())
  await new Promise((resolve) => taken.once('listening', resolve))
  const { port } = taken.address() as AddressInfo // it listens on a port
  const { store, state, inner } = createFaultyStore()

  await expect(serve(open(store), { port })).rejects.toMatchObject({ code: 'unreachable' })

  expect(state.closings).toBe(1)
  expect(await inner.leases.alive()).toEqual([])
})

test('nothing listens if the cluster cannot be started', async () => {
  const store = createMemoryClusterStore()
  const stranger = open(store, { secret: 'another secret of tests, of 32 characters' })
  await open(store).start()

  await expect(serve(stranger)).rejects.toThrow('the secret of this process is unknown')
})

test('a process that is cut off from its store is unready with a reason, and alive', async () => {
  const { store, state } = createFaultyStore()
  const cluster = open(store, { leaseMs: 300, onError: () => undefined })
  const { service, ask } = await serve(cluster)

  state.isDown = true
  await until(() => !cluster.health().isReady)
  const { status, text } = await ask('/readyz')

  expect(status).toBe(503)
  expect(text).toMatch(/^the cluster's store has not answered for \d+\.\d s: the store is away$/)
  expect(await ask('/healthz')).toEqual({ status: 200, text: 'ok' })
  expect(service.health()).toMatchObject({
    ready: false,
    cluster: { isReady: false, why: expect.any(String) },
  })
  state.isDown = false
  await until(async () => (await ask('/readyz')).status === 200)
})

test('a drained process hands its readers over, and asks its store nothing more', async () => {
  const { store, state } = createFaultyStore()
  const errors: unknown[] = []
  const onError = (error: unknown): void => void errors.push(error)
  const { service, cluster } = await openProcess('a', open(store, { leaseMs: 300, onError }), {
    onError,
  })
  const session = await openSession(service.url)
  const stream = await fetch(service.url, { headers: { ...session, accept: 'text/event-stream' } })
  const where = { jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'where' } }
  await (await post(service.url, session, where)).text()

  const [text] = await Promise.all([stream.text(), service.drain()])
  await new Promise((resolve) => setTimeout(resolve, 2 * cluster.heartbeatMs))

  expect(text).toMatch(/^retry: \d+$/m)
  expect(state.late).toEqual([])
  expect(errors).toEqual([])
})

test.each([
  ['createMcpHandler', createMcpHandler],
  ['createNodeHandler', createNodeHandler],
] as const)('%s tells whether the cluster that its owner starts is ready', async (_, create) => {
  const cluster = open(createMemoryClusterStore())
  const handler = create(clock, { cluster })
  onTestFinished(async () => void (await handler.drain({ deadlineMs: 0 })))

  const why = 'the cluster is not started'
  expect(handler.health()).toMatchObject({ ready: false, cluster: { isReady: false, why } })
  await cluster.start()

  expect(handler.health()).toMatchObject({ ready: true, cluster: { isReady: true } })
})

test('a store that is late with the first lease is waited for', async () => {
  const store = createMemoryClusterStore()
  let failures = 2
  const renew: typeof store.leases.renew = async (...lease) => {
    failures -= 1
    if (failures >= 0) throw new StoreUnavailable('it is busy')
    await store.leases.renew(...lease)
  }
  const retried: string[] = []
  const leases = { ...store.leases, renew }
  const onRetry = ({ message }: StoreUnavailable) => void retried.push(message)
  const cluster = createCluster({ ...store, leases }, { secret, onRetry })
  onTestFinished(() => cluster.close())

  await cluster.start()

  expect(retried).toEqual(['it is busy', 'it is busy'])
  expect(await store.leases.count()).toBe(1)
})

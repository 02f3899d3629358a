import { connect } from '@parley/mcp/client'
import type { HttpOptions } from '@parley/mcp/http'
import { serveHttp, type HttpService } from '@parley/mcp/node'
import { createServer, type Server } from '@parley/mcp/server'
import { clientTasks, serverTasks, type TaskStore } from '@parley/mcp/tasks'
import { onTestFinished } from 'vitest'
import { z } from 'zod'

import { createCluster, type StoreCluster } from '../src/index.ts'
import type { ClusterStore } from '../src/store/cluster-store.ts'

/** Two endpoints that share nothing but a store, as two processes would. */
export interface TwoProcesses {
  readonly services: readonly [HttpService, HttpService]
  /** Sends every request to the other endpoint than the one before. */
  readonly roundRobin: typeof fetch
}

/** A clock's server, which says where it runs. */
export function createClock(place: string, tasks: TaskStore): Server {
  const extensions = [serverTasks({ store: tasks, pollIntervalMs: 20 })]
  const server = createServer({ name: 'clock', version: '1.0.0', extensions })
  server.tool('where', {}, () => place)
  server.tool('murmur', {}, (_, context) => {
    context.log('debug', 'quietly')
    return place
  })
  server.resource('clock://now', { name: 'now' }, () => 'noon')
  server.tool('count', { inputSchema: z.object({ to: z.number() }) }, async ({ to }, context) => {
    for (let progress = 1; progress <= to; progress += 1) {
      await context.progress({ progress, total: to })
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    return `${place} counted to ${to}`
  })
  server.tool('wait', { task: 'required' }, async (_, { signal }) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    return 'never'
  })
  server.tool('work', { task: 'required' }, async () => {
    await new Promise((resolve) => setTimeout(resolve, 100))
    return `${place} worked`
  })
  return server
}

/** How both serve. */
export interface TwoProcessesOptions extends Pick<HttpOptions, 'auth'> {
  readonly leaseMs?: number
}

/** Of every cluster of these tests. */
export const testSecret = 'a secret that only these tests know'

export async function openTwoProcesses(
  makeStore: () => ClusterStore,
  options: TwoProcessesOptions = {},
): Promise<TwoProcesses> {
  const [a, b] = await Promise.all([
    open('a', makeStore(), options),
    open('b', makeStore(), options),
  ])
  const services = [a, b] as const
  let turn = 0
  return {
    services,
    roundRobin(input, init) {
      turn += 1
      const { port } = services[turn % 2 === 0 ? 0 : 1].url
      const url = new URL(input instanceof Request ? input.url : input)
      url.port = port
      return fetch(url, init)
    },
  }
}

async function open(
  place: string,
  store: ClusterStore,
  { leaseMs, auth }: TwoProcessesOptions,
): Promise<HttpService> {
  const cluster: StoreCluster = createCluster(store, { secret: testSecret, leaseMs })
  await cluster.start()
  const service = await serveHttp(createClock(place, cluster.tasks), {
    port: 0,
    ownProcess: false,
    cluster,
    auth,
  })
  onTestFinished(async () => {
    await service.drain({ deadlineMs: 0 })
    await cluster.close()
  })
  return service
}

/** A client behind a balancer that knows nothing of sessions. */
export function connectTo(
  { services, roundRobin }: TwoProcesses,
  era: 'legacy' | 'modern' = 'legacy',
) {
  return connect(services[0].url, { fetch: roundRobin, era, extensions: [clientTasks()] })
}

import { type ClusterStore, createCluster, type StoreCluster } from '@parley/cluster'
import { connect } from '@parley/mcp/client'
import type { HttpOptions } from '@parley/mcp/http'
import { serveHttp, type HttpService } from '@parley/mcp/node'
import type { Server } from '@parley/mcp/server'
import { clientTasks } from '@parley/mcp/tasks'
import { onTestFinished } from 'vitest'

import { createClock } from './clock.ts'

/** Two endpoints that share nothing but a store, as two processes would. */
export interface TwoProcesses {
  readonly servers: readonly [Server, Server]
  /** Where calls of `hold` were cancelled. */
  readonly cancelled: readonly string[]
  readonly services: readonly [HttpService, HttpService]
  /** Sends every request to the other endpoint than the one before. */
  readonly roundRobin: typeof fetch
}

/** How both serve. */
export interface TwoProcessesOptions extends Pick<HttpOptions, 'auth'> {
  readonly leaseMs?: number
  /** Of the test, where it runs beside others. */
  readonly whenFinished?: (close: () => Promise<void>) => void
}

/** Of every cluster of these tests. */
export const testSecret = 'a secret that only these tests know'

export async function openTwoProcesses(
  makeStore: () => ClusterStore,
  options: TwoProcessesOptions = {},
): Promise<TwoProcesses> {
  const cancelled: string[] = []
  const [a, b] = await Promise.all(
    ['a', 'b'].map((position) => open(position, makeStore(), cancelled, options)),
  )
  if (a === undefined || b === undefined) throw new Error('there are two')
  const services = [a.service, b.service] as const
  let turn = 0
  return {
    services,
    servers: [a.server, b.server],
    cancelled,
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
  position: string,
  store: ClusterStore,
  cancelled: string[],
  { leaseMs, auth, whenFinished = onTestFinished }: TwoProcessesOptions,
): Promise<{ readonly service: HttpService; readonly server: Server }> {
  const cluster: StoreCluster = createCluster(store, { secret: testSecret, leaseMs })
  await cluster.start()
  const server = createClock(position, cluster.tasks, cancelled)
  const service = await serveHttp(server, {
    port: 0,
    ownsProcess: false,
    cluster,
    auth,
  })
  whenFinished(async () => {
    await service.drain({ deadlineMs: 0 })
    await cluster.close()
  })
  return { service, server }
}

/** A client behind a balancer that knows nothing of sessions. */
export function connectTo(
  { services, roundRobin }: TwoProcesses,
  protocolVersion: 'legacy' | 'modern' = 'legacy',
) {
  return connect(services[0].url, {
    fetch: roundRobin,
    protocolVersion,
    extensions: [clientTasks()],
    onDeprecated: () => undefined,
    elicit: () => ({ action: 'accept', content: { name: 'Ada' } }),
    sample: () => ({
      role: 'assistant',
      content: { type: 'text', text: 'Because.' },
      model: 'scripted',
    }),
    roots: ['/home/ada'],
  })
}

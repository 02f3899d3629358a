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
  readonly servers: readonly [Server, Server]
  /** Where calls of `hold` were cancelled. */
  readonly cancelled: readonly string[]
  readonly services: readonly [HttpService, HttpService]
  /** Sends every request to the other endpoint than the one before. */
  readonly roundRobin: typeof fetch
}

/** A clock's server, which says where it runs. */
export function createClock(place: string, tasks: TaskStore, cancelled: string[] = []): Server {
  const extensions = [serverTasks({ store: tasks, pollIntervalMs: 20 })]
  const onDeprecated = (): void => undefined
  const server = createServer({ name: 'clock', version: '1.0.0', extensions, onDeprecated })
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
  addQuestions(server, place)
  server.resource('note://one', { name: 'one' }, () => 'text')
  server.tool('hold', {}, async (_, context) => {
    await context.progress({ progress: 1 })
    await new Promise((resolve) => context.signal.addEventListener('abort', resolve))
    cancelled.push(place)
    return 'never'
  })
  return server
}

/** How both serve. */
export interface TwoProcessesOptions extends Pick<HttpOptions, 'auth'> {
  readonly leaseMs?: number
}

/** Of every cluster of these tests. */
export const testSecret = 'a secret that only these tests know'

const form = { message: 'Who?', requestedSchema: z.object({ name: z.string() }) }

function addQuestions(server: Server, place: string): void {
  server.tool('ask', {}, async (_, context) => {
    const answer = await context.elicit(form)
    return `${place} asked ${answer.action === 'accept' ? answer.content.name : 'nobody'}`
  })
  server.tool('pay', { singleUse: true }, async (_, context) => {
    const answer = await context.elicit(form)
    return `${place} charged ${answer.action === 'accept' ? answer.content.name : 'nobody'}`
  })
  server.tool('think', {}, async (_, context) => {
    const content = { type: 'text', text: 'Why?' } as const
    const thought = await context.sample({
      messages: [{ role: 'user', content }],
      maxTokens: 10,
    })
    return `${place} thought ${JSON.stringify(thought.content)}`
  })
  server.tool('look', {}, async (_, context) => {
    const [root] = await context.listRoots()
    return `${place} looked at ${root?.uri}`
  })
}

export async function openTwoProcesses(
  makeStore: () => ClusterStore,
  options: TwoProcessesOptions = {},
): Promise<TwoProcesses> {
  const cancelled: string[] = []
  const [a, b] = await Promise.all(
    ['a', 'b'].map((place) => open(place, makeStore(), cancelled, options)),
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
  place: string,
  store: ClusterStore,
  cancelled: string[],
  { leaseMs, auth }: TwoProcessesOptions,
): Promise<{ readonly service: HttpService; readonly server: Server }> {
  const cluster: StoreCluster = createCluster(store, { secret: testSecret, leaseMs })
  await cluster.start()
  const server = createClock(place, cluster.tasks, cancelled)
  const service = await serveHttp(server, {
    port: 0,
    ownProcess: false,
    cluster,
    auth,
  })
  onTestFinished(async () => {
    await service.drain({ deadlineMs: 0 })
    await cluster.close()
  })
  return { service, server }
}

/** A client behind a balancer that knows nothing of sessions. */
export function connectTo(
  { services, roundRobin }: TwoProcesses,
  era: 'legacy' | 'modern' = 'legacy',
) {
  return connect(services[0].url, {
    fetch: roundRobin,
    era,
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

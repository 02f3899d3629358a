import type { Cluster, HttpOptions } from '@parley/mcp/http'
import { createVirtualClock, type VirtualClock } from '@parley/mcp/testing'
import { expect, vi } from 'vitest'

import { createSingleUseSet } from '../../src/server/input/request-state.ts'
import { createMemoryEventLog } from '../../src/transport/http/streams/memory-event-log.ts'
import {
  createFarLog,
  createFarRecords,
  createFaults,
  farAway,
  type Faults,
} from './faulty-store.ts'
import { openEndpoint, type Endpoint } from './http-endpoint.ts'
import { createMemorySessionRecords, type MemorySessionRecords } from './memory-session-records.ts'
import { createMessageHub, type MessageHub } from './message-hub.ts'
import { createNodeLogs, type NodeLogs } from './node-logs.ts'
import { createSampleServer, type SampleServer } from './sample-server.ts'

/** One more process, as far as the others can tell. */
export interface Process {
  readonly endpoint: Endpoint
  readonly sample: SampleServer
}

/** Two processes, as far as they can tell, that serve one endpoint. */
export interface HttpCluster extends AsyncDisposable {
  readonly a: Endpoint
  readonly b: Endpoint
  readonly servers: { readonly a: SampleServer; readonly b: SampleServer }
  readonly clock: VirtualClock
  readonly faults: Faults
  readonly log: ReturnType<typeof createMemoryEventLog>
  readonly hub: MessageHub
  readonly records: MemorySessionRecords
  /** What each seals and opens ids with; may be replaced at any time. */
  readonly secrets: { a: readonly string[]; b: readonly string[] }
  /** What processes call a session. */
  keyOf(session: string): Promise<string>
  readonly logs: NodeLogs
  /** One process more. */
  add(node: string): Promise<Process>
  /** Lets `walk` go on, at whichever process it runs. */
  step(count?: number): Promise<void>
}

const sampleSecret = 'a secret of thirty-two characters'

/** Stores in this process answer at once and give hints; those far away do neither. */
export async function openCluster(
  distance: 'near' | 'far',
  options: HttpOptions = {},
): Promise<HttpCluster> {
  const clock = createVirtualClock()
  const faults = createFaults()
  const replay = { events: 1_000, bytes: 8_000_000, keepMs: 60_000 }
  const log = createMemoryEventLog(replay, clock)
  const records = createMemorySessionRecords(clock)
  const logs = createNodeLogs(log)
  const hub = createMessageHub(clock, distance === 'far' ? faults : undefined)
  const once = createSingleUseSet(() => clock.now())
  const secrets: HttpCluster['secrets'] = { a: [sampleSecret], b: [sampleSecret] }
  const clusterOf = (node: string): Cluster => ({
    node,
    heartbeatMs: hub.heartbeatMs,
    secrets: () => (node === 'b' ? secrets.b : secrets.a),
    log: distance === 'near' ? logs.as(node) : createFarLog(logs.as(node), faults),
    sessions: distance === 'near' ? records : createFarRecords(records, faults),
    messages: hub.connect(node),
    once:
      distance === 'near'
        ? once
        : { add: (key, ttlMs) => farAway(faults, () => once.add(key, ttlMs)) },
    start: async () => undefined,
    close: async () => undefined,
    health: () => ({ isReady: true }),
  })
  const steps: (() => void)[] = []
  const servers = { a: createWalkServer(steps), b: createWalkServer(steps) }
  const open = (node: string, { server }: SampleServer): Promise<Endpoint> =>
    openEndpoint('node', server, { cluster: clusterOf(node), clock, ...options })
  const a = await open('a', servers.a)
  const b = await open('b', servers.b)
  const more: Endpoint[] = []

  return {
    a,
    b,
    servers,
    clock,
    faults,
    log,
    hub,
    records,
    secrets,
    async keyOf(session) {
      const answer = await a.call('who', { session })
      const { result } = (await answer.json()) as { result: { content: [{ text: string }] } }
      return (JSON.parse(result.content[0].text) as { sessionId: string }).sessionId
    },
    logs,
    async add(node) {
      const sample = createWalkServer(steps)
      const endpoint = await open(node, sample)
      more.push(endpoint)
      return { endpoint, sample }
    },
    async step(count = 1) {
      for (let taken = 0; taken < count; taken += 1) {
        await vi.waitFor(() => expect(steps.length).toBeGreaterThan(0))
        steps.shift()?.()
      }
    },
    async [Symbol.asyncDispose]() {
      await a[Symbol.asyncDispose]()
      await b[Symbol.asyncDispose]()
      for (const endpoint of more) await endpoint[Symbol.asyncDispose]()
    },
  }
}

/** With a tool that reports five steps, each when it is told to. */
function createWalkServer(steps: (() => void)[]): SampleServer {
  const sample = createSampleServer()
  sample.server.tool('walk', {}, async (_, context) => {
    context.signal.addEventListener('abort', () => sample.aborted.push(context.signal.reason))
    for (let progress = 1; progress <= 5; progress += 1) {
      await new Promise<void>((resolve) => steps.push(resolve))
      await context.progress({ progress })
    }
    return 'arrived'
  })
  sample.server.tool('who', {}, (_, { client, sessionId }) =>
    JSON.stringify({ name: client.info?.name, roots: client.capabilities.roots, sessionId }),
  )
  sample.server.tool('murmur', {}, (_, context) => {
    context.log('debug', 'quietly')
    return 'done'
  })
  sample.server.tool('roots', {}, async (_, context) => String((await context.listRoots()).length))
  return sample
}

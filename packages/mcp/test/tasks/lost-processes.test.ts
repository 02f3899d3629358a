import { createServer, type Server, serveTransport, type ToolConfig } from '@parley/mcp/server'
import { createMemoryTaskStore, serverTasks, type TaskStore } from '@parley/mcp/tasks'
import { createTransportPair, createVirtualClock } from '@parley/mcp/testing'
import { expect, test, vi } from 'vitest'

import { openStandaloneClient } from '../support/modern-client.ts'
import { openRawClient } from '../support/raw-client.ts'
import { createGate, createTaskServer, turn } from './task-server.ts'

const heartbeatMs = 500
const follows = { capabilities: { extensions: { 'io.modelcontextprotocol/tasks': {} } } }
const lostError = (retryable: boolean) => ({
  code: -32603,
  message: 'the process that ran this task is gone',
  data: { reason: 'node_lost', retryable },
})

/** Processes with leases, as far as they can tell, that share a store of tasks. */
function createProcesses() {
  const clock = createVirtualClock()
  const memory = createMemoryTaskStore()
  const lost = new Set<string>()

  function storeOf(node: string): TaskStore {
    return {
      ...memory,
      processes: { node, heartbeatMs, isDisconnected: async (name) => lost.has(name) },
    }
  }

  /** A process that runs one tool, and what became of it there. */
  function start(node: string, config: ToolConfig = {}, store = storeOf(node)) {
    const gate = createGate()
    const starts: unknown[] = []
    const aborted: unknown[] = []
    const extensions = [serverTasks({ store, pollIntervalMs: 100 })]
    const onError = () => undefined
    const server = createServer({ name: node, version: '1.0.0', extensions, onError })
    server.tool('work', { task: 'required', ...config }, async (args, { signal, progress }) => {
      starts.push(args)
      signal.addEventListener('abort', () => aborted.push(signal.reason), { once: true })
      await progress({ progress: 1, message: `at ${node}` })
      await gate.opened
      return `done at ${node}`
    })
    const [near, far] = createTransportPair()
    const service = serveTransport(server, far, { clock, onError })
    return { gate, starts, aborted, server, service, client: openStandaloneClient(near) }
  }

  return { clock, memory, lost: lost, start, storeOf }
}

type Process = ReturnType<ReturnType<typeof createProcesses>['start']>

async function begin({ client, starts }: Process, args: object = {}): Promise<string> {
  const params = { name: 'work', arguments: args }
  const { result } = await client.request('tools/call', params, follows)
  await vi.waitFor(() => expect(starts).toHaveLength(1))
  return result?.['taskId'] as string
}

async function get({ client }: Process, taskId: string): Promise<Record<string, unknown>> {
  await turn()
  const { result } = await client.request('tasks/get', { taskId }, follows)
  return result ?? {}
}

async function openLegacy(server: Server, clock: ReturnType<typeof createVirtualClock>) {
  const [near, far] = createTransportPair()
  const service = serveTransport(server, far, { clock, onError: () => undefined })
  return openRawClient(near, service, { revision: '2025-11-25' })
}

test.each([
  [{}, false],
  [{ annotations: { idempotentHint: true } }, true],
  [{ annotations: { readOnlyHint: true } }, true],
])(
  'a task with %o whose process is lost has failed, and says so once',
  async (config, retryable) => {
    const { lost, start, memory } = createProcesses()
    const a = start('a', config)
    const b = start('b')
    const taskId = await begin(a)
    expect(await get(b, taskId)).toMatchObject({ status: 'working' })

    lost.add('a')
    const [first, second] = await Promise.all([get(b, taskId), get(b, taskId)])
    const { version } = (await memory.get('', taskId)) ?? {}
    a.gate.open()
    await vi.waitFor(() => expect(a.aborted).toMatchObject([{ details: { by: 'fenced' } }]))

    expect(first).toMatchObject({ status: 'failed', error: lostError(retryable) })
    expect(second).toEqual(first)
    expect(await get(b, taskId)).toEqual(first)
    expect((await memory.get('', taskId))?.version).toBe(version)
  },
)

test('a task whose process is alive goes on, however long it says nothing', async () => {
  const { start, clock } = createProcesses()
  const a = start('a', { timeoutMs: 48 * 3_600_000 })
  const b = start('b')
  const taskId = await begin(a)

  await clock.advance(6_000_000)

  expect(await get(b, taskId)).toMatchObject({ status: 'working' })
  a.gate.open()
  await vi.waitFor(async () => expect(await get(b, taskId)).toMatchObject({ status: 'completed' }))
})

test('those who listen to a task hear that its process is lost', async () => {
  const { lost, start, clock } = createProcesses()
  const a = start('a')
  const b = start('b')
  const taskId = await begin(a)
  b.client
    .request('subscriptions/listen', { notifications: { taskIds: [taskId] } }, follows)
    .catch(() => undefined) // it lasts as long as the channel
  await b.client.next(({ method }) => method === 'notifications/subscriptions/acknowledged')

  lost.add('a')
  await clock.advance(heartbeatMs)
  const told = await b.client.next(({ method }) => method === 'notifications/tasks')

  expect(told.params).toMatchObject({ taskId, status: 'failed', error: lostError(false) })
})

test('those who wait for the result of a task in 2025-11-25 hear that its process is lost', async () => {
  const { lost, start, clock } = createProcesses()
  const a = start('a', { annotations: { readOnlyHint: true } })
  const b = start('b')
  const [here, there] = [await openLegacy(a.server, clock), await openLegacy(b.server, clock)]
  const { result } = await here.request('tools/call', { name: 'work', task: {} })
  const { taskId } = (result?.['task'] ?? {}) as { taskId: string }
  const waiting = there.request('tasks/result', { taskId })
  await there.quiet()

  lost.add('a')
  await clock.advance(heartbeatMs)
  const told = await there.next(({ method }) => method === 'notifications/tasks/status')

  expect((await waiting).error).toEqual(lostError(true))
  const { message } = lostError(true)
  expect(told.params).toMatchObject({ taskId, status: 'failed', statusMessage: message })
  expect((await there.request('tasks/get', { taskId })).result).toMatchObject({ status: 'failed' })
})

test('a task that may be restarted is, once, with its arguments, by whoever notices first', async () => {
  const { lost, start, memory } = createProcesses()
  const a = start('a', { restartable: true, inputSchema: anything })
  const b = start('b', { restartable: true, inputSchema: anything })
  const c = start('c', { restartable: true, inputSchema: anything })
  const taskId = await begin(a, { color: 'red' })

  lost.add('a')
  const seen = await Promise.all([b, c, b, c].map((process) => get(process, taskId)))
  await vi.waitFor(() => expect(b.starts.length + c.starts.length).toBe(1))
  lost.delete('a')
  a.gate.open()
  await vi.waitFor(() => expect(a.aborted).toHaveLength(1))
  b.gate.open()
  c.gate.open()
  await vi.waitFor(async () => expect(await get(b, taskId)).toMatchObject({ status: 'completed' }))

  const by = b.starts.length === 1 ? 'b' : 'c'
  expect(seen.map(({ status }) => status)).toEqual(Array(4).fill('working'))
  expect([...b.starts, ...c.starts]).toEqual([{ color: 'red' }])
  expect(a.aborted).toMatchObject([{ details: { by: 'fenced' } }])
  expect(await get(c, taskId)).toMatchObject({ result: { content: [{ text: `done at ${by}` }] } })
  expect(await memory.get('', taskId)).not.toHaveProperty('restart')
})

test('of two processes that notice at the same time one restarts a task', async () => {
  const { lost, start, storeOf } = createProcesses()
  const both = createGate()
  let asked = 0
  const together = (store: TaskStore): TaskStore => ({
    ...store,
    async update(record, version) {
      asked += 1
      if (asked === 2) both.open()
      if (asked <= 2) await both.opened
      return store.update(record, version)
    },
  })
  const a = start('a', { restartable: true })
  const b = start('b', { restartable: true }, together(storeOf('b')))
  const c = start('c', { restartable: true }, together(storeOf('c')))
  const taskId = await begin(a)

  lost.add('a')
  await Promise.all([get(b, taskId), get(c, taskId)])
  b.gate.open()
  c.gate.open()
  await vi.waitFor(async () => expect(await get(b, taskId)).toMatchObject({ status: 'completed' }))

  expect(b.starts.length + c.starts.length).toBe(1)
})

test('a task that may be restarted is not started more than three times', async () => {
  const { lost, start } = createProcesses()
  const names = ['a', 'b', 'c', 'd'] as const
  const processes = names.map((name) => start(name, { restartable: true }))
  const [a, b, c, d] = processes as [Process, Process, Process, Process]
  const taskId = await begin(a)

  for (const [name, next] of [
    ['a', b],
    ['b', c],
  ] as const) {
    lost.add(name)
    expect(await get(next, taskId)).toMatchObject({ status: 'working' })
    await vi.waitFor(() => expect(next.starts).toHaveLength(1))
  }
  lost.add('c')

  expect(await get(d, taskId)).toMatchObject({ status: 'failed', error: lostError(false) })
  expect(d.starts).toHaveLength(0)
})

test('a task that is cancelled after its process was lost is not restarted', async () => {
  const { lost, start } = createProcesses()
  const a = start('a', { restartable: true })
  const b = start('b', { restartable: true })
  const taskId = await begin(a)

  lost.add('a')
  await b.client.request('tasks/cancel', { taskId }, follows)

  expect(await get(b, taskId)).toMatchObject({ status: 'cancelled' })
  expect(b.starts).toHaveLength(0)
})

test('a task that may be restarted is left to others by a process that shuts down', async () => {
  const { start, clock } = createProcesses()
  const a = start('a', { restartable: true })
  const b = start('b', { restartable: true })
  const taskId = await begin(a)

  const draining = a.service.drain({ deadlineMs: 1_000 })
  await clock.advance(1_000)
  await draining
  expect(await get(b, taskId)).toMatchObject({ status: 'working' })
  b.gate.open()

  await vi.waitFor(async () =>
    expect(await get(b, taskId)).toMatchObject({
      status: 'completed',
      result: { content: [{ text: 'done at b' }] },
    }),
  )
})

test('a task that is restarted passes middleware and scopes again, and fails where those refuse', async () => {
  const { lost, start } = createProcesses()
  const a = start('a', { restartable: true })
  const b = start('b', { restartable: true })
  const taskId = await begin(a)
  b.server.use('tools/call', async () => {
    throw new Error('a secret of ours')
  })

  lost.add('a')
  await get(b, taskId)

  await vi.waitFor(async () => expect(await get(b, taskId)).toMatchObject({ status: 'failed' }))
  const { error } = await get(b, taskId)
  expect(JSON.stringify(error)).not.toContain('secret')
  expect(b.starts).toEqual([])
})

test('a result outlasts a store that cannot be reached for a while', async () => {
  const { start, storeOf, clock } = createProcesses()
  const store = storeOf('a')
  let isDown = false
  const flaky: TaskStore = {
    ...store,
    update: async (record, version) => {
      if (isDown) throw new Error('the store is away')
      return store.update(record, version)
    },
  }
  const a = start('a', {}, flaky)
  const b = start('b')
  const taskId = await begin(a)

  isDown = true
  a.gate.open()
  await clock.advance(20_000)
  expect(await get(b, taskId)).toMatchObject({ status: 'working' })
  isDown = false
  await clock.advance(5_000)

  expect(await get(b, taskId)).toMatchObject({ status: 'completed' })
})

test('a tool that is never a task cannot be restarted', () => {
  const { server } = createTaskServer()

  expect(() => server.tool('odd', { restartable: true }, () => 'x')).toThrow(
    /tool "odd": restartable needs task: 'optional' or 'required'/,
  )
})

/** A schema that takes any arguments. */
const anything = { type: 'object', properties: {}, additionalProperties: true } as never

import {
  createServer,
  type ServeOptions,
  type Server,
  serveTransport,
  type Service,
} from '@parley/mcp/server'
import { createMemoryTaskStore, type TaskStore } from '@parley/mcp/tasks'
import { createTransportPair, createVirtualClock } from '@parley/mcp/testing'
import { expect, test } from 'vitest'

import { openStandaloneClient, type StandaloneClient } from '../support/modern-client.ts'
import { createTaskServer } from './task-server.ts'

const follows = {
  capabilities: { extensions: { 'io.modelcontextprotocol/tasks': {} }, elicitation: {} },
}

function serve(
  server: Server,
  options: ServeOptions = {},
): { readonly client: StandaloneClient; readonly service: Service } {
  const [near, far] = createTransportPair()
  const service = serveTransport(server, far, { onError: () => undefined, ...options })
  return { client: openStandaloneClient(near), service }
}

async function start(client: StandaloneClient, name: string): Promise<string> {
  const { result } = await client.request('tools/call', { name }, follows)
  expect(result).toMatchObject({ resultType: 'task' })
  return result?.['taskId'] as string
}

async function get(client: StandaloneClient, taskId: string): Promise<Record<string, unknown>> {
  await new Promise((resolve) => setImmediate(resolve))
  const { result } = await client.request('tasks/get', { taskId }, follows)
  return result ?? {}
}

test('a task asks, is answered and is cancelled at another process than its own', async () => {
  const store = createMemoryTaskStore()
  const here = serve(createTaskServer({ store }).server).client
  const { server, aborted } = createTaskServer({ store })
  const there = serve(server).client
  const requesting = await start(there, 'asks')
  const working = await start(there, 'work')
  while ((await get(here, requesting))['status'] !== 'input_required');
  const { inputRequests } = await get(here, requesting)
  const [key = ''] = Object.keys(inputRequests as object)

  const inputResponses = { [key]: { action: 'accept', content: { name: 'Ada' } } }
  await here.request('tasks/update', { taskId: requesting, inputResponses }, follows)
  await here.request('tasks/cancel', { taskId: working }, follows)

  while ((await get(here, requesting))['status'] !== 'completed');
  expect(await get(here, requesting)).toMatchObject({
    result: { content: [{ text: 'hello Ada' }] },
  })
  expect(aborted).toMatchObject([{ details: { by: 'caller' } }])
})

test('a task whose process says nothing any more has failed', async () => {
  const store = createMemoryTaskStore()
  const silent: TaskStore = { ...store, update: async () => new Promise(() => undefined) }
  const clock = createVirtualClock()
  const lost = serve(createTaskServer({ store: silent }).server, { clock }).client
  const other = serve(createTaskServer({ store }).server, { clock }).client
  const taskId = await start(lost, 'must')
  expect(await get(other, taskId)).toMatchObject({ status: 'working' })

  await clock.advance(30_000)

  expect(await get(other, taskId)).toMatchObject({
    status: 'failed',
    error: { code: -32603, data: { reason: 'node_lost' } },
  })
})

test('a task goes on for as long as its process says so', async () => {
  const clock = createVirtualClock()
  const { client } = serve(createTaskServer().server, { clock })
  const taskId = await start(client, 'must')

  await clock.advance(600_000)

  expect(await get(client, taskId)).toMatchObject({ status: 'working' })
})

test('a service that drains waits for its tasks, and fails those that are not done in time', async () => {
  const store = createMemoryTaskStore()
  const clock = createVirtualClock()
  const { server, gate, aborted } = createTaskServer({ store })
  const first = serve(server, { clock })
  const second = serve(server, { clock })
  const done = await start(first.client, 'must')
  const draining = first.service.drain({ deadlineMs: 5_000 })
  gate.open()
  const report = await draining
  const never = createTaskServer({ store })
  const third = serve(never.server, { clock })
  const starting = start(third.client, 'work')
  await clock.advance(1)
  const cut = await starting
  const ending = third.service.drain({ deadlineMs: 5_000 })
  await clock.advance(5_000)

  expect(report).toEqual({ finished: 1, aborted: 0 })
  expect(await ending).toEqual({ finished: 0, aborted: 1 })
  expect(await get(second.client, done)).toMatchObject({ status: 'completed' })
  expect(await get(second.client, cut)).toMatchObject({
    status: 'failed',
    error: { data: { reason: 'node_lost' } },
  })
  expect(never.aborted).toMatchObject([{ details: { by: 'drain' } }])
  expect(aborted).toEqual([])
})

test('a task that cannot be written down is an error of the call', async () => {
  const store = createMemoryTaskStore()
  const broken: TaskStore = { ...store, create: () => Promise.reject(new Error('disk full')) }
  const { server } = createTaskServer({ store: broken, maxPerPrincipal: 1 })
  const { client } = serve(server)

  for (const name of ['must', 'asks']) {
    const { error } = await client.request('tools/call', { name }, follows)
    expect(error).toMatchObject({
      code: -32603,
      message: expect.stringMatching(/^internal error/) as string,
    })
  }
})

test('two that change a task at once both have their say', async () => {
  const store = createMemoryTaskStore()
  let isContended = false
  const contended: TaskStore = {
    ...store,
    async update(record, expected) {
      if (isContended || record.status !== 'input_required') return store.update(record, expected)
      isContended = true
      const current = await store.get(record.principal, record.taskId)
      if (current) await store.update({ ...current, version: current.version + 1 }, current.version)
      return store.update(record, expected)
    },
  }
  const { client } = serve(createTaskServer({ store: contended }).server)
  const taskId = await start(client, 'asks')

  while ((await get(client, taskId))['status'] !== 'input_required');

  expect(isContended).toBe(true)
})

test('middleware sees that a call became a task', async () => {
  const { server } = createTaskServer()
  const outcomes: unknown[] = []
  server.use('tools/call', async (_, next) => {
    const outcome = await next()
    outcomes.push(outcome)
    return outcome
  })
  const { client } = serve(server)

  const taskId = await start(client, 'must')

  expect(outcomes).toEqual([{ resultType: 'task', taskId }])
})

test('a tool of a mounted server becomes a task of the server it is mounted in', async () => {
  const inner = createServer({ name: 'inner', version: '1' })
  inner.tool('dig', { task: 'optional' }, async (_, context) => {
    const { action } = await context.elicit({
      message: 'Deeper?',
      requestedSchema: { type: 'object', properties: {} } as never,
    })
    return action
  })
  const { server } = createTaskServer()
  server.mount('in', inner)
  const { client } = serve(server)

  const taskId = await start(client, 'in_dig')

  while ((await get(client, taskId))['status'] !== 'input_required');
})

test('a tool that has to be a task is refused where there are none', () => {
  const server = createServer({ name: 'none', version: '1' })

  expect(() => server.tool('must', { task: 'required' }, () => 'never')).toThrow(
    /tool "must": task: 'required' needs serverTasks\(\)/,
  )
})

test('options that cannot work are refused', () => {
  expect(() => createTaskServer({ maxPerPrincipal: 0 })).toThrow(/maxPerPrincipal/)
  expect(() => createTaskServer({ maxBytes: 0 })).toThrow(/maxBytes/)
  expect(() => createTaskServer({ ttlMs: Number.NaN })).toThrow(/ttlMs/)
})

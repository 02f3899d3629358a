import { isMcpError } from '@parley/mcp'
import type { ConnectOptions } from '@parley/mcp/client'
import { clientTasks, startTool } from '@parley/mcp/tasks'
import { createVirtualClock } from '@parley/mcp/testing'
import { expect, test, vi } from 'vitest'

import { describeMatrix, type MatrixCase } from '../support/matrix.ts'
import { openStandalone } from '../support/raw-modern-server.ts'
import type { RawServer } from '../support/raw-server.ts'

const related = 'io.modelcontextprotocol/related-task'
const stamps = { createdAt: '2026-07-28T00:00:00Z', lastUpdatedAt: '2026-07-28T00:00:00Z' }
const working = { taskId: 't', status: 'working', ...stamps, ttlMs: 60_000, pollIntervalMs: 10 }
const inputRequest = {
  method: 'elicitation/create',
  params: { message: 'Who?', requestedSchema: { type: 'object', properties: {} } },
}
const done = { resultType: 'complete', content: [{ type: 'text', text: 'done' }] }

/** Answers what is asked about a task until the script is over; listening is refused. It works again when all is answered. */
async function play(
  server: RawServer,
  states: readonly { readonly status?: string; readonly [member: string]: unknown }[],
  answers = 0,
): Promise<object[]> {
  const updates: object[] = []
  for (const [index, state] of states.entries()) {
    const isLastQuestion = states[index + 1]?.status === 'working'
    for (;;) {
      const { id, method, params } = await server.next(({ method: name }) => name !== undefined)
      if (method === 'tasks/get') {
        server.send({
          jsonrpc: '2.0',
          id,
          result: { resultType: 'complete', ...working, ...state },
        })
        if (!isLastQuestion || updates.length >= answers) break
      } else if (method === 'tasks/update') {
        updates.push(params ?? {})
        server.send({ jsonrpc: '2.0', id, result: { resultType: 'complete' } })
      } else if (method === 'subscriptions/listen') {
        server.send({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } })
      }
    }
  }
  return updates
}

function open(options: ConnectOptions = {}): ReturnType<typeof openStandalone> {
  return openStandalone({
    protocolVersion: '2026-07-28',
    extensions: [clientTasks()],
    elicit: () => ({ action: 'accept', content: {} }),
    ...options,
  })
}

test('a client declares the extension with every request, and no tasks of its own [N07-EXT-01, N07-XT-02]', async () => {
  const server = open()
  const client = await server.discovered()
  const calling = client.callTool('work')
  const request = await server.answer('tools/call', done)

  await calling

  const meta = request.params?.['_meta'] as Record<string, Record<string, unknown>>
  const capabilities = meta['io.modelcontextprotocol/clientCapabilities']
  expect(capabilities?.['extensions']).toEqual({ 'io.modelcontextprotocol/tasks': {} })
  expect(capabilities).not.toHaveProperty('tasks')
  await client.close()
})

test('each key is answered once, however often it is seen [N07-XT-09]', async () => {
  const elicit = vi.fn(() => ({ action: 'accept', content: {} }) as const)
  const server = open({ elicit })
  const client = await server.discovered()
  const calling = client.callTool('work')
  await server.answer('tools/call', { resultType: 'task', ...working })
  const requesting = { status: 'input_required', inputRequests: { a: inputRequest } }
  const both = { status: 'input_required', inputRequests: { a: inputRequest, b: inputRequest } }

  const states = [
    requesting,
    requesting,
    both,
    both,
    both,
    { status: 'working' },
    { status: 'completed', result: done },
  ]
  const updates = await play(server, states, 2)

  expect((await calling).content).toEqual(done.content)
  expect(elicit).toHaveBeenCalledTimes(2)
  expect(updates).toMatchObject([
    { taskId: 't', inputResponses: { a: { action: 'accept' } } },
    { taskId: 't', inputResponses: { b: { action: 'accept' } } },
  ])
  await client.close()
})

test('a task that asks more than 50 questions at once ends its call, and is cancelled', async () => {
  const elicit = vi.fn(() => ({ action: 'accept', content: {} }) as const)
  const server = open({ elicit, clock: createVirtualClock() }) // which stands still, so that nothing is allowed anew
  const client = await server.discovered()
  const calling = client.callTool('work')
  const outcome = calling.catch((error: unknown) => error)
  const keys = Array.from({ length: 60 }, (_, index) => [`q${index}`, inputRequest])
  const inputRequests = Object.fromEntries(keys) as object
  const requesting = { ...working, status: 'input_required', inputRequests }
  await server.answer('tools/call', { resultType: 'task', ...requesting })

  expect(await outcome).toMatchObject({ code: 'limit_exceeded', details: { limit: 'questions' } })
  expect(elicit).toHaveBeenCalledTimes(50)
  await server.expect('tasks/cancel')
  await client.close()
})

test('a task of what cannot be one is an invalid answer [N07-XT-04]', async () => {
  const server = open()
  const client = await server.discovered()
  const reading = client.readResource('mem://x').catch((error: unknown) => error)

  await server.answer('resources/read', { resultType: 'task', ...working })

  expect(isMcpError(await reading, 'invalid_message')).toBe(true)
  await client.close()
})

test('a task is an invalid answer to a client that did not ask for the extension [N07-XT-04]', async () => {
  const server = open({ extensions: [] })
  const client = await server.discovered()
  const calling = client.callTool('work').catch((error: unknown) => error)

  await server.answer('tools/call', { resultType: 'task', ...working })

  expect(isMcpError(await calling, 'invalid_message')).toBe(true)
  await client.close()
})

test('what is no task is an invalid answer', async () => {
  const server = open()
  const client = await server.discovered()
  const calling = client.callTool('work').catch((error: unknown) => error)

  await server.answer('tools/call', { resultType: 'task', taskId: 7 })

  const error = await calling
  expect(isMcpError(error, 'invalid_message')).toBe(true)
  expect((error as Error).message).toContain('taskId')
  await client.close()
})

test('a notification makes it look at once, whatever the interval [N07-XT-13]', async () => {
  const clock = createVirtualClock()
  const server = open({ clock })
  const client = await server.discovered()
  const calling = client.callTool('work')
  await server.answer('tools/call', { resultType: 'task', ...working, pollIntervalMs: 3_600_000 })
  const listen = await server.expect('subscriptions/listen')
  expect(listen.params?.['notifications']).toEqual({ taskIds: ['t'] })
  server.notify(listen, 'notifications/subscriptions/acknowledged', {
    notifications: { taskIds: ['t'] },
  })

  server.notify(listen, 'notifications/tasks', { ...working, status: 'completed', result: done })
  await play(server, [{ status: 'completed', result: done }])

  expect((await calling).content).toEqual(done.content)
  await client.close()
})

test('the interval may change while a task lasts [N07-XT-08]', async () => {
  const clock = createVirtualClock()
  const server = open({ clock })
  const client = await server.discovered()
  const calling = client.callTool('work')
  await server.answer('tools/call', { resultType: 'task', ...working, pollIntervalMs: 1_000 })
  const asked = (): number => server.received.filter(({ method }) => method === 'tasks/get').length

  await clock.advance(1_000)
  await play(server, [{ pollIntervalMs: 30_000 }])
  await clock.advance(29_000)
  const early = asked()
  await clock.advance(1_000)
  const late = asked()
  await play(server, [{ status: 'completed', result: done }])

  expect([early, late]).toEqual([1, 2])
  await calling
  await client.close()
})

describeMatrix(
  'a client with tasks on a scripted server',
  (matrix: MatrixCase) => {
    const tools = [
      { name: 'must', inputSchema: { type: 'object' }, execution: { taskSupport: 'required' } },
      { name: 'may', inputSchema: { type: 'object' }, execution: { taskSupport: 'optional' } },
      { name: 'never', inputSchema: { type: 'object' } },
    ]
    const task = { taskId: 't', status: 'working', ...stamps, ttl: null, pollInterval: 10 }
    const declared = { tools: {}, tasks: { requests: { tools: { call: {} } } } }

    test('asks for a task where tool and server allow it, and not elsewhere [N11-TASK-01, N11-TASK-03, N11-TASK-04]', async () => {
      for (const capabilities of [declared, { tools: {} }, { tools: {}, tasks: {} }]) {
        const server = matrix.rawServer({ extensions: [clientTasks()] })
        const client = await server.accept({ capabilities })
        const listing = client.listTools().toArray()
        await server.answer('tools/list', { tools })
        await listing
        const asked: Record<string, boolean> = {}
        for (const { name } of tools) {
          for (const start of [false, true]) {
            const calling = start ? startTool(client, name, {}) : client.callTool(name)
            const { params } = await server.answer('tools/call', { content: [] })
            asked[`${name} ${start}`] = params?.['task'] !== undefined
            await calling
          }
        }

        const mayAsk = capabilities === declared
        expect(asked).toEqual({
          'must false': mayAsk,
          'must true': mayAsk,
          'may false': false,
          'may true': mayAsk,
          'never false': false,
          'never true': false,
        })
        await client.close()
      }
    })

    test('declares no tasks of its own if told so, and ignores being asked for one [N11-TASK-02]', async () => {
      const server = matrix.rawServer({
        extensions: [clientTasks({ inputRequests: false })],
        elicit: () => ({ action: 'accept', content: {} }),
      })
      const hello = await server.expect('initialize')
      server.send({
        jsonrpc: '2.0',
        id: hello.id,
        result: {
          protocolVersion: '2025-11-25',
          capabilities: {},
          serverInfo: { name: 's', version: '1' },
        },
      })
      const client = await server.client
      await server.expect('notifications/initialized')

      server.send({
        jsonrpc: '2.0',
        id: 'q',
        method: inputRequest.method,
        params: { ...inputRequest.params, task: { ttl: 1_000 } },
      })
      const answer = await server.next(({ id }) => id === 'q')

      expect(hello.params?.['capabilities']).not.toHaveProperty('tasks')
      expect(hello.params?.['capabilities']).not.toHaveProperty('extensions')
      expect(answer.result).toMatchObject({ action: 'accept' })
      await client.close()
    })

    test('looks until the end without any notification, then fetches the result [N11-TASK-12, N11-TASK-13, N11-TASK-17, N11-TASK-28]', async () => {
      const server = matrix.rawServer({ extensions: [clientTasks()] })
      const client = await server.accept({ capabilities: declared })
      const calling = client.callTool('must')
      await server.answer('tools/list', { tools })
      const _meta = { 'io.modelcontextprotocol/model-immediate-response': 'I am on it' }
      await server.answer('tools/call', { task, _meta })
      await server.answer('tasks/get', task)
      await server.answer('tasks/get', { ...task, status: 'completed' })

      const fetched = await server.answer('tasks/result', {
        content: [{ type: 'text', text: 'done' }],
        _meta: { [related]: { taskId: 't' } },
      })

      expect(fetched.params).toEqual({ taskId: 't' })
      expect((await calling).content).toEqual([{ type: 'text', text: 'done' }])
      await client.close()
    })

    test('waits for the result where a task asks, so that it can be asked [N11-TASK-14]', async () => {
      const server = matrix.rawServer({
        extensions: [clientTasks()],
        elicit: () => ({ action: 'accept', content: {} }),
      })
      const client = await server.accept({ capabilities: declared })
      const calling = client.callTool('must')
      await server.answer('tools/list', { tools })
      await server.answer('tools/call', { task })
      await server.answer('tasks/get', { ...task, status: 'input_required' })
      const waiting = await server.expect('tasks/result')

      server.send({
        jsonrpc: '2.0',
        id: 'q',
        method: inputRequest.method,
        params: { ...inputRequest.params, _meta: { [related]: { taskId: 't' } } },
      })
      const answer = await server.next(({ id }) => id === 'q')
      const result = { content: [{ type: 'text', text: 'done' }] }
      server.send({ jsonrpc: '2.0', id: waiting.id, result })
      await server.answer('tasks/get', { ...task, status: 'completed' })
      await server.answer('tasks/result', result)

      expect(answer.result).toMatchObject({ action: 'accept' })
      expect((await calling).content).toEqual(result.content)
      await client.close()
    })
  },
  { channels: ['memory', 'text'], revisions: ['2025-11-25'] },
)

import type { AuthInfo } from '@parley/mcp'
import { createServer, type ServeOptions, type Server } from '@parley/mcp/server'
import { createMemoryTaskStore } from '@parley/mcp/tasks'
import { createVirtualClock, testAuth } from '@parley/mcp/testing'
import { afterEach, expect, test } from 'vitest'

import { describeServer, type MatrixCase } from '../support/matrix.ts'
import type { Raw } from '../support/raw-channel.ts'
import type { RawClient } from '../support/raw-client.ts'
import { createTaskServer, turn } from './task-server.ts'

const related = 'io.modelcontextprotocol/related-task'

/** What tests read of a task. */
interface SeenTask {
  readonly taskId: string
  readonly status: string
  readonly [member: string]: unknown
}

const opened: RawClient[] = []
afterEach(async () => {
  for (const client of opened.splice(0)) {
    await client.close()
    await client.service.drain({ deadlineMs: 0 })
  }
})

async function open(
  { rawClient }: MatrixCase,
  server: Server,
  options: ServeOptions & { auth?: AuthInfo } = {},
): Promise<RawClient> {
  const client = await rawClient(server, { capabilities: { elicitation: {} }, ...options })
  opened.push(client)
  return client
}

async function start(client: RawClient, name: string, more: object = {}): Promise<SeenTask> {
  const { result } = await client.request('tools/call', { name, task: {}, ...more })
  expect(Object.keys(result ?? {})).toEqual(['task'])
  return result?.['task'] as SeenTask
}

async function get(client: RawClient, taskId: string): Promise<SeenTask> {
  await turn() // in memory all is answered before anything else gets its turn
  const { result, error } = await client.request('tasks/get', { taskId })
  expect(error).toBeUndefined()
  return result as unknown as SeenTask
}

async function until(client: RawClient, taskId: string, status: string): Promise<SeenTask> {
  for (;;) {
    const task = await get(client, taskId)
    if (task.status === status) return task
    expect(['working', 'input_required']).toContain(task.status)
  }
}

describeServer(
  'tasks in 2025-11-25',
  (matrix) => {
    const isNetwork = matrix.channel === 'http' || matrix.channel === 'fetch'

    test('are declared, with their cancelling, and with their list only to those who can be told apart [N11-TASK-01, N11-TASK-25, N11-CAP-03, N11-T-03]', async () => {
      const { server } = createTaskServer()
      const anyone = await open(matrix, server)
      const known = await open(matrix, server, { auth: testAuth({ subject: 'ada' }) })
      const asked = await open(matrix, createTaskServer({ list: true }).server)

      const declared = { cancel: {}, requests: { tools: { call: {} } } }
      const list = isNetwork ? {} : { list: {} }
      expect(capabilities(anyone)['tasks']).toEqual({ ...declared, ...list })
      expect(capabilities(known)['tasks']).toEqual({ ...declared, list: {} })
      expect(capabilities(asked)['tasks']).toEqual({ ...declared, list: {} })
      expect(capabilities(anyone)).not.toHaveProperty('extensions')
      const { error } = await anyone.request('tasks/list')
      expect(error?.code).toBe(isNetwork ? -32601 : undefined)
    })

    test('are listed to nobody unverified where others share the store, or the author says no [N11-TASK-25]', async () => {
      const shared = createTaskServer({ store: createMemoryTaskStore() })
      const never = createTaskServer({ list: false })

      for (const { server } of [shared, never]) {
        const client = await open(matrix, server)
        expect(capabilities(client)['tasks']).not.toHaveProperty('list')
        const { error } = await client.request('tasks/list')
        expect(error?.code).toBe(-32601)
      }
    })

    test('say which tools take none, where the author says so [N11-TOOL-06]', async () => {
      const server = createServer({ name: 'said', version: '1.0.0' })
      server.tool('unsaid', {}, () => 'plain')
      server.tool('said', { task: 'never', _meta: { 'example/tag': 'a' } }, () => 'plain')

      const client = await open(matrix, server)
      const { result } = await client.request('tools/list')

      const inputSchema = { type: 'object', properties: {}, additionalProperties: false }
      expect(result?.['tools']).toEqual([
        { name: 'unsaid', inputSchema },
        {
          name: 'said',
          inputSchema,
          execution: { taskSupport: 'forbidden' },
          _meta: { 'example/tag': 'a' },
        },
      ])
    })

    test('are not asked for by a server without them: the member is ignored [N11-TASK-02]', async () => {
      const server = createServer({ name: 'none', version: '1' })
      server.tool('plain', { task: 'optional' }, () => 'plain')
      const client = await open(matrix, server)

      const { result } = await client.request('tools/call', { name: 'plain', task: {} })

      expect(result).toMatchObject({ content: [{ text: 'plain' }] })
      expect(capabilities(client)).not.toHaveProperty('tasks')
      expect((await client.request('tasks/get', { taskId: 'x' })).error?.code).toBe(-32601)
    })

    test('are shown by the tools that may be one [N11-TASK-03]', async () => {
      const { server } = createTaskServer()
      const client = await open(matrix, server)

      const { result } = await client.request('tools/list')

      const tools = result?.['tools'] as { name: string; execution?: object }[]
      const support = Object.fromEntries(tools.map(({ name, execution }) => [name, execution]))
      expect(support).toMatchObject({
        work: { taskSupport: 'optional' },
        must: { taskSupport: 'required' },
      })
      expect(support['plain']).toBeUndefined()
    })

    test('are required or refused as the tool has it [N11-TASK-04, N11-TASK-05]', async () => {
      const { server } = createTaskServer()
      const client = await open(matrix, server)

      const plain = await client.request('tools/call', { name: 'must' })
      const forbidden = await client.request('tools/call', { name: 'plain', task: {} })

      expect(plain.error?.code).toBe(-32601)
      expect(forbidden.error?.code).toBe(-32601)
    })

    test('are not insisted on where a tool leaves it to the caller [N11-TASK-06]', async () => {
      const { server } = createTaskServer()
      const client = await open(matrix, server)

      const { result } = await client.request('tools/call', { name: 'quick' })

      expect(result).toMatchObject({ content: [{ text: 'done' }] })
    })

    test('are answered at once, without the result, and say how long they last [N11-TASK-07, N11-TASK-08, N11-TASK-10]', async () => {
      const { server } = createTaskServer({ ttlMs: 60_000 })
      const client = await open(matrix, server)

      const first = await start(client, 'work', { task: { ttl: 10_000 } })
      const second = await start(client, 'quick', { task: { ttl: 99_000_000 } })

      expect(first).toEqual({
        taskId: expect.any(String) as string,
        status: 'working',
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
        lastUpdatedAt: expect.any(String) as string,
        ttl: 10_000,
        pollInterval: 100,
      })
      expect(second).toMatchObject({ status: 'working', ttl: 60_000 })
      expect(second.taskId).not.toBe(first.taskId)
      expect(second.taskId).toMatch(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/)
    })

    test('are gone when their time is over [N11-TASK-11, N11-TASK-22]', async () => {
      const clock = createVirtualClock()
      const { server } = createTaskServer()
      const client = await open(matrix, server, { clock })
      const { taskId } = await start(client, 'quick', { task: { ttl: 5_000 } })
      await until(client, taskId, 'completed')

      await clock.advance(5_001)

      for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel']) {
        expect((await client.request(method, { taskId })).error?.code).toBe(-32602)
      }
    })

    test('give the result of the call to those who wait for it [N11-TASK-13, N11-TASK-16]', async () => {
      const { server, gate } = createTaskServer()
      const client = await open(matrix, server)
      const working = await start(client, 'work')
      const failing = await start(client, 'fails')
      const breaking = await start(client, 'breaks')
      const results = [working, failing, breaking].map(({ taskId }) =>
        client.request('tasks/result', { taskId }),
      )

      gate.open()
      const [worked, failed, broke] = await Promise.all(results)

      expect(worked?.result).toEqual({
        content: [{ type: 'text', text: 'worked' }],
        _meta: { [related]: { taskId: working.taskId } },
      })
      expect(failed?.result).toEqual({
        content: [{ type: 'text', text: 'the tool failed' }],
        isError: true,
        _meta: { [related]: { taskId: failing.taskId } },
      })
      expect(broke?.error).toEqual({ code: -32602, message: 'the protocol failed' })
    })

    test('have failed when the tool reports an error, and say why [N11-TASK-23]', async () => {
      const { server, gate } = createTaskServer()
      const client = await open(matrix, server)
      const failing = await start(client, 'fails')
      const breaking = await start(client, 'breaks')
      gate.open()

      const failed = await until(client, failing.taskId, 'failed')
      const broke = await until(client, breaking.taskId, 'failed')

      expect(failed['statusMessage']).toBe('the tool failed')
      expect(broke['statusMessage']).toBe('the protocol failed')
    })

    test('ask on the stream of those who wait for the result [N11-TASK-14, N11-TASK-15, N11-TASK-16]', async () => {
      const { server } = createTaskServer()
      const client = await open(matrix, server)
      const { taskId } = await start(client, 'asks')
      await until(client, taskId, 'input_required')
      expect(client.received.filter(({ method }) => method === 'elicitation/create')).toEqual([])

      const result = client.request('tasks/result', { taskId })
      const inputRequest = await client.next(({ method }) => method === 'elicitation/create')
      client.send({
        jsonrpc: '2.0',
        id: inputRequest.id,
        result: { action: 'accept', content: { name: 'Ada' } },
      })

      expect(inputRequest.params).toMatchObject({
        message: 'Who?',
        _meta: { [related]: { taskId } },
      })
      expect((await result).result).toMatchObject({ content: [{ text: 'hello Ada' }] })
      expect((await get(client, taskId)).status).toBe('completed')
    })

    test('hear it when the client refuses to answer [N11-TASK-15]', async () => {
      const { server } = createTaskServer()
      const client = await open(matrix, server)
      const { taskId } = await start(client, 'asks')

      const result = client.request('tasks/result', { taskId })
      const inputRequest = await client.next(({ method }) => method === 'elicitation/create')
      client.send({ jsonrpc: '2.0', id: inputRequest.id, error: { code: -1, message: 'not now' } })

      expect((await result).error).toMatchObject({ code: -1, message: 'not now' })
      expect((await get(client, taskId)).status).toBe('failed')
    })

    test('ask again where the next waits, if the first one leaves [N11-TASK-14]', async () => {
      const { server } = createTaskServer()
      const client = await open(matrix, server)
      const { taskId } = await start(client, 'asks')
      client.request('tasks/result', { taskId }, 'first').catch(() => undefined)
      await client.next(({ method }) => method === 'elicitation/create')

      const result = client.request('tasks/result', { taskId }, 'second')
      const again = await client.next(({ method }) => method === 'elicitation/create')
      client.send({ jsonrpc: '2.0', id: again.id, result: { action: 'decline' } })

      expect((await result).result).toMatchObject({ content: [{ text: 'decline' }] })
    })

    test('are looked at without being related to anything [N11-TASK-16, N11-TASK-27]', async () => {
      const { server } = createTaskServer({ list: true })
      const client = await open(matrix, server)
      const { taskId } = await start(client, 'work')
      const unexpected = { _meta: { [related]: { taskId: 'another' } } }

      const got = await client.request('tasks/get', { taskId, ...unexpected })
      const listed = await client.request('tasks/list', unexpected)
      const cancelled = await client.request('tasks/cancel', { taskId, ...unexpected })

      expect(got.result).toMatchObject({ taskId })
      for (const { result } of [got, listed, cancelled]) expect(result).not.toHaveProperty('_meta')
    })

    test('tell their states without being asked, unrelated [N11-TASK-17]', async () => {
      const { server, gate } = createTaskServer()
      const client = await open(matrix, server)
      const { taskId } = await start(client, 'work')
      const result = client.request('tasks/result', { taskId })
      await client.quiet()

      gate.open()
      const told = await client.next(({ method }) => method === 'notifications/tasks/status')

      expect(told.params).toMatchObject({
        taskId,
        status: 'completed',
        ttl: expect.any(Number) as number,
      })
      expect(told.params).not.toHaveProperty('_meta')
      await result
    })

    test('are listed page by page, to whom they belong [N11-TASK-18, N11-TASK-24]', async () => {
      const { server } = createTaskServer({ maxPerPrincipal: 200 })
      const ada = await open(matrix, server, { auth: testAuth({ subject: 'ada' }) })
      const eve = await open(matrix, server, { auth: testAuth({ subject: 'eve' }) })
      const made: string[] = []
      for (let count = 0; count < 60; count += 1) made.push((await start(ada, 'work')).taskId)

      const listed: string[] = []
      let cursor: unknown
      do {
        const { result } = await ada.request('tasks/list', cursor === undefined ? {} : { cursor })
        const page = result?.['tasks'] as SeenTask[]
        expect(page.length).toBeLessThan(60)
        listed.push(...page.map(({ taskId }) => taskId))
        cursor = result?.['nextCursor']
      } while (cursor !== undefined)

      expect(listed).toEqual(made)
      expect((await eve.request('tasks/list')).result).toEqual({ tasks: [] })
      const bad = await ada.request('tasks/list', { cursor: 'made up' })
      expect(bad.error?.code).toBe(-32602)
    })

    test('do not exist for others [N11-TASK-24, N11-TASK-22]', async () => {
      const { server } = createTaskServer()
      const ada = await open(matrix, server, { auth: testAuth({ subject: 'ada' }) })
      const eve = await open(matrix, server, { auth: testAuth({ subject: 'eve' }) })
      const { taskId } = await start(ada, 'work')

      for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel']) {
        expect((await eve.request(method, { taskId })).error).toMatchObject({ code: -32602 })
      }
      expect((await get(ada, taskId)).status).toBe('working')
    })

    test('are cancelled for good, and only once [N11-TASK-19]', async () => {
      const { server, gate, aborted } = createTaskServer()
      const client = await open(matrix, server)
      const { taskId } = await start(client, 'work')
      const waiting = client.request('tasks/result', { taskId })

      const cancelled = await client.request('tasks/cancel', { taskId })
      gate.open()
      const again = await client.request('tasks/cancel', { taskId })
      await client.quiet()

      expect(cancelled.result).toMatchObject({ taskId, status: 'cancelled' })
      expect(again.error?.code).toBe(-32602)
      expect((await waiting).error?.code).toBe(-32603)
      expect(aborted).toHaveLength(1)
      expect((await get(client, taskId)).status).toBe('cancelled')
    })

    test('are not cancelled with the request that began them [N11-TASK-20]', async () => {
      const { server, gate } = createTaskServer()
      const client = await open(matrix, server)
      const answer = await client.request('tools/call', { name: 'work', task: {} }, 'began')
      const { taskId } = (answer.result as { task: SeenTask }).task

      client.notify('notifications/cancelled', { requestId: 'began' })
      client.notify('notifications/cancelled', {})
      await client.quiet()
      gate.open()

      await until(client, taskId, 'completed')
    })

    test('stay when the session ends they began in', async () => {
      const { server, gate } = createTaskServer()
      const auth = testAuth({ subject: 'ada' })
      const first = await open(matrix, server, { auth })
      const { taskId } = await start(first, 'work')
      await first.close()
      const second = await open(matrix, server, { auth })

      gate.open()

      await until(second, taskId, 'completed')
      const { result } = await second.request('tasks/result', { taskId })
      expect(result).toMatchObject({ content: [{ text: 'worked' }] })
    })

    test('log under the same name before and after the call is answered [LOG-11]', async () => {
      const { server, gate } = createTaskServer()
      const client = await open(matrix, server)
      const { taskId } = await start(client, 'logs')
      gate.open()
      await until(client, taskId, 'completed')

      const messages = client.received.filter(({ method }) => method === 'notifications/message')
      expect(messages.map(({ params }) => [params?.['data'], params?.['logger']])).toEqual([
        ['before', 'worker'],
        ['after', 'worker'],
      ])
    })

    test('report progress by the token they were given, until they end [N11-TASK-21, N11-TASK-16]', async () => {
      const { server } = createTaskServer()
      let report: ((progress: number) => Promise<void>) | undefined
      let finish: (() => void) | undefined
      server.tool('reports', { task: 'required' }, async (_, { progress }) => {
        report = (value) => progress({ progress: value })
        await new Promise<void>((resolve) => (finish = resolve))
        return 'reported'
      })
      const client = await open(matrix, server)
      const { taskId } = await start(client, 'reports', { _meta: { progressToken: 'token' } })
      const result = client.request('tasks/result', { taskId })
      await client.quiet()

      await report?.(1)
      const progress = await client.next(({ method }) => method === 'notifications/progress')
      finish?.()
      await result
      await report?.(2)
      const later = await client.quiet()

      expect(progress.params).toEqual({
        progressToken: 'token',
        progress: 1,
        _meta: { [related]: { taskId } },
      })
      expect(later.filter(({ method }) => method === 'notifications/progress')).toEqual([])
    })

    test('are limited in number, and are asked for to no avail then [N11-TASK-26]', async () => {
      const { server } = createTaskServer({ maxPerPrincipal: 1 })
      const client = await open(matrix, server)
      await start(client, 'work')

      const { error } = await client.request('tools/call', { name: 'work', task: {} })

      expect(error).toMatchObject({ data: { reason: 'overloaded' } })
    })

    test('of wrong shape are bad params [N11-TASK-22]', async () => {
      const { server } = createTaskServer()
      const client = await open(matrix, server)

      const answers: Raw[] = [
        await client.request('tasks/get', {}),
        await client.request('tasks/result', { taskId: 7 }),
        await client.request('tasks/cancel', { taskId: 'nowhere' }),
        await client.request('tools/call', { name: 'work', task: { ttl: 'long' } }),
      ]

      expect(answers.map(({ error }) => error?.code)).toEqual([-32602, -32602, -32602, -32602])
    })

    test('know nothing of the extension that came later [N07-XT-17]', async () => {
      const { server } = createTaskServer()
      const client = await open(matrix, server)
      const { taskId } = await start(client, 'asks')

      const update = await client.request('tasks/update', { taskId, inputResponses: {} })

      expect(update.error?.code).toBe(-32601)
    })
  },
  { revisions: ['2025-11-25'] },
)

describeServer(
  'tasks before 2025-11-25',
  (matrix) => {
    test('do not exist: what may be one runs inline, what has to be one cannot be called [N11-TASK-02]', async () => {
      const { server, gate } = createTaskServer()
      const client = await open(matrix, server)
      gate.open()

      const optional = await client.request('tools/call', { name: 'work', task: {} })
      const required = await client.request('tools/call', { name: 'must', task: {} })

      expect(optional.result).toMatchObject({ content: [{ text: 'worked' }] })
      expect(required.result).toMatchObject({ isError: true })
      expect((await client.request('tasks/get', { taskId: 'x' })).error?.code).toBe(-32601)
      expect(capabilities(client)).not.toHaveProperty('tasks')
    })
  },
  { revisions: ['2025-06-18', '2024-11-05'] },
)

function capabilities({ serverInfo }: RawClient): Record<string, unknown> {
  return serverInfo.result?.['capabilities'] as Record<string, unknown>
}

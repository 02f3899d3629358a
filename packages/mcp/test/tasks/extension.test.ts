import { createVirtualClock, testAuth } from '@parley/mcp/testing'
import { expect, test } from 'vitest'

import {
  describeStandalone,
  type StandaloneClient,
  type StandaloneRequest,
} from '../support/modern-client.ts'
import type { Raw } from '../support/raw-channel.ts'
import { createTaskServer, turn } from './task-server.ts'

const extension = 'io.modelcontextprotocol/tasks'
const follows: StandaloneRequest = {
  capabilities: { extensions: { [extension]: {} }, elicitation: {} },
}

/** What tests read of a task. */
interface SeenTask {
  readonly taskId: string
  readonly status: string
  readonly [member: string]: unknown
}

function taskOf({ result, error }: Raw): SeenTask {
  expect(error).toBeUndefined()
  return result as unknown as SeenTask
}

async function start(client: StandaloneClient, name: string): Promise<SeenTask> {
  const answer = await client.request('tools/call', { name }, follows)
  expect(answer.result).toMatchObject({ resultType: 'task' })
  return taskOf(answer)
}

async function get(client: StandaloneClient, taskId: string): Promise<SeenTask> {
  await turn() // in memory all is answered before anything else gets its turn
  return taskOf(await client.request('tasks/get', { taskId }, follows))
}

/** Looks until the task has come to a state. */
async function until(client: StandaloneClient, taskId: string, status: string): Promise<SeenTask> {
  for (;;) {
    const task = await get(client, taskId)
    if (task.status === status) return task
    expect(['working', 'input_required']).toContain(task.status)
  }
}

describeStandalone('tasks as an extension', ({ open }) => {
  test('are declared in discovery, and the capability of 2025-11-25 is not [N07-XT-17]', async () => {
    const { server } = createTaskServer()
    const client = await open(server)

    const { result } = await client.request('server/discover')

    const capabilities = result?.['capabilities'] as Record<string, object>
    expect(capabilities['extensions']).toEqual({ [extension]: {} })
    expect(capabilities).not.toHaveProperty('tasks')
  })

  test('take the place of a result, flat, and can be found at once [N07-XT-01, N07-XT-03, N07-XT-05]', async () => {
    const { server, gate } = createTaskServer()
    const client = await open(server)

    const task = await start(client, 'work')

    expect(task).toEqual({
      resultType: 'task',
      taskId: expect.any(String) as string,
      status: 'working',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
      lastUpdatedAt: expect.any(String) as string,
      ttlMs: 3_600_000,
      pollIntervalMs: 100,
      _meta: expect.any(Object) as object,
    })
    const found = await get(client, task.taskId)
    expect(found).toMatchObject({ resultType: 'complete', taskId: task.taskId, status: 'working' })
    gate.open()
    const ended = await until(client, task.taskId, 'completed')
    expect(ended).toMatchObject({
      resultType: 'complete',
      result: { resultType: 'complete', content: [{ type: 'text', text: 'worked' }] },
    })
    expect(ended).not.toHaveProperty('inputRequests')
  })

  test('are not made of what is done soon enough [N07-XT-01]', async () => {
    const { server } = createTaskServer({ inlineMs: 60_000 })
    const client = await open(server)

    const { result } = await client.request('tools/call', { name: 'quick' }, follows)

    expect(result).toMatchObject({ resultType: 'complete', content: [{ text: 'done' }] })
  })

  test('need a caller whose request declares them [N07-XT-02, N07-EXT-02]', async () => {
    const { server, gate } = createTaskServer()
    const client = await open(server)
    gate.open()

    const optional = await client.request('tools/call', { name: 'work' })
    const required = await client.request('tools/call', { name: 'must' })

    expect(optional.result).toMatchObject({ resultType: 'complete', content: [{ text: 'worked' }] })
    expect(required.error).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { extensions: { [extension]: {} } } },
    })
  })

  test('are required where a tool says so, however quick it is [N07-XT-03]', async () => {
    const { server, gate } = createTaskServer()
    const client = await open(server)
    gate.open()

    const { taskId } = await start(client, 'must')

    const ended = await until(client, taskId, 'completed')
    expect(ended).toMatchObject({ result: { content: [{ text: 'had to' }] } })
  })

  test('fail by protocol errors alone; a tool that reports an error has completed [N07-XT-06, N07-XT-07]', async () => {
    const { server, gate } = createTaskServer()
    const client = await open(server)
    const failing = await start(client, 'fails')
    const breaking = await start(client, 'breaks')
    gate.open()

    const failed = await until(client, failing.taskId, 'completed')
    const broken = await until(client, breaking.taskId, 'failed')

    expect(failed).toMatchObject({
      result: { isError: true, content: [{ text: 'the tool failed' }] },
    })
    expect(broken).toMatchObject({ error: { code: -32602, message: 'the protocol failed' } })
    expect(broken).not.toHaveProperty('result')
  })

  test('ask by their state, and go on when answered [N07-XT-06, N07-XT-10]', async () => {
    const { server } = createTaskServer({ inlineMs: 60_000 })
    const client = await open(server)
    const { taskId } = await start(client, 'asks')

    const requesting = await until(client, taskId, 'input_required')
    const [key = ''] = Object.keys(requesting['inputRequests'] as object)
    expect(requesting['inputRequests']).toEqual({
      [key]: {
        method: 'elicitation/create',
        params: { message: 'Who?', requestedSchema: expect.any(Object) as object },
      },
    })
    const answers = { [key]: { action: 'accept', content: { name: 'Ada' } } }
    const ack = await client.request('tasks/update', { taskId, inputResponses: answers }, follows)

    expect(ack.result).toEqual({ resultType: 'complete', _meta: expect.any(Object) as object })
    const ended = await until(client, taskId, 'completed')
    expect(ended).toMatchObject({ result: { content: [{ text: 'hello Ada' }] } })
  })

  test('take answers one by one, each once, and ignore the rest [N07-XT-10]', async () => {
    const { server } = createTaskServer()
    const client = await open(server)
    const { taskId } = await start(client, 'asks-twice')
    let requesting = await until(client, taskId, 'input_required')
    while (Object.keys(requesting['inputRequests'] as object).length < 2)
      requesting = await get(client, taskId)
    const say = (key: string, name: string): Promise<Raw> =>
      client.request(
        'tasks/update',
        { taskId, inputResponses: { [key]: { action: 'accept', content: { name } } } },
        follows,
      )

    await say('unheard of', 'Eve')
    await say('first', 'Ada')
    await say('first', 'Bob')
    const half = await get(client, taskId)
    await say('second', 'Cy')

    expect(half.status).toBe('input_required')
    expect(Object.keys(half['inputRequests'] as object)).toEqual(['second'])
    const ended = await until(client, taskId, 'completed')
    expect(ended).toMatchObject({ result: { content: [{ text: 'Ada,Cy' }] } })
  })

  test('ask again under a new key when an answer does not fit [N07-XT-10]', async () => {
    const { server } = createTaskServer()
    const client = await open(server)
    const { taskId } = await start(client, 'asks')
    const first = await until(client, taskId, 'input_required')
    const [key = ''] = Object.keys(first['inputRequests'] as object)
    const misfit = { [key]: { action: 'accept', content: { name: 7 } } }

    await client.request('tasks/update', { taskId, inputResponses: misfit }, follows)

    let again: string | undefined = key
    while (again === undefined || again === key) {
      const { inputRequests = {} } = await get(client, taskId)
      again = Object.keys(inputRequests as object)[0]
    }
    expect(again).not.toBe(key)
  })

  test('ask no more often than a conversation would, and fail then', async () => {
    const { server } = createTaskServer()
    const client = await open(server, { limits: { rounds: 2 } })
    const { taskId } = await start(client, 'asks')

    for (let round = 0; round < 2; round += 1) {
      const { inputRequests } = await until(client, taskId, 'input_required')
      const [key = ''] = Object.keys(inputRequests as object)
      const inputResponses = { [key]: { action: 'accept', content: {} } }
      await client.request('tasks/update', { taskId, inputResponses }, follows)
    }

    const ended = await until(client, taskId, 'completed')
    expect(ended).toMatchObject({ result: { isError: true } })
  })

  test('are made when all rounds are over [N07-XT-18]', async () => {
    const { server, gate } = createTaskServer()
    const client = await open(server)
    gate.open()

    const round = await client.request('tools/call', { name: 'confirms' }, follows)
    const { requestState } = round.result as { requestState: string }
    const answers = { user_name: { action: 'accept', content: { name: 'Ada' } } }
    const params = { name: 'confirms', requestState, inputResponses: answers }
    const second = await client.request('tools/call', params, follows)

    expect(round.result).toMatchObject({ resultType: 'input_required' })
    expect(second.result).toMatchObject({ resultType: 'task' })
    expect(second.result).not.toHaveProperty('requestState')
    const ended = await until(client, taskOf(second).taskId, 'completed')
    expect(ended).toMatchObject({ result: { content: [{ text: 'confirmed by Ada' }] } })
  })

  test('are cancelled by asking, which aborts the work and stays so [N07-XT-11]', async () => {
    const { server, gate, aborted } = createTaskServer()
    const client = await open(server)
    const { taskId } = await start(client, 'work')

    const ack = await client.request('tasks/cancel', { taskId }, follows)
    const cancelled = await until(client, taskId, 'cancelled')
    gate.open()
    await client.quiet()
    const again = await client.request('tasks/cancel', { taskId }, follows)

    expect(ack.result).toEqual({ resultType: 'complete', _meta: expect.any(Object) as object })
    expect(again.result).toMatchObject({ resultType: 'complete' })
    expect(aborted).toMatchObject([{ code: 'cancelled', details: { by: 'caller' } }])
    expect(cancelled).not.toHaveProperty('result')
    expect((await get(client, taskId)).status).toBe('cancelled')
  })

  test('outlive a cancelled notification for the request that began them [N07-XT-11]', async () => {
    const { server, gate } = createTaskServer()
    const client = await open(server)
    const answer = await client.request('tools/call', { name: 'work' }, { ...follows, id: 'began' })
    client.notify('notifications/cancelled', { requestId: 'began' })
    await client.quiet()

    gate.open()

    const ended = await until(client, taskOf(answer).taskId, 'completed')
    expect(ended).toMatchObject({ result: { content: [{ text: 'worked' }] } })
  })

  test('are refused by number: unknown ids, and callers that do not declare them [N07-XT-12]', async () => {
    const { server } = createTaskServer()
    const client = await open(server)
    const { taskId } = await start(client, 'work')
    const unknown = { taskId: 'nowhere', inputResponses: {} }
    const known = { taskId, inputResponses: {} }

    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      const missing = await client.request(method, unknown, follows)
      const undeclared = await client.request(method, known)
      expect(missing.error?.code).toBe(-32602)
      expect(undeclared.error).toMatchObject({
        code: -32021,
        data: { requiredCapabilities: { extensions: { [extension]: {} } } },
      })
    }
    const listen = { notifications: { taskIds: [taskId] } }
    expect((await client.request('subscriptions/listen', listen)).error?.code).toBe(-32021)
    expect((await client.request('tasks/get', {}, follows)).error?.code).toBe(-32602)
    const misshapen = { taskId, inputResponses: 'none' }
    expect((await client.request('tasks/update', misshapen, follows)).error?.code).toBe(-32602)
  })

  test('have no blocking result and no list, and ignore the flag of 2025-11-25 [N07-XT-17]', async () => {
    const { server } = createTaskServer()
    const client = await open(server)
    const { taskId } = await start(client, 'work')

    const result = await client.request('tasks/result', { taskId }, follows)
    const list = await client.request('tasks/list', {}, follows)
    const flagged = await client.request('tools/call', { name: 'plain', task: {} }, follows)

    expect(result.error?.code).toBe(-32601)
    expect(list.error?.code).toBe(-32601)
    expect(flagged.result).toMatchObject({ resultType: 'complete', content: [{ text: 'plain' }] })
  })

  test('are told to those who listen to them, in full [N07-XT-13]', async () => {
    const { server, gate } = createTaskServer()
    const client = await open(server)
    const { taskId } = await start(client, 'work')
    const filter = { taskIds: [taskId, 'nowhere'] }
    client
      .request('subscriptions/listen', { notifications: filter }, { ...follows, id: 'L' })
      .catch(() => undefined) // it lasts as long as the channel
    const ack = await client.next(
      ({ method }) => method === 'notifications/subscriptions/acknowledged',
    )

    gate.open()
    const told = await client.next(
      ({ method, params }) =>
        method === 'notifications/tasks' && params?.['status'] === 'completed',
    )

    expect(ack.params).toMatchObject({ notifications: { taskIds: [taskId] } })
    expect(told.params).toMatchObject({
      taskId,
      status: 'completed',
      result: { content: [{ text: 'worked' }] },
      _meta: { 'io.modelcontextprotocol/subscriptionId': 'L' },
    })
  })

  test('say how far they are by their status, without progress or log messages [N07-XT-14]', async () => {
    const { server, gate } = createTaskServer({ ttlMs: 1_000 })
    const client = await open(server)
    const meta = { progressToken: 't', 'io.modelcontextprotocol/logLevel': 'debug' }
    const answer = await client.request('tools/call', { name: 'logs' }, { ...follows, meta })
    const { taskId } = taskOf(answer)
    await client.quiet()

    gate.open()
    await until(client, taskId, 'completed')
    const later = await client.quiet()

    expect(later.filter(({ method }) => method !== undefined)).toEqual([])
  })

  test('show the last progress as their status message [N07-XT-14]', async () => {
    const { server } = createTaskServer()
    server.tool('reports', { task: 'required' }, async (_, { progress, signal }) => {
      await new Promise((resolve) => setImmediate(resolve))
      await progress({ progress: 1, total: 4 })
      await new Promise((resolve) => setImmediate(resolve))
      await progress({ progress: 2, total: 4, message: 'second of four' })
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
    })
    const client = await open(server)
    const { taskId } = await start(client, 'reports')

    let message: unknown
    while (message !== 'second of four') message = (await get(client, taskId))['statusMessage']

    expect(message).toBe('second of four')
  })

  test('have ids nobody can guess, each its own [N07-XT-16]', async () => {
    const { server } = createTaskServer()
    const client = await open(server)

    const first = await start(client, 'work')
    const second = await start(client, 'work')

    expect(first.taskId).not.toBe(second.taskId)
    expect(first.taskId).toMatch(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/)
  })

  test('belong to their principal: to others they do not exist [N07-XT-16]', async () => {
    const { server } = createTaskServer()
    const ada = await open(server, { auth: testAuth({ subject: 'ada' }) })
    const eve = await open(server, { auth: testAuth({ subject: 'eve' }) })
    const { taskId } = await start(ada, 'work')

    for (const method of ['tasks/get', 'tasks/cancel', 'tasks/update']) {
      const answer = await eve.request(method, { taskId, inputResponses: {} }, follows)
      expect(answer.error).toMatchObject({ code: -32602, message: `unknown task: ${taskId}` })
    }
    expect((await get(ada, taskId)).status).toBe('working')
  })

  test('are kept for their time after the end, and no longer', async () => {
    const clock = createVirtualClock()
    const { server, gate } = createTaskServer({ ttlMs: 5_000 })
    const client = await open(server, { clock })
    const starting = client.request('tools/call', { name: 'must' }, follows)
    const { taskId } = taskOf(await starting)
    await clock.advance(60_000)
    const growing = await get(client, taskId)
    gate.open()
    const ended = await until(client, taskId, 'completed')

    await clock.advance(4_000)
    const kept = await client.request('tasks/get', { taskId }, follows)
    await clock.advance(1_500)
    const closed = await client.request('tasks/get', { taskId }, follows)

    expect(growing['ttlMs']).toBeGreaterThan(60_000)
    expect(ended['ttlMs']).toBe(65_000)
    expect(kept.error).toBeUndefined()
    expect(closed.error?.code).toBe(-32602)
  })

  test('run out of time like any call', async () => {
    const clock = createVirtualClock()
    const { server } = createTaskServer()
    server.tool('slow', { task: 'required', timeoutMs: 2_000 }, () => new Promise<string>(() => {}))
    const client = await open(server, { clock })
    const { taskId } = await start(client, 'slow')

    await clock.advance(2_000)

    const ended = await until(client, taskId, 'completed')
    expect(ended).toMatchObject({
      result: { isError: true, content: [{ text: 'tools/call ran out of time' }] },
    })
  })

  test('are limited for each principal: what may stay inline does, the rest is refused', async () => {
    const { server } = createTaskServer({ maxPerPrincipal: 1 })
    const client = await open(server, { auth: testAuth({ subject: 'ada' }) })
    const other = await open(server, { auth: testAuth({ subject: 'bob' }) })
    await start(client, 'work')

    const optional = await client.request('tools/call', { name: 'quick' }, follows)
    const required = await client.request('tools/call', { name: 'must' }, follows)
    const ofOther = await other.request('tools/call', { name: 'must' }, follows)

    expect(optional.result).toMatchObject({ resultType: 'complete' })
    expect(required.error).toMatchObject({ data: { reason: 'overloaded' } })
    expect(ofOther.result).toMatchObject({ resultType: 'task' })
  })

  test('are kept for each principal within so many bytes: the oldest ends go first', async () => {
    const { server } = createTaskServer({ maxBytes: 2_500 })
    server.tool('large', { task: 'required' }, () => 'x'.repeat(1_000))
    const client = await open(server, { auth: testAuth({ subject: 'ada' }) })
    const other = await open(server, { auth: testAuth({ subject: 'bob' }) })
    const end = async (from: StandaloneClient): Promise<string> => {
      const { taskId } = await start(from, 'large')
      await until(from, taskId, 'completed')
      return taskId
    }

    const ofOther = await end(other)
    const ids = [await end(client), await end(client), await end(client)]

    const looked = ids.map((taskId) => client.request('tasks/get', { taskId }, follows))
    const [oldest, ...rest] = await Promise.all(looked)
    expect(oldest?.error).toMatchObject({ code: -32602 })
    expect(rest.map((answer) => taskOf(answer).status)).toEqual(['completed', 'completed'])
    expect((await get(other, ofOther)).status).toBe('completed')
  })

  test('tell the progress that was reported before they became one', async () => {
    const { server, gate } = createTaskServer()
    const client = await open(server)
    const { taskId } = await start(client, 'work')

    let message: unknown
    for (let poll = 0; poll < 100 && message === undefined; poll += 1) {
      message = (await get(client, taskId))['statusMessage']
    }
    gate.open()

    expect(message).toBe('half way')
  })

  test('whose results are too large to be kept fail, and say so', async () => {
    const { server } = createTaskServer({ maxBytes: 1_000 })
    server.tool('large', { task: 'required' }, () => 'x'.repeat(1_000))
    const client = await open(server)

    const { taskId } = await start(client, 'large')

    expect(await until(client, taskId, 'failed')).toMatchObject({
      statusMessage: expect.stringContaining('1000 are kept for the tasks of one caller') as string,
      error: { code: 413, data: { reason: 'limit_exceeded', limit: 'maxBytes', allowed: 1_000 } },
    })
  })

  test('that ask nobody who could answer fail before they ask', async () => {
    const { server } = createTaskServer()
    const client = await open(server)
    const deaf = { capabilities: { extensions: { [extension]: {} } } }

    const { error } = await client.request('tools/call', { name: 'asks' }, deaf)

    expect(error?.code).toBe(-32021)
  })

  test('stay with their server when the caller goes', async () => {
    const { server, gate } = createTaskServer()
    const client = await open(server)
    const { taskId } = await start(client, 'work')
    await client.close()
    const later = await open(server)

    gate.open()

    const ended = await until(later, taskId, 'completed')
    expect(ended).toMatchObject({ result: { content: [{ text: 'worked' }] } })
  })
})

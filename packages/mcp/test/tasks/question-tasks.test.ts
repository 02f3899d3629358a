/** A client that takes on as tasks what a server of 2025-11-25 asks; the server is scripted. */

import { type ElicitResult, isMcpError } from '@parley/mcp'
import type { ConnectOptions, InputContext } from '@parley/mcp/client'
import { clientTasks, type ClientTasksOptions } from '@parley/mcp/tasks'
import { createVirtualClock, type VirtualClock } from '@parley/mcp/testing'
import { afterEach, expect, test, vi } from 'vitest'

import type { CoreTask } from '../../src/schema/tasks.ts'
import { describeMatrix, type MatrixCase } from '../support/matrix.ts'
import type { Raw } from '../support/raw-channel.ts'
import type { RawServer } from '../support/raw-server.ts'
import { turn } from './task-server.ts'

const related = 'io.modelcontextprotocol/related-task'
const form = { message: 'Who?', requestedSchema: { type: 'object', properties: {} } }
const chat = {
  messages: [{ role: 'user', content: { type: 'text', text: 'Why?' } }],
  maxTokens: 5,
}
const said = { role: 'assistant', content: { type: 'text', text: '42' }, model: 'm' } as const

/** One person who is asked, and what they were asked. */
interface Person {
  readonly elicit: NonNullable<ConnectOptions['elicit']>
  readonly asked: InputContext[]
  answer(result: ElicitResult): void
  fail(error: unknown): void
}

function createPerson(): Person {
  const asked: InputContext[] = []
  const waiting: { resolve(result: ElicitResult): void; reject(error: unknown): void }[] = []
  return {
    asked,
    elicit: (_, about) =>
      new Promise<ElicitResult>((resolve, reject) => {
        asked.push(about)
        waiting.push({ resolve, reject })
      }),
    answer: (result) => waiting.shift()?.resolve(result),
    fail: (error) => waiting.shift()?.reject(error),
  }
}

interface Opened {
  readonly server: RawServer
  readonly person: Person
  readonly clock: VirtualClock
  request(method: string, params?: object): Promise<Raw>
  /** Asks for a task, and gives it. */
  ask(params?: object): Promise<CoreTask>
}

const opened: RawServer[] = []
afterEach(async () => {
  for (const server of opened.splice(0)) await (await server.client).close()
})

async function open(
  matrix: MatrixCase,
  tasks: ClientTasksOptions = {},
  options: ConnectOptions = {},
): Promise<Opened> {
  const person = createPerson()
  const clock = createVirtualClock()
  const server = matrix.rawServer({
    clock,
    extensions: [clientTasks(tasks)],
    elicit: person.elicit,
    sample: () => said,
    ...options,
  })
  await server.accept()
  opened.push(server)
  let ids = 0

  function request(method: string, params: object = {}): Promise<Raw> {
    const id = `s${(ids += 1)}`
    server.send({ jsonrpc: '2.0', id, method, params })
    return server.next((message) => message.id === id && message.method === undefined)
  }

  return {
    server,
    person,
    clock,
    request,
    async ask(params = { ...form, task: {} }) {
      const { result } = await request('elicitation/create', params)
      return taskOf(result?.['task'])
    },
  }
}

function taskOf(value: unknown): CoreTask {
  return value as CoreTask // looked at by the tests
}

describeMatrix(
  'a client that takes questions on as tasks',
  (matrix) => {
    test('declares what it has handlers for [N11-CAP-03, N11-TASK-01]', async () => {
      const { server } = await open(matrix)
      const formsOnly = await open(matrix, {}, { sample: undefined })
      const nothing = await open(matrix, {}, { sample: undefined, elicit: undefined })

      const declared = [server, formsOnly.server, nothing.server].map(
        ({ received }) => Object(received[0]?.params?.['capabilities'])['tasks'] as unknown,
      )

      const elicitation = { create: {} }
      expect(declared).toEqual([
        { list: {}, cancel: {}, requests: { sampling: { createMessage: {} }, elicitation } },
        { list: {}, cancel: {}, requests: { elicitation } },
        undefined,
      ])
    })

    test('answers with a task at once, before anybody is asked [N11-TASK-07, N11-TASK-09, N11-TASK-10]', async () => {
      const { request, person, clock } = await open(matrix)
      const began = clock.now()

      const { result } = await request('elicitation/create', { ...form, task: { ttl: 60_000 } })
      await turn()

      const task = taskOf(result?.['task'])
      expect(Object.keys(result ?? {})).toEqual(['task'])
      expect(task).toMatchObject({ status: 'working', ttl: 60_000, pollInterval: 1_000 })
      expect(new Date(task.createdAt).toISOString()).toBe(task.createdAt)
      expect(task.lastUpdatedAt).toBe(task.createdAt)
      expect(person.asked).toMatchObject([{ taskId: task.taskId }])
      expect(clock.now()).toBe(began)
    })

    test('gives the answer to whoever waits for it, and as often as it is fetched [N11-TASK-13, N11-TASK-16]', async () => {
      const { ask, request, person, server } = await open(matrix)
      const { taskId } = await ask()

      const waiting = request('tasks/result', { taskId })
      const working = await request('tasks/get', { taskId })
      person.answer({ action: 'accept', content: {} })
      const first = await waiting
      const again = await request('tasks/result', { taskId })
      const ended = await request('tasks/get', { taskId })

      expect(working.result).toMatchObject({ taskId, status: 'working' })
      expect(working.result).not.toHaveProperty('_meta')
      expect(first.result).toEqual({
        action: 'accept',
        content: {},
        _meta: { [related]: { taskId } },
      })
      expect(again.result).toEqual(first.result)
      expect(ended.result).toMatchObject({ taskId, status: 'completed' })
      expect(server.received.at(0)?.method).toBe('initialize')
    })

    test('samples as a task too', async () => {
      const { request } = await open(matrix)

      const { result } = await request('sampling/createMessage', { ...chat, task: {} })
      const { taskId } = taskOf(result?.['task'])
      const answer = await request('tasks/result', { taskId })

      expect(answer.result).toEqual({ ...said, _meta: { [related]: { taskId } } })
    })

    test('fails with the error that the question would have had [N11-TASK-13]', async () => {
      const onError = vi.fn()
      const sample = (): never => {
        throw new Error('a secret')
      }
      const { request, person, ask } = await open(matrix, {}, { sample, onError })

      const plain = await request('sampling/createMessage', chat)
      const { result } = await request('sampling/createMessage', { ...chat, task: {} })
      const { taskId } = taskOf(result?.['task'])
      const asTask = await request('tasks/result', { taskId })
      const looked = await request('tasks/get', { taskId })
      const { taskId: second } = await ask()
      await turn()
      person.fail(new Error('another secret'))
      const fault = await request('tasks/result', { taskId: second })

      expect(asTask.error).toEqual(plain.error)
      expect(looked.result).toMatchObject({ status: 'failed', statusMessage: plain.error?.message })
      expect(fault.error).toMatchObject({ code: -32603 })
      expect(JSON.stringify([looked, fault])).not.toContain('secret')
      expect(onError).toHaveBeenCalledTimes(3)
    })

    test('refuses at once what it would refuse anyway, and makes no task of it', async () => {
      const { request } = await open(matrix)

      const wrongForm = await request('elicitation/create', { message: 5, task: {} })
      const wrongTask = await request('elicitation/create', { ...form, task: { ttl: 'long' } })
      const noRoots = await request('roots/list', { task: {} })
      const { result } = await request('tasks/list')

      expect(wrongForm.error).toMatchObject({ code: -32602 })
      expect(wrongTask.error).toMatchObject({ code: -32602 })
      expect(wrongTask.error?.message).toContain('task')
      expect(noRoots.error).toMatchObject({ code: -32601 })
      expect(result).toEqual({ tasks: [] })
    })

    test('answers a question without a task as ever', async () => {
      const { request, person, server } = await open(matrix)

      const answering = request('elicitation/create', form)
      await turn()
      await server.quiet()
      person.answer({ action: 'decline' })
      const { result } = await answering

      expect(result).toEqual({ action: 'decline' })
      expect(person.asked[0]).not.toHaveProperty('taskId')
    })

    test('ignores a task asked for where it has not declared any [N11-TASK-02]', async () => {
      const { request, server } = await open(matrix, {}, { elicit: undefined, roots: [] })

      const roots = await request('roots/list', { task: {} })
      const unoffered = await request('elicitation/create', { ...form, task: {} })

      expect(roots.result).toEqual({ roots: [] })
      expect(unoffered.error).toMatchObject({ code: -32601 })
      expect(server.received.some(({ result }) => result?.['task'] !== undefined)).toBe(false)
    })

    test('makes ids that nobody guesses, each once [N11-TASK-08, N11-TASK-25]', async () => {
      const { ask } = await open(matrix)

      const ids = [await ask(), await ask(), await ask()].map(({ taskId }) => taskId)

      expect(new Set(ids).size).toBe(3)
      for (const id of ids) expect(id).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
    })

    test('cancels for good, and tells its handler before it answers [N11-TASK-19, N11-TASK-20]', async () => {
      const { ask, request, person, server } = await open(matrix)
      const { taskId } = await ask()
      await turn()
      const waiting = request('tasks/result', { taskId })

      const cancelled = await request('tasks/cancel', { taskId })
      person.answer({ action: 'accept', content: {} })
      await server.quiet()
      const looked = await request('tasks/get', { taskId })
      const again = await request('tasks/cancel', { taskId })

      expect(cancelled.result).toMatchObject({ taskId, status: 'cancelled' })
      expect(person.asked[0]?.signal.reason).toSatisfy((why) => isMcpError(why, 'cancelled'))
      expect(looked.result).toMatchObject({ status: 'cancelled' })
      expect(again.error).toMatchObject({ code: -32602 })
      expect((await waiting).error).toMatchObject({ code: -32603 })
    })

    test('does not cancel a task with the request that began it, or that waits for it [N11-TASK-20]', async () => {
      const { server, person, request } = await open(matrix)
      const params = { ...form, task: {} }

      server.send({ jsonrpc: '2.0', id: 'q', method: 'elicitation/create', params })
      const { result } = await server.next(({ id }) => id === 'q')
      const { taskId } = taskOf(result?.['task'])
      server.send({ jsonrpc: '2.0', id: 'w', method: 'tasks/result', params: { taskId } })
      for (const requestId of ['q', 'w'])
        server.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } })
      await server.quiet()
      person.answer({ action: 'cancel' })
      const answer = await request('tasks/result', { taskId })

      expect(answer.result).toMatchObject({ action: 'cancel' })
      expect(server.received.some(({ id }) => id === 'w')).toBe(false)
    })

    test('tells the end of a task once, after its beginning [N11-TASK-16, N11-TASK-17]', async () => {
      const { request, server } = await open(matrix)

      const { result } = await request('sampling/createMessage', { ...chat, task: {} })
      const { taskId } = taskOf(result?.['task'])
      await server.quiet()

      const about = server.received.filter(
        (message) => message.method === 'notifications/tasks/status' || message.result?.['task'],
      )
      expect(about).toMatchObject([
        { result: { task: { taskId } } },
        { params: { taskId, status: 'completed', ttl: expect.any(Number) } },
      ])
      expect(about[1]?.params).not.toHaveProperty('_meta')
    })

    test('lists all that it would tell about, page by page [N11-TASK-18]', async () => {
      const { request, ask, clock } = await open(matrix, { inputRequests: { maxRunning: 100 } })
      const ids: string[] = []
      for (let count = 0; count < 60; count += 1) {
        await clock.advance(200) // more would be a flood
        ids.push((await ask()).taskId)
      }

      const first = await request('tasks/list')
      const second = await request('tasks/list', { cursor: first.result?.['nextCursor'] })
      const wrong = await request('tasks/list', { cursor: 'made-up' })

      const listed = [first, second].flatMap(({ result }) => result?.['tasks'] as CoreTask[])
      expect(listed.map(({ taskId }) => taskId)).toEqual(ids)
      expect(second.result).not.toHaveProperty('nextCursor')
      expect(wrong.error).toMatchObject({ code: -32602 })
    })

    test.each(['tasks/get', 'tasks/result', 'tasks/cancel'])(
      'does not know a task that is none by %s [N11-TASK-22]',
      async (method) => {
        const { request } = await open(matrix)

        const unknown = await request(method, { taskId: 'nowhere' })
        const missing = await request(method)

        expect(unknown.error).toMatchObject({ code: -32602, message: 'unknown task: nowhere' })
        expect(missing.error).toMatchObject({ code: -32602 })
      },
    )

    test('shows a server only what was asked on its own connection [N11-TASK-24]', async () => {
      const one = await open(matrix)
      const other = await open(matrix)
      const { taskId } = await one.ask()

      const foreign = await other.request('tasks/get', { taskId })
      const { result } = await other.request('tasks/list')

      expect(foreign.error).toMatchObject({ code: -32602 })
      expect(result).toEqual({ tasks: [] })
    })

    test('keeps a task for its time after the end, and not longer [N11-TASK-11]', async () => {
      const { ask, request, person, clock } = await open(matrix, {
        inputRequests: { ttlMs: 60_000 },
      })
      const { taskId } = await ask({ ...form, task: { ttl: 30_000 } })
      const greedy = await ask({ ...form, task: { ttl: 1e9 } })
      await turn()
      await clock.advance(40_000)
      const old = await request('tasks/get', { taskId })

      person.answer({ action: 'decline' })
      await request('tasks/result', { taskId })
      await clock.advance(29_000)
      const kept = await request('tasks/get', { taskId })
      await clock.advance(2_000)
      const closed = await request('tasks/get', { taskId })

      expect(old.result).toMatchObject({ status: 'working', ttl: 70_000 })
      expect(kept.result).toMatchObject({ status: 'completed', ttl: 70_000 })
      expect(closed.error).toMatchObject({ code: -32602 })
      expect(greedy.ttl).toBe(60_000)
    })

    test('refuses more than it works on at once, and says so [N11-TASK-26]', async () => {
      const { ask, request, person } = await open(matrix, { inputRequests: { maxRunning: 1 } })
      const { taskId } = await ask()
      await turn()

      const { error } = await request('elicitation/create', { ...form, task: {} })
      person.answer({ action: 'decline' })
      await request('tasks/result', { taskId })
      const second = await ask()

      expect(error?.message).toContain('works on 1 tasks at once')
      expect(second.status).toBe('working')
    })

    test('remembers ten times as many, and says so [N11-TASK-26]', async () => {
      const { request } = await open(matrix, { inputRequests: { maxRunning: 1 } })
      const params = { ...chat, task: {} }

      for (let count = 0; count < 10; count += 1) {
        const { result } = await request('sampling/createMessage', params)
        await request('tasks/result', { taskId: taskOf(result?.['task']).taskId })
      }
      const { error } = await request('sampling/createMessage', params)

      expect(error?.message).toContain('remembers 10 tasks')
    })

    test('keeps so many bytes of answers, and says so [N11-TASK-26]', async () => {
      const size = JSON.stringify(said).length
      const { request } = await open(matrix, { inputRequests: { maxBytes: 2 * size - 1 } })
      const params = { ...chat, task: {} }

      const one = taskOf((await request('sampling/createMessage', params)).result?.['task'])
      const first = await request('tasks/result', { taskId: one.taskId })
      const two = taskOf((await request('sampling/createMessage', params)).result?.['task'])
      const second = await request('tasks/result', { taskId: two.taskId })

      expect(first.result).toMatchObject(said)
      expect(second.error?.message).toContain(`of which ${size - 1} are left`)
    })

    test('answers so many requests about tasks in a moment [N11-TASK-26]', async () => {
      const { request } = await open(matrix)

      const answers = await Promise.all(
        Array.from({ length: 201 }, () => request('tasks/get', { taskId: 'nowhere' })),
      )

      const codes = answers.map(({ error }) => error?.code)
      expect(codes.slice(0, 200)).toEqual(Array.from({ length: 200 }, () => -32602))
      expect(answers[200]?.error?.message).toContain('too many requests about tasks')
    })

    test('gives a person as much time as ever', async () => {
      const { ask, request, clock } = await open(matrix, {}, { timeouts: { inputMs: 5_000 } })
      const { taskId } = await ask()
      await turn()

      await clock.advance(5_000)
      const { result } = await request('tasks/result', { taskId })

      expect(result).toMatchObject({ action: 'cancel' })
    })

    test('does not let its own call grow older while a person is asked', async () => {
      const timeouts = { idleMs: 1_000, totalMs: 1_000 }
      const { ask, person, server, clock } = await open(matrix, {}, { timeouts })
      const calling = (await server.client).callTool('work')
      const { id } = await server.expect('tools/call')
      await ask()
      await turn()

      await clock.advance(5_000)
      person.answer({ action: 'decline' })
      server.send({ jsonrpc: '2.0', id, result: { content: [] } })

      expect(await calling).toMatchObject({ content: [] })
    })

    test('ends with the connection, and so do those who are asked', async () => {
      const { ask, person, server } = await open(matrix)
      await ask()
      await turn()

      await server.close()
      await vi.waitFor(() => expect(person.asked[0]?.signal.aborted).toBe(true))
    })
  },
  { revisions: ['2025-11-25'] },
)

describeMatrix(
  'a client that would take questions on as tasks, where there are none,',
  (matrix) => {
    test('says nothing of it, and answers as ever [N11-CAP-04, N11-TASK-02]', async () => {
      const { server, request } = await open(matrix, {}, { protocolVersion: '2025-06-18' })

      const { result } = await request('sampling/createMessage', { ...chat, task: {} })
      const about = await request('tasks/list')

      expect(server.received[0]?.params?.['capabilities']).not.toHaveProperty('tasks')
      expect(result).toEqual(said)
      expect(about.error).toMatchObject({ code: -32601 })
    })
  },
  { revisions: ['2025-06-18'] },
)

test.each([{ maxRunning: 0 }, { ttlMs: -1 }, { pollIntervalMs: -1 }, { maxBytes: NaN }])(
  'limits that make no sense are refused: %o',
  (inputRequests) => {
    expect(() => clientTasks({ inputRequests })).toThrow(RangeError)
  },
)

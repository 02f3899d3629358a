/** A server that asks a client of 2025-11-25 for a task, and follows it. */

import { isMcpError, isRpcError } from '@parley/mcp'
import { type AskedTask, createServer, type Server } from '@parley/mcp/server'
import { serverTasks, type Task } from '@parley/mcp/tasks'
import { createVirtualClock } from '@parley/mcp/testing'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'

import { describeServer, type MatrixCase } from '../support/matrix.ts'
import type { Raw } from '../support/raw-channel.ts'
import type { RawClient } from '../support/raw-client.ts'

const requests = { sampling: { createMessage: {} }, elicitation: { create: {} } }
const capabilities = {
  sampling: {},
  elicitation: { form: {} },
  tasks: { cancel: {}, requests },
}
const related = { 'io.modelcontextprotocol/related-task': { taskId: 't1' } }
const said = {
  role: 'assistant',
  content: { type: 'text', text: '42' },
  model: 'm',
  _meta: related,
}

const opened: RawClient[] = []
afterEach(async () => {
  for (const client of opened.splice(0)) {
    await client.close()
    await client.service.drain({ deadlineMs: 0 })
  }
})

interface Asking {
  readonly client: RawClient
  /** States that the handler heard of. */
  readonly received: Task[]
  /** What its question came to. */
  readonly outcomes: unknown[]
}

interface AskingOptions {
  readonly task?: AskedTask
  readonly capabilities?: object
  readonly hasTasks?: boolean
  readonly clock?: ReturnType<typeof createVirtualClock>
}

async function open({ rawClient }: MatrixCase, options: AskingOptions = {}): Promise<Asking> {
  const received: Task[] = []
  const outcomes: unknown[] = []
  const task: AskedTask = { onStatus: (told) => received.push(told), ...options.task }
  const server: Server = createServer({
    name: 'asking',
    version: '1.0.0',
    extensions: options.hasTasks === false ? [] : [serverTasks()],
    onError: () => undefined,
  })
  function noted(inputRequest: Promise<unknown>): Promise<string> {
    return inputRequest.then(
      (given) => (outcomes.push(given), 'answered'),
      (error: unknown) => (outcomes.push(error), 'failed'),
    )
  }
  server.tool('think', {}, (_, { sample }) =>
    noted(
      sample(
        { messages: [{ role: 'user', content: { type: 'text', text: 'Why?' } }], maxTokens: 5 },
        { task },
      ),
    ),
  )
  server.tool('fill', { task: 'optional' }, (_, { elicit }) =>
    noted(elicit({ message: 'Who?', requestedSchema: z.object({ name: z.string() }) }, { task })),
  )
  const client = await rawClient(server, { capabilities, ...options })
  opened.push(client)
  return { client, received, outcomes }
}

/** As the client tells it. */
function state(status: string, more: object = {}): object {
  const time = '2025-11-25T10:00:00Z'
  return { taskId: 't1', status, createdAt: time, lastUpdatedAt: time, ttl: 60_000, ...more }
}

async function asked(client: RawClient, method: string): Promise<Raw> {
  return client.next((message) => message.method === method)
}

function answer(client: RawClient, { id }: Raw, result: object): void {
  client.send({ jsonrpc: '2.0', id, result })
}

/** Takes the question on; says at once when to be asked again. */
async function accept(client: RawClient, method = 'sampling/createMessage'): Promise<Raw> {
  const inputRequest = await asked(client, method)
  answer(client, inputRequest, { task: state('working', { pollInterval: 60 }) })
  return inputRequest
}

async function notify(client: RawClient, status: string, more: object = {}): Promise<Raw> {
  const poll = await asked(client, 'tasks/get')
  answer(client, poll, state(status, { pollInterval: 60, ...more }))
  return poll
}

describeServer(
  'a question asked as a task',
  (matrix) => {
    test('is followed to its end, and answered as ever [N11-TASK-01, N11-TASK-12, N11-TASK-13]', async () => {
      const { client, outcomes } = await open(matrix, { task: { ttlMs: 60_000 } })

      const call = client.request('tools/call', { name: 'think' })
      const inputRequest = await accept(client)
      const poll = await notify(client, 'working', { statusMessage: 'thinking' })
      await notify(client, 'completed')
      const fetched = await asked(client, 'tasks/result')
      answer(client, fetched, said)
      const { result } = await call

      expect(inputRequest.params?.['task']).toEqual({ ttl: 60_000 })
      expect([poll.params, fetched.params]).toEqual([{ taskId: 't1' }, { taskId: 't1' }])
      expect(result).toEqual({ content: [{ type: 'text', text: 'answered' }] })
      expect(outcomes).toEqual([said])
    })

    test('tells each state to who asked', async () => {
      const { client, received } = await open(matrix)

      const call = client.request('tools/call', { name: 'fill' })
      const inputRequest = await accept(client, 'elicitation/create')
      await notify(client, 'working', { statusMessage: 'typing' })
      await notify(client, 'completed')
      answer(client, await asked(client, 'tasks/result'), { action: 'decline' })
      await call

      expect(inputRequest.params?.['task']).toEqual({})
      expect(received.map(({ status, statusMessage }) => [status, statusMessage])).toEqual([
        ['working', undefined],
        ['working', 'typing'],
        ['completed', undefined],
      ])
      expect(received[0]).toMatchObject({ taskId: 't1', ttlMs: 60_000, pollIntervalMs: 60 })
    })

    test('may be answered at once all the same', async () => {
      const { client, received, outcomes } = await open(matrix)

      const call = client.request('tools/call', { name: 'fill' })
      const content = { name: 'Ada' }
      const inputRequest = await asked(client, 'elicitation/create')
      answer(client, inputRequest, { action: 'accept', content })
      await call

      expect(outcomes).toEqual([{ action: 'accept', content }])
      expect(received).toEqual([])
    })

    test('gives the client a request to ask by, where its task wants input [N11-TASK-14]', async () => {
      const { client, outcomes } = await open(matrix)

      const call = client.request('tools/call', { name: 'think' })
      await accept(client)
      await notify(client, 'input_required')
      answer(client, await asked(client, 'tasks/result'), said)
      await call

      expect(outcomes).toEqual([said])
      expect(client.received.some(({ method }) => method === 'tasks/cancel')).toBe(false)
    })

    test('fails with the error that the client would have answered with [N11-TASK-13]', async () => {
      const { client, outcomes } = await open(matrix)

      const call = client.request('tools/call', { name: 'think' })
      await accept(client)
      await notify(client, 'failed')
      const { id } = await asked(client, 'tasks/result')
      client.send({ jsonrpc: '2.0', id, error: { code: -1, message: 'the user said no' } })
      await call

      expect(outcomes[0]).toSatisfy((error) => isRpcError(error, 'input_refused'))
    })

    test.each([
      ['cancelled', 'cancelled'],
      ['failed, and yet has a result', 'failed'],
      ['unknown', 'expired'],
    ])('ends with a task that is %s', async (how, status) => {
      const { client, outcomes } = await open(matrix)

      const call = client.request('tools/call', { name: 'think' })
      await accept(client)
      if (how === 'cancelled') await notify(client, 'cancelled')
      else if (status === 'failed') {
        await notify(client, 'failed')
        answer(client, await asked(client, 'tasks/result'), said)
      } else {
        const { id } = await asked(client, 'tasks/get')
        client.send({ jsonrpc: '2.0', id, error: { code: -32602, message: 'unknown task' } })
      }
      await call

      expect(outcomes[0]).toSatisfy((error) => isMcpError(error, 'task_ended'))
      expect(outcomes[0]).toMatchObject({ details: { taskId: 't1', status } })
      expect(client.received.some(({ method }) => method === 'tasks/cancel')).toBe(false)
    })

    test('refuses a task that is none, and cancels it if it has an id', async () => {
      const { client, outcomes } = await open(matrix)

      const call = client.request('tools/call', { name: 'think' })
      await accept(client)
      await notify(client, 'dreaming')
      const cancel = await asked(client, 'tasks/cancel')
      answer(client, cancel, state('cancelled'))
      await call

      expect(cancel.params).toEqual({ taskId: 't1' })
      expect(outcomes[0]).toSatisfy((error) => isMcpError(error, 'invalid_message'))
    })

    test('is given up in time, and its task cancelled [N11-TASK-20]', async () => {
      const clock = createVirtualClock()
      const { client, outcomes } = await open(matrix, { clock, task: { waitMs: 5_000 } })

      const call = client.request('tools/call', { name: 'think' })
      await accept(client)
      await client.quiet()
      await clock.advance(60)
      await notify(client, 'working', { pollInterval: 50_000 })
      await client.quiet()
      await clock.advance(5_000)
      const cancel = await asked(client, 'tasks/cancel')
      answer(client, cancel, state('cancelled'))
      await call

      expect(outcomes[0]).toSatisfy((error) => isMcpError(error, 'timeout'))
    })

    const endsWithCall = matrix.channel === 'http' || matrix.channel === 'fetch'
    if (!endsWithCall) {
      test('is given up with the call, and its task cancelled, where there is a way [N11-TASK-20]', async () => {
        const { client } = await open(matrix)

        client.send({ jsonrpc: '2.0', id: 'void', method: 'tools/call', params: { name: 'think' } })
        await accept(client)
        await asked(client, 'tasks/get')
        client.notify('notifications/cancelled', { requestId: 'void' })
        const cancel = await asked(client, 'tasks/cancel')

        expect(cancel.params).toEqual({ taskId: 't1' })
      })
    }

    test('is an ordinary question without the capability of the client [N11-TASK-01]', async () => {
      const { client, outcomes } = await open(matrix, {
        capabilities: {
          ...capabilities,
          tasks: { cancel: {}, requests: { elicitation: { create: {} } } },
        },
      })

      const call = client.request('tools/call', { name: 'think' })
      const inputRequest = await asked(client, 'sampling/createMessage')
      answer(client, inputRequest, said)
      await call

      expect(inputRequest.params).not.toHaveProperty('task')
      expect(outcomes).toEqual([said])
    })

    test('is an ordinary question of a server without tasks', async () => {
      const { client } = await open(matrix, { hasTasks: false })

      const call = client.request('tools/call', { name: 'think' })
      const inputRequest = await asked(client, 'sampling/createMessage')
      answer(client, inputRequest, said)
      await call

      expect(inputRequest.params).not.toHaveProperty('task')
    })

    test('is an ordinary question of a task, which asks by its own state', async () => {
      const { client } = await open(matrix)

      const { result } = await client.request('tools/call', { name: 'fill', task: {} })
      const { taskId } = Object(result?.['task']) as { taskId: string }
      const ended = client.request('tasks/result', { taskId })
      const inputRequest = await asked(client, 'elicitation/create')
      answer(client, inputRequest, { action: 'decline' })
      await ended

      expect(inputRequest.params).not.toHaveProperty('task')
    })
  },
  { revisions: ['2025-11-25'] },
)

describeServer(
  'a question asked as a task, before there were any,',
  (matrix) => {
    test('is an ordinary question, whatever the client says it can do [N11-CAP-04]', async () => {
      const { client } = await open(matrix)

      const call = client.request('tools/call', { name: 'think' })
      const inputRequest = await asked(client, 'sampling/createMessage')
      const { _meta, ...plain } = said
      answer(client, inputRequest, plain)
      await call

      expect(inputRequest.params).not.toHaveProperty('task')
    })
  },
  { revisions: ['2025-06-18'] },
)

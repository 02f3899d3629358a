import { type Frame, isMcpError, isRpcError } from '@parley/mcp'
import type { Client, ConnectOptions } from '@parley/mcp/client'
import type { Server } from '@parley/mcp/server'
import { clientTasks, resumeTask, startTool } from '@parley/mcp/tasks'
import { createVirtualClock } from '@parley/mcp/testing'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'

import { channels, describeMatrix, httpChannels, type MatrixCase } from '../support/matrix.ts'
import { createTaskServer, turn } from './task-server.ts'

const accept = { action: 'accept', content: { name: 'Ada' } } as const

/** The methods a client sent, in order. */
function sent(frames: readonly Frame[]): string[] {
  return frames.flatMap(({ direction, message }) => {
    const { method } = message as { readonly method?: string }
    return direction === 'out' && method !== undefined ? [method] : []
  })
}

async function connect(
  matrix: MatrixCase,
  server: Server,
  options: ConnectOptions = {},
): Promise<{ readonly client: Client; readonly frames: Frame[] } & AsyncDisposable> {
  const frames: Frame[] = []
  const { auth: _, ...rest } = options
  const client = await matrix.connect(server, {
    extensions: [clientTasks()],
    elicit: () => accept,
    onMessage: (frame) => frames.push(frame),
    ...rest,
  })
  return { client, frames, [Symbol.asyncDispose]: () => client.close() }
}

describeMatrix(
  'a client with tasks',
  (matrix) => {
    const isCore = matrix.revision === '2025-11-25'

    test('follows a call that becomes a task to its end [N07-XT-04, N07-XT-08, N11-TASK-04]', async () => {
      const { server, gate } = createTaskServer({ pollIntervalMs: 10 })
      await using opened = await connect(matrix, server)

      const calling = opened.client.callTool('must')
      await turn()
      gate.open()
      const result = await calling

      expect(result.content).toEqual([{ type: 'text', text: 'had to' }])
      expect(sent(opened.frames)).toContain('tasks/get')
    })

    test('takes a result as it is where there is no task [N07-XT-04, N11-TASK-03]', async () => {
      const { server } = createTaskServer({ inlineMs: 60_000 })
      await using opened = await connect(matrix, server)

      const plain = await opened.client.callTool('plain')
      const quick = await opened.client.callTool('quick')

      expect(plain.content).toEqual([{ type: 'text', text: 'plain' }])
      expect(quick.content).toEqual([{ type: 'text', text: 'done' }])
      expect(sent(opened.frames)).not.toContain('tasks/get')
    })

    test('answers on the way, each question once [N07-XT-09, N11-TASK-14]', async () => {
      const { server } = createTaskServer({ pollIntervalMs: 10 })
      const elicit = vi.fn(async () => {
        await new Promise((resolve) => setTimeout(resolve, 60)) // seen asking several times
        return accept
      })
      await using opened = await connect(matrix, server, { elicit })

      const result = await opened.client.callTool('asks-twice')

      expect(result.content).toEqual([{ type: 'text', text: 'Ada,Ada' }])
      expect(elicit).toHaveBeenCalledTimes(2)
      expect(elicit).toHaveBeenCalledWith(
        expect.objectContaining({ message: 'first' }),
        expect.objectContaining(isCore ? {} : { operation: 'tools/call', name: 'asks-twice' }),
      )
    })

    test('hands out a task that was started, with its states and its result [N07-XT-08, N11-TASK-12]', async () => {
      const { server, gate } = createTaskServer({ pollIntervalMs: 10 })
      await using opened = await connect(matrix, server)

      const started = await startTool(opened.client, 'work', {})
      expect(started.kind).toBe('task')
      if (started.kind !== 'task') return
      const seen: string[] = []
      for await (const { status, taskId } of started.task) {
        expect(taskId).toBe(started.task.taskId)
        seen.push(status)
        gate.open()
      }

      expect(seen[0]).toBe('working')
      expect(seen.at(-1)).toBe('completed')
      const { content } = await started.task.result()
      expect(content).toEqual([{ type: 'text', text: 'worked' }])
      const again = await resumeTask(opened.client, started.task.taskId).result()
      expect(again.content).toEqual(content)
    })

    test('hands out the result of what was started and is done', async () => {
      const { server } = createTaskServer({ inlineMs: 60_000 })
      await using opened = await connect(matrix, server)

      const started = await startTool(opened.client, 'plain', {})

      expect(started).toMatchObject({
        kind: 'result',
        result: { content: [{ type: 'text', text: 'plain' }] },
      })
    })

    test('resumes a task by its id, elsewhere, and answers there', async () => {
      const { server } = createTaskServer({ pollIntervalMs: 10 })
      await using first = await connect(matrix, server)
      const started = await startTool(first.client, 'asks', {})
      if (started.kind !== 'task') throw new Error('expected a task')
      await first.client.close()
      await using second = await connect(matrix, server)

      const { content } = await resumeTask(second.client, started.task.taskId).result()

      expect(content).toEqual([{ type: 'text', text: 'hello Ada' }])
    })

    test('says how a task ended that has no result', async () => {
      const { server, gate } = createTaskServer({ pollIntervalMs: 10 })
      await using opened = await connect(matrix, server)
      const started = await startTool(opened.client, 'work', {})
      if (started.kind !== 'task') throw new Error('expected a task')
      const ended = started.task.result().catch((error: unknown) => error)

      await started.task.cancel()
      await started.task.cancel()
      const cancelled = await ended
      const before = sent(opened.frames).length
      const breaking = opened.client.callTool('breaks').catch((error: unknown) => error)
      while (!sent(opened.frames).slice(before).includes('tasks/get')) await turn()
      gate.open()
      const failed = await breaking
      const unknown = await resumeTask(opened.client, 'nowhere')
        .result()
        .catch((error: unknown) => error)

      expect(isMcpError(cancelled, 'task_ended') && cancelled.details.status).toBe('cancelled')
      expect(isMcpError(failed, 'task_ended') && failed.details.status).toBe('failed')
      expect(failed).toMatchObject({
        message: expect.stringContaining('the protocol failed') as string,
      })
      expect(isRpcError((failed as Error).cause, 'invalid_params')).toBe(true)
      expect(isMcpError(unknown, 'task_ended') && unknown.details.status).toBe('expired')
    })

    test('gives a result that reports an error as it would have come', async () => {
      const { server, gate } = createTaskServer({ pollIntervalMs: 10 })
      await using opened = await connect(matrix, server)
      gate.open()

      const result = await opened.client.callTool('fails')

      expect(result).toMatchObject({ isError: true, content: [{ text: 'the tool failed' }] })
    })

    test('cancels the task of a call that is given up [N07-XT-11, N11-TASK-20]', async () => {
      const { server, aborted } = createTaskServer({ pollIntervalMs: 10 })
      server.tool('endless', { task: 'required' }, async (_, { signal }) => {
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
        aborted.push(signal.reason)
      })
      await using opened = await connect(matrix, server)
      const given = new AbortController()
      const calling = opened.client.callTool('endless', {}, { signal: given.signal })
      while (!sent(opened.frames).includes('tasks/get')) await turn()

      given.abort(new Error('changed my mind'))

      await expect(calling).rejects.toThrow('changed my mind')
      while (aborted.length === 0) await turn()
      expect(sent(opened.frames)).toContain('tasks/cancel')
      expect(aborted).toMatchObject([{ code: 'cancelled' }])
    })

    test('ends a call whose question nobody answers, and its task', async () => {
      const { server } = createTaskServer({ pollIntervalMs: 10 })
      await using opened = await connect(matrix, server, {
        elicit() {
          throw new Error('no one here')
        },
      })

      const error = await opened.client.callTool('asks-twice').catch((thrown: unknown) => thrown)

      if (isCore) expect(isMcpError(error, 'task_ended')).toBe(true)
      else expect(isMcpError(error, 'input_refused')).toBe(true)
    })

    test('reports the progress of a task', async () => {
      const { server } = createTaskServer({ pollIntervalMs: 10 })
      const told: { progress: number; message?: string }[] = []
      server.tool('reports', { task: 'required' }, async (_, { progress }) => {
        for (let step = 1; told.length === 0; step += 1) {
          await new Promise((resolve) => setTimeout(resolve, 5))
          await progress({ progress: step, message: `step ${step}` })
        }
        return 'reported'
      })
      await using opened = await connect(matrix, server, { onLog: () => undefined })

      await opened.client.callTool('reports', {}, { onProgress: (progress) => told.push(progress) })

      expect(told[0]?.message).toMatch(/^step \d+$/)
      const values = told.map(({ progress }) => progress)
      expect(values).toEqual(values.toSorted((a, b) => a - b))
    })

    test('checks the output of a task as that of any call', async () => {
      const { server } = createTaskServer({ pollIntervalMs: 10 })
      const outputSchema = z.object({ frames: z.number() })
      server.tool('renders', { task: 'required', outputSchema }, () => ({ frames: 24 }))
      await using opened = await connect(matrix, server)
      await opened.client.listTools().toArray()

      const called = await opened.client.callTool('renders')
      const started = await startTool(opened.client, 'renders', {})

      expect(called.structuredContent).toEqual({ frames: 24 })
      expect(called.issues).toBeUndefined()
      expect(started.kind === 'task' && (await started.task.result()).structuredContent).toEqual({
        frames: 24,
      })
    })

    test('lets middleware see what is started', async () => {
      const { server } = createTaskServer({ pollIntervalMs: 10 })
      await using opened = await connect(matrix, server)
      const operations: string[] = []
      opened.client.use('tools/call', (call, next) => {
        operations.push(call.params.name)
        return next()
      })

      await startTool(opened.client, 'work', {})

      expect(operations).toEqual(['work'])
    })
  },
  { channels: [...channels, ...httpChannels], revisions: ['2025-11-25', '2026-07-28'] },
)

describeMatrix(
  'a client with tasks, in its own time,',
  (matrix) => {
    test('asks as often as the server wants, until the end [N07-XT-08, N11-TASK-12]', async () => {
      const clock = createVirtualClock()
      const { server, gate } = createTaskServer({ pollIntervalMs: 7_000 })
      await using opened = await connect(matrix, server, { clock })
      const calling = opened.client.callTool('must')
      const asked = (): number => sent(opened.frames).filter((name) => name === 'tasks/get').length
      await clock.advance(6_900)
      const before = asked()
      await clock.advance(200)
      const after = asked()
      await clock.advance(14_000)
      const later = asked()
      gate.open()
      await clock.advance(7_000)

      expect([before, after, later]).toEqual([0, 1, 3])
      expect((await calling).content).toEqual([{ type: 'text', text: 'had to' }])
    })
  },
  { channels: ['memory'], revisions: ['2025-11-25', '2026-07-28'] },
)

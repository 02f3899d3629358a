import { createMemoryClusterStore } from '@parley/cluster'
import { resumeTask, startTool } from '@parley/mcp/tasks'
import { expect, onTestFinished, test, vi } from 'vitest'

import { createStoredTasks } from '../src/cluster/stored-tasks.ts'
import { connectTo, openTwoProcesses } from './two-processes.ts'

const hourMs = 3_600_000
const alone = { node: 'a', heartbeatMs: 1_000, isDisconnected: async () => false }
const task = {
  taskId: 'one',
  principal: 'ada',
  version: 1,
  tool: 'work',
  status: 'working',
  createdAt: new Date().toISOString(),
  lastUpdatedAt: new Date().toISOString(),
  ttlMs: hourMs,
  keepMs: hourMs,
  pollIntervalMs: 1_000,
} as const

test('a process whose clock is hours ahead still finds the tasks of the others', async () => {
  const store = createMemoryClusterStore()
  const processes = await openTwoProcesses(() => store)
  await using client = await connectTo(processes, 'legacy')
  const started = await startTool(client, 'work', {})
  if (started.kind !== 'task') throw new Error('the work of a task was answered at once')
  await started.task.result()
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())

  vi.setSystemTime(Date.now() + 5 * hourMs)
  const { content } = await resumeTask(client, started.task.taskId).result()

  expect(content).toMatchObject([{ text: expect.stringContaining('worked') }])
})

test('a task that another process has changed meanwhile is not overwritten', async () => {
  const tasks = createStoredTasks(createMemoryClusterStore(), alone)
  await tasks.create(task)

  expect(await tasks.update({ ...task, version: 2, status: 'cancelled' }, 1)).toBe(true)
  expect(await tasks.update({ ...task, version: 2, status: 'completed' }, 1)).toBe(false)
  expect(await tasks.get('bob', 'one')).toBeUndefined()
  expect(await tasks.get('ada', 'one')).toMatchObject({ status: 'cancelled' })
})

test('a task is forgotten by the clock of the store: when it has ended, its whole time after that', async () => {
  let now = 0
  const tasks = createStoredTasks(
    createMemoryClusterStore(() => now),
    alone,
  )
  await tasks.create({ ...task, createdAt: new Date(Date.now() - 10 * hourMs).toISOString() })
  now += hourMs - 1
  const running = await tasks.get('ada', 'one')
  await tasks.update({ ...task, version: 2, status: 'completed', ttlMs: 1 }, 1)
  now += hourMs - 1
  const ended = await tasks.get('ada', 'one')
  now += 2

  expect([running?.status, ended?.status]).toEqual(['working', 'completed'])
  expect(await tasks.get('ada', 'one')).toBeUndefined()
})

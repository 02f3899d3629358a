import { describe, expect, onTestFinished, test } from 'vitest'

import { serveEverything } from './everything.ts'
import { openPage } from './page-client.ts'

async function openEverything(era: string) {
  const everything = await serveEverything()
  const page = await openPage({ servers: [{ name: 'all', entry: everything.entry }] })
  onTestFinished(async () => {
    await page[Symbol.asyncDispose]()
    await everything[Symbol.asyncDispose]()
  })
  await page.ask('servers/settings', { name: 'all', settings: { era } })
  await page.ask('servers/connect', { name: 'all' })
  return page
}

const research = (args = {}) => ({
  server: 'all',
  run: 'research',
  method: 'tools/call',
  params: { name: 'simulate-research-query', arguments: { topic: 'tides', ...args } },
})

describe.each(['2025-11-25', '2026-07-28'])('in %s', (era) => {
  test('a task is started, followed to its end, and its result kept', async () => {
    const page = await openEverything(era)

    const outcome = await page.ask('runs/start', { ...research({ ambiguous: true }), asTask: true })
    const { tasks } = await page.next('tasks/changed', (data) => data.tasks.length > 0)
    const { questions } = await page.next('questions/changed', (data) => data.questions.length > 0)
    await page.ask('questions/answer', {
      id: questions[0]?.id ?? '',
      answer: { action: 'accept', content: { interpretation: 'tides, today' } },
    })
    const result = await page.ask('tasks/result', { server: 'all', taskId: tasks[0]?.taskId ?? '' })

    expect(JSON.stringify(outcome.result)).toContain(tasks[0]?.taskId)
    expect(tasks[0]).toMatchObject({ server: 'all', tool: 'simulate-research-query' })
    expect(JSON.stringify(result.result)).toContain('About tides, today.')
    const state = await page.ask('state/get', {})
    expect(state.tasks[0]).toMatchObject({
      status: 'completed',
      outcome: { result: expect.anything() },
    })
  })

  test('a task is cancelled', async () => {
    const page = await openEverything(era)
    await page.ask('runs/start', { ...research({ ambiguous: true }), asTask: true })
    const { tasks } = await page.next('tasks/changed', (data) => data.tasks.length > 0)
    const taskId = tasks[0]?.taskId ?? ''

    await page.ask('tasks/cancel', { server: 'all', taskId })
    const outcome = await page.ask('tasks/result', { server: 'all', taskId })

    expect(outcome.error?.code).toBe('task_ended')
  })

  test('a tool that is always a task is followed when it is simply run', async () => {
    const page = await openEverything(era)

    const outcome = await page.ask('runs/start', research())

    expect(outcome.error).toBeUndefined()
    expect(JSON.stringify(outcome.result)).toContain('tides')
    expect(outcome.result).toHaveProperty('content')
  })
})

test('a task that nobody knows is said not to be known', async () => {
  const page = await openEverything('2026-07-28')

  const outcome = await page.ask('tasks/result', { server: 'all', taskId: 'no-such-task' })

  expect(outcome.error?.code).toBe('task_ended')
})

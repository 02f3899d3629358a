import { clientTasks, startTool } from '@parley/mcp/tasks'
import { expect, test } from 'vitest'

import { inEveryRevision, textsOf } from './support.ts'

const following = { extensions: [clientTasks()] }
const quick = { stageMs: 0, extras: true }

inEveryRevision((open, revision) => {
  const hasTasks = revision >= '2025-11-25'

  test('simulate-research-query is there for clients that can follow a task', async () => {
    await using client = await open(following)

    const tools = await client.listTools().toArray()
    const tool = tools.find(({ name }) => name === 'simulate-research-query')

    expect(tool !== undefined).toBe(hasTasks)
    if (revision === '2025-11-25') expect(tool?.execution).toEqual({ taskSupport: 'required' })
  })

  test('count-slowly is an ordinary call for clients that follow no tasks', async () => {
    await using client = await open({}, quick)

    const { content } = await client.callTool('count-slowly', { to: 3, pauseMs: 100 })

    expect(content).toEqual([{ type: 'text', text: '{"counted":3}' }])
  })

  test('trigger-*-async is there for clients that take questions on as tasks, and followed', async () => {
    await using client = await open({
      extensions: [clientTasks({ inputRequests: { pollIntervalMs: 50 } })],
      elicit: () => ({ action: 'accept', content: { name: 'Ada' } }),
      sample: () => ({ role: 'assistant', content: { type: 'text', text: 'So.' }, model: 'm' }),
    })
    const names = (await client.listTools().toArray()).map(({ name }) => name)
    const isThere = names.includes('trigger-elicitation-request-async')

    expect(isThere).toBe(revision === '2025-11-25')
    if (!isThere) return
    const filled = await client.callTool('trigger-elicitation-request-async')
    const said = await client.callTool('trigger-sampling-request-async', { prompt: 'Why?' })
    expect(textsOf(filled).join('\n')).toMatch(/\[COMPLETED\][^]*Ada[^]*Task created: \S{36}/)
    expect(textsOf(said)[0]).toMatch(/\[COMPLETED\][^]*completed[^]*So\./)
  })

  if (!hasTasks) return

  test('simulate-research-query reports what it found when its task is done', async () => {
    await using client = await open(following, quick)

    const result = await client.callTool('simulate-research-query', { topic: 'tides' })

    expect(textsOf(result)[0]).toContain('# Research report: tides')
    expect(textsOf(result)[0]).toContain('4. Generating report')
  })

  test('simulate-research-query asks what an ambiguous topic means', async () => {
    const asked: unknown[] = []
    await using client = await open(
      {
        ...following,
        elicit(request) {
          asked.push(request.mode === 'form' && request.requestedSchema['properties'])
          return { action: 'accept', content: { interpretation: 'Python, the snake' } }
        },
      },
      quick,
    )

    const args = { topic: 'Python', ambiguous: true }
    const result = await client.callTool('simulate-research-query', args)

    expect(asked).toMatchObject([{ interpretation: { oneOf: [{}, {}, {}] } }])
    expect(textsOf(result)[0]).toContain('About Python, the snake.')
  })

  test.each(['decline', 'cancel'] as const)(
    'simulate-research-query takes the first meaning on %s',
    async (action) => {
      await using client = await open({ ...following, elicit: () => ({ action }) }, quick)

      const args = { topic: 'tides', ambiguous: true }
      const result = await client.callTool('simulate-research-query', args)

      expect(textsOf(result)[0]).toContain('About tides, technically.')
    },
  )

  test('simulate-research-query asks nobody where nobody can be asked', async () => {
    await using client = await open(following, quick)

    const args = { topic: 'tides', ambiguous: true }
    const result = await client.callTool('simulate-research-query', args)

    expect(textsOf(result)[0]).toContain('About tides, technically.')
  })

  test('count-slowly becomes a task that can be followed, and cancelled', async () => {
    await using client = await open(following, quick)

    const started = await startTool(client, 'count-slowly', { to: 1_000, pauseMs: 50 })
    if (started.kind !== 'task') throw new Error('it should have become a task')
    const { task } = started
    await task.cancel()

    await expect(task.result()).rejects.toMatchObject({
      code: 'task_ended',
      details: { status: 'cancelled' },
    })
  })
})

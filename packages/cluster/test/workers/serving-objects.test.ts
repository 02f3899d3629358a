import { join } from 'node:path'

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { connect, toolOutput, type Client as ParleyClient } from '@parley/mcp/client'
import { clientTasks, resumeTask, startTool } from '@parley/mcp/tasks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { startWorker, type TestWorker } from '../../../../test-support/workerd.ts'
import { openSession, post, progressIn, readEvents, resume } from '../by-hand.ts'
import { testSecret } from '../two-processes.ts'

const where = { jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'where' } }

describe('a Worker with Durable Objects', () => {
  let worker: TestWorker
  beforeAll(async () => {
    worker = await startWorker({
      entry: join(import.meta.dirname, 'clock-worker.ts'),
      objects: { CLOCK: 'Clock' },
      texts: { SECRET: testSecret, OBJECTS: '8' },
    })
  })
  afterAll(async () => {
    await worker[Symbol.asyncDispose]()
  })

  const open = (
    protocolVersion: 'legacy' | 'modern',
    headers: Readonly<Record<string, string>> = {},
  ) =>
    connect(worker.url(), {
      protocolVersion,
      headers,
      extensions: [clientTasks()],
      onDeprecated: () => undefined,
      elicit: () => ({ action: 'accept', content: { name: 'Ada' } }),
    })

  for (const generation of ['legacy', 'modern'] as const) {
    test(`answers calls with progress and questions to ${generation} clients`, async () => {
      await using client = await open(generation)
      const seen: number[] = []

      const onProgress = ({ progress }: { progress: number }): void => void seen.push(progress)
      const counted = await client.callTool('count', { to: 3 }, { onProgress })
      const asked = await client.callTool('ask', {})

      expect(toolOutput(counted)).toContain('counted to 3')
      expect(seen).toEqual([1, 2, 3])
      expect(toolOutput(asked)).toContain('asked Ada')
    })

    test(`runs tasks of ${generation} clients after the answer that has their id`, async () => {
      await using client = await open(generation)

      const task = await startTask(client, 'work')

      expect(toolOutput(await task.result())).toContain('worked')
    })
  }

  test("serves the official SDK's client", async () => {
    const client = new Client(
      { name: 'official', version: '1.0.0' },
      { capabilities: { elicitation: {} } },
    )
    client.setRequestHandler('elicitation/create', () => ({
      action: 'accept',
      content: { name: 'Bob' },
    }))
    await client.connect(new StreamableHTTPClientTransport(worker.url()))

    const asked = await client.callTool({ name: 'ask', arguments: {} })
    await client.close()

    expect(JSON.stringify(asked.content)).toContain('asked Bob')
  })

  test('keeps each session at one object, and spreads sessions over several', async () => {
    const sessions = await Promise.all(Array.from({ length: 12 }, () => openSession(worker.url())))
    const places = async (): Promise<string[]> =>
      Promise.all(sessions.map(async (one) => (await post(worker.url(), one, where)).text()))

    const first = await places()

    expect(await places()).toEqual(first)
    expect(new Set(first).size).toBeGreaterThan(1)
  })

  test('sends all requests of a caller without a session to one object', async () => {
    const placesOf = async (caller: string): Promise<unknown[]> => {
      await using client = await open('modern', { 'x-caller': caller })
      return [
        toolOutput(await client.callTool('where', {})),
        toolOutput(await client.callTool('where', {})),
      ]
    }

    const all = await Promise.all(['a', 'b', 'c', 'd', 'e'].map(placesOf))

    for (const [first, second] of all) expect(second).toBe(first)
    expect(new Set(all.map(([first]) => first)).size).toBeGreaterThan(1)
  })

  test('knows no session that was ended, and none that it has not opened', async () => {
    const session = await openSession(worker.url())
    expect((await post(worker.url(), session, where)).status).toBe(200)

    expect((await fetch(worker.url(), { method: 'DELETE', headers: session })).status).toBe(204)

    const [number = ''] = (session['mcp-session-id'] ?? '').split('.')
    const invented = ['nonsense', '0.nonsense', '9999.nonsense', `${number}.`, '-1.x', '0']
    for (const id of [session['mcp-session-id'] ?? '', ...invented]) {
      const refused = await post(worker.url(), { ...session, 'mcp-session-id': id }, where)
      expect([id, refused.status]).toEqual([id, 404])
    }
  })

  test('goes on with sessions, events and tasks of an object that had to leave memory', async () => {
    const session = await openSession(worker.url())
    await using client = await open('modern')
    const done = await startTask(client, 'work')
    await done.result()
    const waiting = await startTask(client, 'wait')
    const body = {
      jsonrpc: '2.0',
      id: 2,
      method: 'tools/call',
      params: { name: 'count', arguments: { to: 1000 }, _meta: { progressToken: 'p' } },
    }
    const calling = await post(worker.url(), session, body)
    const first = await readEvents(calling, (events) => progressIn(events).length >= 2)

    await worker.restart()

    expect((await post(worker.url(), session, where)).status).toBe(200)
    const rest = await readEvents(await resume(worker.url(), session, first[0]?.id ?? ''))
    expect(progressIn(rest).slice(0, 2)).toEqual([1, 2])
    expect(rest.at(-1)?.data).toContain('node_lost')
    await using again = await open('modern')
    expect(toolOutput(await resumeTask(again, done.taskId).result())).toContain('worked')
    await expect(resumeTask(again, waiting.taskId).result()).rejects.toThrow(
      'the process that ran this task is gone',
    )
  })
})

async function startTask(client: ParleyClient, name: string) {
  const started = await startTool(client, name, {})
  if (started.kind !== 'task') throw new Error(`${name} was answered at once`)
  return started.task
}

import { type Revision, revisions } from '@parley/mcp'
import { connect } from '@parley/mcp/client'
import { createMcpHandler } from '@parley/mcp/http'
import { serveHttp } from '@parley/mcp/node'
import { clientTasks, resumeTask, startTool } from '@parley/mcp/tasks'
import { expect, test } from 'vitest'

import { describeEntries } from '../support/http-endpoint.ts'
import { openStandaloneEndpoint } from '../support/modern-http.ts'
import { createTaskServer, turn } from './task-server.ts'

const follows = { capabilities: { extensions: { 'io.modelcontextprotocol/tasks': {} } } }

describeEntries('tasks over HTTP', (entry) => {
  test('are named in a header, which has to be right [N07-XT-15]', async () => {
    const { server } = createTaskServer()
    await using endpoint = await openStandaloneEndpoint(entry, server)
    const { result } = await endpoint.ask2026('tools/call', { name: 'must' }, follows)
    const params = { taskId: result?.['taskId'], inputResponses: {} }

    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      for (const name of ['another', undefined]) {
        const headers = { 'mcp-name': name }
        const wrong = await endpoint.ask2026(method, params, { ...follows, headers })
        expect(wrong).toMatchObject({ status: 400, error: { code: -32020 } })
      }
      expect(await endpoint.ask2026(method, params, follows)).toMatchObject({ status: 200 })
    }
  })

  test('are refused with the status of their error [N07-XT-02, N07-XT-12, N07-XT-17]', async () => {
    const { server } = createTaskServer()
    await using endpoint = await openStandaloneEndpoint(entry, server)

    const required = await endpoint.ask2026('tools/call', { name: 'must' })
    const unknown = await endpoint.ask2026('tasks/get', { taskId: 'nowhere' }, follows)
    const removed = await endpoint.ask2026('tasks/result', { taskId: 'nowhere' }, follows)

    expect(required).toMatchObject({ status: 400, error: { code: -32021 } })
    expect(unknown).toMatchObject({ status: 200, error: { code: -32602 } })
    expect(removed).toMatchObject({ status: 404, error: { code: -32601 } })
  })

  test('are looked at with plain JSON, also in a session [N11-TASK-27]', async () => {
    const { server } = createTaskServer()
    await using endpoint = await openStandaloneEndpoint(entry, server)
    const session = await endpoint.open({ revision: '2025-11-25' })
    const params = { name: 'work', task: {} }
    const began = await endpoint.post(
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
      { session },
    )
    const { result } = (await began.json()) as { result: { task: { taskId: string } } }
    const { taskId } = result.task

    const looked = await endpoint.post(
      { jsonrpc: '2.0', id: 2, method: 'tasks/get', params: { taskId } },
      { session },
    )

    expect(looked.headers.get('content-type')).toBe('application/json')
    expect(await looked.json()).toMatchObject({ result: { taskId, status: 'working' } })
  })
})

test.each(['2025-11-25', '2026-07-28'] as const satisfies readonly Revision[])(
  'a client follows tasks over real sockets in %s [N07-XT-15]',
  async (revision) => {
    const { server, gate } = createTaskServer({ pollIntervalMs: 10 })
    await using service = await serveHttp(server, { port: 0, revisions, ownsProcess: false })
    const options = {
      protocolVersion: revision,
      extensions: [clientTasks()],
      elicit: () => ({ action: 'accept', content: { name: 'Ada' } }) as const,
    }
    await using client = await connect(service.url, options)

    const asked = await client.callTool('asks-twice')
    const started = await startTool(client, 'work', {})
    if (started.kind !== 'task') throw new Error('expected a task')
    await using other = await connect(service.url, options)
    const resumed = resumeTask(other, started.task.taskId).result()
    await turn()
    gate.open()

    expect(asked.content).toEqual([{ type: 'text', text: 'Ada,Ada' }])
    expect((await resumed).content).toEqual([{ type: 'text', text: 'worked' }])
  },
)

test.each(['2025-11-25', '2026-07-28'] as const satisfies readonly Revision[])(
  'a runtime that would stop is kept running until a task has ended, in %s',
  async (revision) => {
    const { server, gate } = createTaskServer({ pollIntervalMs: 10 })
    await using handler = createMcpHandler(server, { revisions })
    const running = new Set<Promise<unknown>>()
    /** As Workers give it to a handler: a method of an object that wants to be called as one. */
    const context = {
      isContext: true,
      waitUntil(work: Promise<unknown>) {
        if (!this.isContext) throw new TypeError('Illegal invocation')
        running.add(work)
        void work.then(() => running.delete(work))
      },
    }
    await using client = await connect('http://localhost/mcp', {
      protocolVersion: revision,
      extensions: [clientTasks()],
      fetch: (input, init) => handler.fetch(new Request(input, init), context),
    })

    await client.callTool('plain')
    expect(running.size).toBe(0)
    const started = await startTool(client, 'work', {})
    if (started.kind !== 'task') throw new Error('expected a task')
    await turn()
    expect(running.size).toBe(1)
    gate.open()
    await resumeTask(client, started.task.taskId).result()

    await expect.poll(() => running.size).toBe(0)
  },
)

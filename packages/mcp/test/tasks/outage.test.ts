import { isMcpError } from '@parley/mcp'
import { type Client, connect, type ConnectOptions } from '@parley/mcp/client'
import { serveHttp } from '@parley/mcp/node'
import type { Server } from '@parley/mcp/server'
import { clientTasks, resumeTask } from '@parley/mcp/tasks'
import { describe, expect, test, vi } from 'vitest'

import { createTaskServer, turn } from './task-server.ts'

/** What something between client and server answers instead; `undefined` lets the request through. */
type Proxy = (method: string) => Response | undefined

async function through(
  proxy: Proxy,
  server: Server,
  options: ConnectOptions,
): Promise<{ readonly client: Client } & AsyncDisposable> {
  const service = await serveHttp(server, { port: 0, ownsProcess: false, drainMs: 10 })
  const client = await connect(service.url, {
    extensions: [clientTasks()],
    elicit: () => ({ action: 'accept', content: { name: 'Ada' } }),
    onError: () => undefined,
    fetch: async (input, init) => {
      const body = typeof init?.body === 'string' ? init.body : '{}'
      const { method } = JSON.parse(body) as { readonly method?: string }
      return proxy(method ?? '') ?? fetch(input, init)
    },
    ...options,
  })
  return {
    client,
    async [Symbol.asyncDispose]() {
      await client.close()
      await service[Symbol.asyncDispose]()
    },
  }
}

/** Says no to the first requests of one method. */
function reject(method: string, count: number, make: () => Response): Proxy {
  let left = count
  return (asked) => {
    if (asked !== method || left === 0) return undefined
    left -= 1
    return make()
  }
}

function status(code: number): () => Response {
  return () => new Response('<html>', { status: code, headers: { 'retry-after': '0.01' } })
}

function cut(): Response {
  throw new TypeError('socket hang up')
}

function overloaded(): Response {
  const error = { code: 503, message: 'busy', data: { reason: 'overloaded', retryAfterMs: 10 } }
  return Response.json({ jsonrpc: '2.0', id: null, error }, { status: 503 })
}

describe.each(['2025-11-25', '2026-07-28'] as const)(
  'a task that is followed in %s',
  (protocolVersion) => {
    test.each([
      ['408', 1, status(408)],
      ['429', 1, status(429)],
      ['502, twice', 2, status(502)],
      ['503', 1, status(503)],
      ['an error that says overloaded', 1, overloaded],
      ['a connection that is cut twice', 2, cut],
    ])('outlasts %s', async (_, count, answer) => {
      const { server, gate, aborted } = createTaskServer({ pollIntervalMs: 10 })
      const refusing = vi.fn(answer)
      const onError = vi.fn()
      await using opened = await through(reject('tasks/get', count, refusing), server, {
        protocolVersion,
        onError,
      })

      const calling = opened.client.callTool('must')
      while (refusing.mock.calls.length < count) await turn()
      gate.open()

      expect((await calling).content).toEqual([{ type: 'text', text: 'had to' }])
      expect(aborted).toEqual([])
      expect(onError.mock.calls[0]?.[1]).toEqual({ severity: 'warning', operation: 'tasks/get' })
    })

    test('goes on, and can be resumed, where following it fails for good', async () => {
      const { server, gate, aborted } = createTaskServer({ pollIntervalMs: 10 })
      const sent: string[] = []
      const refusing = reject('tasks/get', 1, () => new Response('no', { status: 401 }))
      const proxy: Proxy = (method) => (sent.push(method), refusing(method))
      await using opened = await through(proxy, server, { protocolVersion })

      const error: unknown = await opened.client.callTool('must').catch((thrown: unknown) => thrown)

      if (!isMcpError(error, 'task_lost')) throw error
      expect(error.cause).toMatchObject({ code: 'unauthorized' })
      gate.open()
      const { content } = await resumeTask(opened.client, error.details.taskId).result()
      expect(content).toEqual([{ type: 'text', text: 'had to' }])
      expect(sent).not.toContain('tasks/cancel')
      expect(aborted).toEqual([])
    })

    test('is cancelled by who gives up while it cannot be reached', async () => {
      const { server } = createTaskServer({ pollIntervalMs: 10 })
      const given = new AbortController()
      const sent: string[] = []
      const refusing = reject('tasks/get', 1_000, status(503))
      const proxy: Proxy = (method) => (sent.push(method), refusing(method))
      await using opened = await through(proxy, server, { protocolVersion })
      const calling = opened.client.callTool('must', {}, { signal: given.signal })
      while (!sent.includes('tasks/get')) await turn()

      given.abort(new Error('changed my mind'))

      await expect(calling).rejects.toThrow('changed my mind')
      await vi.waitFor(() => expect(sent).toContain('tasks/cancel'))
    })
  },
)

test("a person's answer outlasts a server that cannot take it [N07-XT-09]", async () => {
  const { server } = createTaskServer({ pollIntervalMs: 10 })
  const elicit = vi.fn(() => ({ action: 'accept', content: { name: 'Ada' } }) as const)
  const proxy = reject('tasks/update', 1, status(503))
  await using opened = await through(proxy, server, { protocolVersion: '2026-07-28', elicit })

  const { content } = await opened.client.callTool('asks-twice')

  expect(content).toEqual([{ type: 'text', text: 'Ada,Ada' }])
  expect(elicit).toHaveBeenCalledTimes(2)
})

test('a result outlasts a server that cannot give it out', async () => {
  const { server, gate } = createTaskServer({ pollIntervalMs: 10 })
  const proxy = reject('tasks/result', 1, status(503))
  await using opened = await through(proxy, server, { protocolVersion: '2025-11-25' })
  gate.open()

  const { content } = await opened.client.callTool('must')

  expect(content).toEqual([{ type: 'text', text: 'had to' }])
})

test('a task is waited for no longer than it is kept', async () => {
  const { server } = createTaskServer({ pollIntervalMs: 10, ttlMs: 50 })
  const proxy = reject('tasks/get', 1_000, status(503))
  await using opened = await through(proxy, server, { protocolVersion: '2026-07-28' })

  await expect(opened.client.callTool('must')).rejects.toMatchObject({
    code: 'task_lost',
    cause: { code: 'http_error', details: { status: 503, retryAfterMs: 10 } },
  })
})

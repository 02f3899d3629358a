import { serve } from '@hono/node-server'
import { connect } from '@parley/mcp/client'
import { createMcpHandler } from '@parley/mcp/http'
import { createServer } from '@parley/mcp/server'
import { Hono } from 'hono'
import { expect, test, vi } from 'vitest'

test('a client of a Hono app on Node may leave in mid-call, and nothing is printed', async () => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const reported: unknown[] = []
  const server = createServer({
    name: 'hono',
    version: '1.0.0',
    onError: (error) => reported.push(error),
  })
  const left = new Promise<void>((resolve) => {
    server.tool('wait', {}, async (_, { progress, signal }) => {
      await progress({ progress: 1 })
      await new Promise((aborted) => signal.addEventListener('abort', aborted))
      resolve()
      return 'never'
    })
  })
  const handler = createMcpHandler(server)
  const app = new Hono().all('/mcp', (context) => handler.fetch(context.req.raw))
  const { http, port } = await new Promise<{ http: ReturnType<typeof serve>; port: number }>(
    (resolve) => {
      const listening = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, (info) =>
        resolve({ http: listening, port: info.port }),
      )
    },
  )
  const client = await connect(`http://127.0.0.1:${port}/mcp`)
  const enough = new AbortController()

  const call = client.callTool(
    'wait',
    {},
    { signal: enough.signal, onProgress: () => enough.abort() },
  )
  await expect(call).rejects.toThrow('abort')
  await left
  await client.close()
  await handler[Symbol.asyncDispose]()
  await new Promise((closed) => http.close(closed)) // all connections are over, and were spoken of

  expect(printed.mock.calls).toEqual([])
  expect(reported).toEqual([])
  printed.mockRestore()
})

import { createHook } from 'node:async_hooks'
import { PassThrough, Readable } from 'node:stream'

import type { Clock } from '@parley/mcp'
import { connect } from '@parley/mcp/client'
import { createMcpHandler } from '@parley/mcp/http'
import { createServer } from '@parley/mcp/server'
import { createStdioTransport } from '@parley/mcp/stdio'
import { afterEach, expect, test, vi } from 'vitest'

import { systemClock } from '../../src/rpc/clock.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

function createEcho() {
  const server = createServer({ name: 'work', version: '1.0.0' })
  server.tool('echo', {}, () => 'hello')
  return server
}

test('requests over HTTP share their timers', async () => {
  let timers = 0
  const clock: Clock = {
    now: systemClock.now,
    setTimer(callback, ms) {
      timers++
      return systemClock.setTimer(callback, ms)
    },
  }
  const handler = createMcpHandler(createEcho(), { clock })
  const call = async (id: number) => {
    const response = await handler.fetch(
      new Request('http://127.0.0.1/mcp', {
        method: 'POST',
        headers: {
          host: '127.0.0.1',
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json',
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'tools/call',
          'mcp-name': 'echo',
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id,
          method: 'tools/call',
          params: {
            name: 'echo',
            _meta: {
              'io.modelcontextprotocol/protocolVersion': '2026-07-28',
              'io.modelcontextprotocol/clientCapabilities': {},
            },
          },
        }),
      }),
    )
    expect(response.status).toBe(200)
    await response.text()
  }
  await call(0)
  timers = 0

  for (let id = 1; id <= 100; id++) await call(id)

  expect(timers).toBeLessThanOrEqual(3) // one for bodies, one for answers, one for deadlines
})

test('a call that uses no signal makes no controller on the side of the server', async () => {
  await using client = await connect(createEcho())
  await client.callTool('echo', {})
  let controllers = 0
  const Original = AbortController
  vi.stubGlobal(
    'AbortController',
    new Proxy(Original, {
      construct(target, args, self) {
        controllers++
        return Reflect.construct(target, args, self) as object
      },
    }),
  )

  for (let count = 0; count < 50; count++) await client.callTool('echo', {})

  expect(controllers).toBe(0)
})

test('a call in one process takes a bounded number of promises, however many went before', async () => {
  await using client = await connect(createEcho())
  for (let count = 0; count < 10; count++) await client.callTool('echo', {})
  let promises = 0
  const hook = createHook({
    init(_id, type) {
      if (type === 'PROMISE') promises++
    },
  })

  const countFor = async (calls: number): Promise<number> => {
    promises = 0
    hook.enable()
    for (let count = 0; count < calls; count++) await client.callTool('echo', {})
    hook.disable()
    return promises / calls
  }
  const early = await countFor(100)
  const late = await countFor(1_000)

  expect(early).toBeLessThanOrEqual(40)
  expect(late).toBeLessThanOrEqual(early + 1)
})

for (const pieces of [16, 256, 4_096]) {
  test(`a line that arrives in ${pieces} pieces is joined without copying any byte more than twice`, async () => {
    const text = JSON.stringify({
      jsonrpc: '2.0',
      method: 'x',
      params: { text: 'a'.repeat(2 ** 20) },
    })
    const bytes = Buffer.from(`${text}\n`)
    const size = Math.ceil(bytes.length / pieces)
    const chunks = Array.from({ length: pieces }, (_, index) =>
      bytes.subarray(index * size, (index + 1) * size),
    )
    let joined = 0
    const { concat } = Buffer
    vi.spyOn(Buffer, 'concat').mockImplementation((list, total) => {
      const result = concat.call(Buffer, list, total)
      joined += result.length
      return result
    })
    await using transport = createStdioTransport({
      input: Readable.from(chunks, { objectMode: false }),
      output: new PassThrough(),
    })

    for await (const message of transport.messages) {
      expect(typeof message).toBe('string')
      break
    }

    expect(joined).toBeLessThanOrEqual(2 * bytes.length)
  })
}

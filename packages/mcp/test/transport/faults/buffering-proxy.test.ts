import { connect } from '@parley/mcp/client'
import { serveHttp } from '@parley/mcp/node'
import { createServer } from '@parley/mcp/server'
import { createVirtualClock, type VirtualClock } from '@parley/mcp/testing'
import { expect, test, vi } from 'vitest'

import { openBufferingProxy } from './buffering-proxy.ts'

const eras = ['legacy', 'modern'] as const

/** Lets time pass until something has happened: when a socket has done its part is not known. */
async function passTime(clock: VirtualClock, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    await clock.advance(5_000)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** Whether a promise has an outcome by now. */
function watch(outcome: Promise<unknown>): () => boolean {
  let isOver = false
  const over = () => void (isOver = true)
  void outcome.then(over, over)
  return () => isOver
}

/** Served behind a proxy that keeps every answer until it is complete. */
async function openBuffered() {
  const server = createServer({ name: 'behind', version: '1.0.0' })
  const runs = { count: 0 }
  server.tool('work', {}, async (_, context) => {
    runs.count += 1
    for (const progress of [1, 2, 3]) await context.progress({ progress })
    context.log('info', 'nearly')
    return 'done'
  })
  server.tool('ask', {}, async (_, context) => `${(await context.listRoots()).length} roots`)
  const service = await serveHttp(server, { port: 0, ownsProcess: false, legacySse: true })
  const proxy = await openBufferingProxy(service.url)
  return {
    server,
    runs,
    service,
    proxy,
    url: proxy.through(service.url),
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]()
      await service.drain({ deadlineMs: 0 })
    },
  }
}

test.each(eras)(
  'behind it %s calls work, and what was told before a result comes with it, in order',
  async (protocolVersion) => {
    await using behind = await openBuffered()
    const logged: unknown[] = []
    await using client = await connect(behind.url, {
      protocolVersion,
      onLog: ({ data }) => logged.push(data),
    })

    const calls = Array.from({ length: 20 }, async () => {
      const received: number[] = []
      const onProgress = ({ progress }: { readonly progress: number }) =>
        void received.push(progress)
      return { answer: await client.callTool('work', {}, { onProgress }), heard: received }
    })

    for (const { answer, heard } of await Promise.all(calls)) {
      expect(answer).toMatchObject({ content: [{ text: 'done' }] })
      expect(heard).toEqual([1, 2, 3])
    }
    expect(logged).toEqual(Array.from({ length: 20 }, () => 'nearly'))
    expect(behind.runs.count).toBe(20)
  },
)

test('a question by request cannot pass it: the call ends at its limit, and the next one works', async () => {
  await using behind = await openBuffered()
  await using client = await connect(behind.url, { protocolVersion: 'legacy', roots: [] })

  const requesting = client.callTool('ask', {}, { timeouts: { idleMs: 200 } })

  await expect(requesting).rejects.toMatchObject({ code: 'timeout' })
  expect(await client.callTool('work')).toMatchObject({ content: [{ text: 'done' }] })
  await vi.waitFor(() => expect(behind.service.health().inFlight).toBe(0))
})

test('a question in a result passes it', async () => {
  await using behind = await openBuffered()
  await using client = await connect(behind.url, {
    protocolVersion: 'modern',
    roots: ['file:///home'],
  })

  expect(await client.callTool('ask')).toMatchObject({ content: [{ text: '1 roots' }] })
})

test('a stream of changes cannot pass it: the client says so after a while, and calls go on', async () => {
  await using behind = await openBuffered()
  const clock = createVirtualClock()
  await using client = await connect(behind.url, { protocolVersion: 'legacy', clock })
  const listening = client.listen({ toolsListChanged: true })
  await vi.waitFor(() => expect(behind.proxy.waiting).toBe(1))

  await passTime(clock, () => client.status.state === 'degraded')
  await listening

  expect(client.status).toMatchObject({ state: 'degraded', missing: 'notifications' })
  expect(await client.callTool('work')).toMatchObject({ content: [{ text: 'done' }] })
})

test('a request to listen cannot pass it: it fails after a while, and calls go on', async () => {
  await using behind = await openBuffered()
  const clock = createVirtualClock()
  await using client = await connect(behind.url, { protocolVersion: 'modern', clock })
  const listening = client.listen({ toolsListChanged: true })
  const failure = expect(listening).rejects.toMatchObject({ code: 'timeout' })
  await vi.waitFor(() => expect(behind.proxy.waiting).toBe(1))

  await passTime(clock, watch(listening))

  await failure
  expect(await client.callTool('work')).toMatchObject({ content: [{ text: 'done' }] })
  await vi.waitFor(() => expect(behind.service.health().inFlight).toBe(0))
})

test('the transport of 2024-11-05 cannot pass it, which is told instead of waiting for ever', async () => {
  await using behind = await openBuffered()
  const clock = createVirtualClock()
  const target = { type: 'sse', url: `${behind.url}/sse` } as const

  const connecting = connect(target, { clock, reconnect: false })
  const failure = expect(connecting).rejects.toMatchObject({ code: 'not_mcp' })
  await vi.waitFor(() => expect(behind.proxy.waiting).toBe(1))
  await passTime(clock, watch(connecting))

  await failure
})

import type { Frame } from '@parley/mcp'
import { createServer, type Server } from '@parley/mcp/server'
import { expect, test } from 'vitest'
import { z } from 'zod'

import { describeNetwork, eventually } from '../../support/network.ts'

/** A server whose tool `hang` ends when its signal does; what it was told is in `reasons`. */
function createHanging() {
  const server = createServer({ name: 'hanging', version: '1.0.0', onError: () => undefined })
  const reasons: unknown[] = []
  const calls = { started: 0 }
  const hang = async (_: unknown, { signal }: { signal: AbortSignal }) => {
    calls.started += 1
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    reasons.push(signal.reason)
    return 'too late'
  }
  server.tool('hang', {}, hang)
  server.tool('brief', { timeoutMs: 20 }, hang)
  return { server, reasons, calls }
}

/** A server whose tool `work` tells how far it is, and logs, in the name it is given. */
function createTalking(): Server {
  const server = createServer({ name: 'talking', version: '1.0.0' })
  server.tool(
    'work',
    { inputSchema: z.object({ name: z.string() }) },
    async ({ name }, context) => {
      for (let progress = 1; progress <= 5; progress += 1) {
        await context.progress({ progress, total: 5, message: name })
        context.log('info', `${name} ${progress}`, name)
        await new Promise((resolve) => setTimeout(resolve, 1))
      }
      return name
    },
  )
  server.tool('shout', {}, (_, context) => {
    for (const level of ['debug', 'info', 'warning', 'error'] as const) {
      context.log(level, { level }, 'shouter')
    }
  })
  return server
}

describeNetwork('a call', ({ revision, hasSessions, hasHandshake, serve }) => {
  test('tells its progress and its log in order, before its result', async () => {
    await using network = await serve(createTalking())
    const received: unknown[] = []
    const client = await network.connect({ onLog: ({ data }) => received.push(data) })
    const message = revision === '2024-11-05' ? {} : { message: 'ada' }

    const result = await client.callTool(
      'work',
      { name: 'ada' },
      { onProgress: (progress) => received.push(progress) },
    )
    received.push(result.content)

    const steps = [1, 2, 3, 4, 5].flatMap((progress) => [
      { progress, total: 5, ...message },
      `ada ${progress}`,
    ])
    expect(received).toEqual([...steps, [{ type: 'text', text: 'ada' }]])
  })

  test('logs from info on, and from the level that was set where it is remembered or said each time', async () => {
    await using network = await serve(createTalking())
    const received: unknown[] = []
    const client = await network.connect({ onLog: (message) => received.push(message) })
    const logged = (...levels: string[]) =>
      levels.map((level) => ({ level, logger: 'shouter', data: { level } }))

    await client.callTool('shout')
    expect(received.splice(0)).toEqual(logged('info', 'warning', 'error'))
    if (hasHandshake && !hasSessions) return
    await client.setLoggingLevel('error')
    await client.callTool('shout')
    expect(received.splice(0)).toEqual(logged('error'))
    await client.setLoggingLevel('debug')
    await client.callTool('shout')
    expect(received).toEqual(logged('debug', 'info', 'warning', 'error'))
  })

  test('fails when its tool takes longer than it may, and the handler is told', async () => {
    const { server, reasons } = createHanging()
    await using network = await serve(server)
    const client = await network.connect()

    const result = await client.callTool('brief')

    expect(result).toMatchObject({ isError: true })
    expect(reasons).toMatchObject([{ code: 'cancelled', details: { by: 'timeout' } }])
  })

  test('is answered to who made it, whatever the order', async () => {
    const server = createServer({ name: 'many', version: '1.0.0' })
    const waiting: (() => void)[] = []
    server.tool('wait', { inputSchema: z.object({ index: z.number() }) }, async ({ index }) => {
      await new Promise<void>((resolve) => {
        waiting.push(resolve)
        if (waiting.length === 50) for (const release of waiting.toReversed()) release()
      })
      return index
    })
    await using network = await serve(server)
    const client = await network.connect()
    const indexes = Array.from({ length: 50 }, (_, index) => index)

    const results = await Promise.all(indexes.map((index) => client.callTool('wait', { index })))

    expect(results.map(({ content }) => content)).toEqual(
      indexes.map((index) => [{ type: 'text', text: String(index) }]),
    )
  })

  test('is seen by nobody else', async () => {
    await using network = await serve(createTalking())
    const seen = await Promise.all(
      ['ada', 'bob'].map(async (name) => {
        const received: unknown[] = []
        const frames: Frame[] = []
        const client = await network.connect({
          onLog: ({ logger }) => received.push(logger),
          onMessage: (frame) => frames.push(frame),
        })
        const calls = [1, 2, 3].map(() => client.callTool('work', { name }, { onProgress() {} }))
        for (const { content } of await Promise.all(calls)) {
          received.push(content[0]?.type === 'text' && content[0].text)
        }
        return { name, heard: received, text: JSON.stringify(frames) }
      }),
    )

    for (const { name, heard, text } of seen) {
      expect(heard).toEqual(Array.from({ length: 18 }, () => name))
      expect(text).not.toContain(name === 'ada' ? 'bob' : 'ada')
    }
  })
})

describeNetwork(
  'cancelling',
  ({ transport, hasHandshake, serve }) => {
    // Where a request is all there is of a client, closing its answer is how to say it.
    const by = hasHandshake || transport === 'websocket' ? 'caller' : 'disconnect'

    test('reaches the handler, and nothing answers', async () => {
      const { server, reasons, calls } = createHanging()
      await using network = await serve(server)
      const frames: Frame[] = []
      const client = await network.connect({ onMessage: (frame) => frames.push(frame) })
      const controller = new AbortController()
      const calling = client.callTool('hang', {}, { signal: controller.signal })
      const failed = expect(calling).rejects.toBe('enough')
      await eventually(() => expect(calls.started).toBe(1))

      controller.abort('enough')
      await failed
      await eventually(() => expect(reasons).toHaveLength(1))
      await client.ping()

      expect(reasons).toMatchObject([{ code: 'cancelled', details: { by } }])
      const asked = messagesOf(frames, 'out').find(({ method }) => method === 'tools/call')
      expect(asked?.id).toBeDefined()
      expect(messagesOf(frames, 'in').filter(({ id }) => id === asked?.id)).toEqual([])
    })

    test('is what a time limit of the caller does', async () => {
      const { server, reasons } = createHanging()
      await using network = await serve(server)
      const client = await network.connect()

      const calling = client.callTool('hang', {}, { timeouts: { idleMs: 50 } })

      await expect(calling).rejects.toMatchObject({ code: 'timeout', details: { limit: 'idle' } })
      await eventually(() =>
        expect(reasons).toMatchObject([{ code: 'cancelled', details: { by } }]),
      )
    })
  },
  { wayBack: true },
)

function messagesOf(frames: readonly Frame[], direction: Frame['direction']) {
  const messages = frames.filter((frame) => frame.direction === direction)
  return messages.map(({ message }) => message as { id?: number; method?: string }) // no batches here
}

import { createServer, type Server } from '@parley/mcp/server'
import { expect, test } from 'vitest'
import { z } from 'zod'

import { describeNetwork, eventually } from '../../support/network.ts'

const count = 500
const numbers = Array.from({ length: count }, (_, index) => index + 1)

/** A server that says much at once and waits for nobody. */
function createFlooding(): Server {
  const server = createServer({ name: 'flooding', version: '1.0.0' })
  server.tool('log', {}, (_, context) => {
    for (const number of numbers) context.log('info', number)
    return 'logged'
  })
  server.tool('hurry', {}, (_, context) => {
    for (const progress of numbers) void context.progress({ progress })
    return 'hurried'
  })
  server.tool('pour', { inputSchema: z.object({ letter: z.string() }) }, ({ letter }) =>
    letter.repeat(1024 * 1024),
  )
  return server
}

describeNetwork('a burst', ({ hasSessions, serve }) => {
  test('of log messages arrives whole, in order, before the result', async () => {
    await using network = await serve(createFlooding())
    const received: unknown[] = []
    const client = await network.connect({ onLog: ({ data }) => received.push(data) })

    const { content } = await client.callTool('log')
    received.push(content)

    expect(received).toEqual([...numbers, [{ type: 'text', text: 'logged' }]])
  })

  test('of progress only ever grows, and the last of it is heard', async () => {
    await using network = await serve(createFlooding())
    const received: number[] = []
    const client = await network.connect()

    const onProgress = ({ progress }: { progress: number }) => received.push(progress)
    const { content } = await client.callTool('hurry', {}, { onProgress })

    expect(content).toEqual([{ type: 'text', text: 'hurried' }])
    expect(received).toEqual(received.toSorted((left, right) => left - right))
    expect(new Set(received).size).toBe(received.length)
    expect(received.at(-1)).toBe(count)
  })

  test('of large results reaches each caller', async () => {
    await using network = await serve(createFlooding())
    const client = await network.connect()
    const letters = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

    const results = await Promise.all(letters.map((letter) => client.callTool('pour', { letter })))

    for (const [index, { content }] of results.entries()) {
      expect(content).toEqual([{ type: 'text', text: letters[index]?.repeat(1024 * 1024) }])
    }
  })

  test('of clients gets a session each where there are sessions, and leaves none behind', async () => {
    await using network = await serve(createFlooding())

    const clients = await Promise.all(Array.from({ length: 20 }, () => network.connect()))
    const { sessions } = network.service.health()
    const pings = await Promise.all(clients.map((client) => client.ping()))
    await Promise.all(clients.map((client) => client.close()))

    expect(sessions).toBe(hasSessions ? 20 : 0)
    expect(pings).toHaveLength(20)
    await eventually(() => expect(network.service.health().sessions).toBe(0))
  })
})

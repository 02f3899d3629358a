import type { ServerChange } from '@parley/mcp/client'
import { expect, test } from 'vitest'

import { openProxy, textOf } from './relaying.ts'

test('clients that share a connection are asked only while no other could be meant', async () => {
  await using opened = openProxy('legacy', 'legacy', { mode: 'shared' })
  const answers = (city: string) => ({
    elicit: () => ({ action: 'accept' as const, content: { city } }),
  })
  const one = await opened.open(answers('one'))
  const two = await opened.open(answers('two'))

  const alone = await one.callTool('ask')
  let started: (() => void) | undefined
  const hasStarted = new Promise<void>((resolve) => (started = resolve))
  const waiting = two.callTool('wait', {}, { onProgress: () => started?.() })
  await hasStarted
  const ambiguous = await one.callTool('ask')
  opened.release()
  await waiting

  expect(opened.proxy.connections).toBe(1)
  expect(textOf(alone)).toContain('"city":"one"')
  expect(ambiguous.isError).toBe(true)
  expect(textOf(ambiguous)).toContain('the client is ambiguous')
})

test('clients that share a connection hear of the resources that they follow themselves', async () => {
  await using opened = openProxy('legacy', 'legacy', { mode: 'shared' })
  const received: { one: ServerChange[]; two: ServerChange[] } = { one: [], two: [] }
  const follow = async (name: 'one' | 'two', uri: string) => {
    const client = await opened.open()
    const subscription = await client.listen({ resourceSubscriptions: [uri] })
    void (async () => {
      for await (const change of subscription) received[name].push(change)
    })()
    return client
  }
  await follow('one', 'note://one')
  await follow('two', 'note://a/b')

  opened.server.notifyChanged({ uri: 'note://one' })
  opened.server.notifyChanged({ uri: 'note://a/b' })
  await expect.poll(() => [received.one.length, received.two.length]).toEqual([1, 1])

  expect(received).toMatchObject({ one: [{ uri: 'note://one' }], two: [{ uri: 'note://a/b' }] })
})

test('the last client that follows a resource ends the subscription, and not the first', async () => {
  await using opened = openProxy('legacy', 'legacy', { mode: 'shared' })
  const [one, two] = [await opened.open(), await opened.open()]
  const first = await one.listen({ resourceSubscriptions: ['note://one'] })
  const second = await two.listen({ resourceSubscriptions: ['note://one'] })
  const received: ServerChange[] = []
  void (async () => {
    for await (const change of second) received.push(change)
  })()

  await first[Symbol.asyncDispose]()
  await one.close()
  opened.server.notifyChanged({ uri: 'note://one' })

  await expect.poll(() => received.length).toBe(1)
})

test('more connections than allowed are refused with the limit', async () => {
  await using opened = openProxy('legacy', 'legacy', { maxConnections: 2 })
  const one = await opened.open()
  await opened.open()

  await expect(opened.open()).rejects.toThrow(/maxConnections \(2\)/)

  await one.close()
  await expect.poll(() => opened.proxy.connections).toBe(1)
  await opened.open()
})

test('a proxy refuses features of its own', async () => {
  await using opened = openProxy('legacy', 'legacy')

  expect(() => opened.proxy.tool('more', {}, () => 'more')).toThrow(
    'a proxy has no features of its own',
  )
})

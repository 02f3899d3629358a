import { getEventListeners } from 'node:events'

import { expect, test } from 'vitest'

import { onAbort } from '../../src/rpc/signals.ts'
import { createServer } from '../../src/server/create-server.ts'
import { createTestClient } from '../../src/testing/test-client.ts'

test('puts one listener on a signal, however many wait for it', () => {
  const { signal } = new AbortController()

  for (let count = 0; count < 100; count += 1) onAbort(signal, () => undefined)

  expect(getEventListeners(signal, 'abort')).toHaveLength(1)
})

test('calls everybody who still waits, once', () => {
  const controller = new AbortController()
  const called: string[] = []
  onAbort(controller.signal, () => called.push('first'))
  const closed = onAbort(controller.signal, () => called.push('gone'))
  onAbort(controller.signal, () => called.push('last'))

  closed[Symbol.dispose]()
  controller.abort()
  controller.abort()

  expect(called).toEqual(['first', 'last'])
})

test('cancels every call that was given the same signal', async () => {
  const server = createServer({ name: 'slow', version: '1.0.0' })
  const aborted: string[] = []
  server.tool('wait', {}, (_, { signal }) => {
    signal.addEventListener('abort', () => aborted.push('aborted'))
    return new Promise<string>(() => undefined)
  })
  await using client = await createTestClient(server)
  const controller = new AbortController()

  const calls = Array.from({ length: 20 }, () =>
    client.callTool('wait', {}, { signal: controller.signal }),
  )
  await client.idle()
  controller.abort(new Error('enough'))
  const outcomes = await Promise.allSettled(calls)
  await client.idle()

  expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true)
  expect(aborted).toHaveLength(20)
})

import { createMemoryAuthServerStore } from '@parley/auth/server'
import { expect, test } from 'vitest'

import { createStoreLock } from '../../src/server/stores/store-lock.ts'

test('one works at a time, in this process and in others with the same store', async () => {
  const store = createMemoryAuthServerStore()
  const locks = [createStoreLock(store, 60_000), createStoreLock(store, 60_000)]
  let inside = 0
  let most = 0

  await Promise.all(
    [...locks, ...locks].map((lock) =>
      lock('ada', async () => {
        inside += 1
        most = Math.max(most, inside)
        await new Promise((resolve) => setImmediate(resolve))
        inside -= 1
      }),
    ),
  )

  expect(most).toBe(1)
  await expect(locks[0]?.('ada', () => Promise.reject(new Error('failed')))).rejects.toThrow(
    'failed',
  )
  await expect(locks[1]?.('ada', async () => 'free again')).resolves.toBe('free again')
})

test('a process that died does not hold it for ever, and one that was slow does not open it for others', async () => {
  let now = 0
  const store = createMemoryAuthServerStore({ now: () => now })
  const [slow, next] = [createStoreLock(store, 1_000), createStoreLock(store, 1_000)]
  let resume = () => {}
  let begun = () => {}
  const isInside = new Promise<void>((resolve) => (begun = resolve))
  const late = slow('ada', async () => {
    begun()
    await new Promise<void>((resolve) => (resume = resolve))
  })
  await isInside
  now = 2_000

  await next('ada', async () => {
    resume()
    await late
    expect(await store.get('Lock', 'ada')).toEqual(expect.any(String)) // still held
  })

  expect(await store.get('Lock', 'ada')).toBeUndefined()
})

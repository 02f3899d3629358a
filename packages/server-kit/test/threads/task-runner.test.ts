import { createTaskRunner } from '@parley/server-kit/threads'
import { expect, test } from 'vitest'

interface Tasks {
  readonly work: { readonly input: unknown; readonly output: unknown }
}
const entry = new URL('thread.mjs', import.meta.url)
const never = new AbortController().signal

test('a page that never ends its reader is ended with the call, and the next one is read', async () => {
  const run = createTaskRunner<Tasks>({ entry })
  const controllers = [new AbortController(), new AbortController(), new AbortController()] as const
  // Two work, the third waits for its turn.
  const endless = controllers.map(({ signal }) => run('work', 'never ends', signal))
  const outcomes = Promise.allSettled(endless)
  const next = run('work', new Uint8Array([1]), never)

  for (const one of controllers) one.abort(new Error('too late'))

  for (const { status } of await outcomes) expect(status).toBe('rejected')
  await expect(endless[0]).rejects.toThrow('too late')
  await expect(endless[2]).rejects.toThrow('too late')
  expect(await next).toEqual(new Uint8Array([1]))
})

test('a thread is used again, also after a failure', async () => {
  const run = createTaskRunner<Tasks>({ entry })

  await expect(run('work', 'fails', never)).rejects.toThrow('as told')
  expect(await run('work', 'one', never)).toBe('one')
  expect(await run('work', 'two', never)).toBe('two')
})

test('one that ends by itself fails its own page only', async () => {
  const run = createTaskRunner<Tasks>({ entry })

  await expect(run('work', 'ends', never)).rejects.toThrow('ended')
  expect(await run('work', 'next', never)).toBe('next')
})

test('a page that takes all memory is refused, with the limit', async () => {
  const run = createTaskRunner<Tasks>({ entry, heapMiB: 32 })

  await expect(run('work', 'takes all memory', never)).rejects.toThrow('more than 32 MiB')
  expect(await run('work', 'next', never)).toBe('next')
})

test('nothing is begun for a call that has ended', async () => {
  const run = createTaskRunner<Tasks>({ entry })
  const ended = AbortSignal.abort(new Error('cancelled'))

  await expect(run('work', 'never ends', ended)).rejects.toThrow('cancelled')
})

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import { anySignal } from '@parley/mcp/signals'
import { expect, test } from 'vitest'

/** Collects garbage. */
function collector(): () => void {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as () => void // the flag makes it a global of every new context
}

/** Resolves when the signal aborts; keeps nothing but the listener. */
function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}

test('aborts with the first of them, for its reason', () => {
  const [one, two] = [new AbortController(), new AbortController()]
  const either = anySignal(one.signal, two.signal)

  expect(either.aborted).toBe(false)
  two.abort('enough')

  expect(either.aborted).toBe(true)
  expect(either.reason).toBe('enough')
  expect(anySignal(one.signal, two.signal).aborted).toBe(true)
})

test('the only one is returned as it is', () => {
  const { signal } = new AbortController()

  expect(anySignal(signal, undefined, null)).toBe(signal)
})

test('a time limit holds after garbage was collected, also inside of another', async () => {
  const collect = collector()
  const { signal } = new AbortController()
  const ends = [
    aborted(anySignal(signal, AbortSignal.timeout(100))),
    aborted(anySignal(new AbortController().signal, anySignal(signal, AbortSignal.timeout(100)))),
  ]

  await new Promise((resolve) => setImmediate(resolve))
  collect()

  await Promise.all(ends)
})

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import { expect, test } from 'vitest'

import { ShortLivedMap } from '../../src/rpc/short-lived.ts'

test('keeps nothing of what has passed through it, also when it is old itself', () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as (options: { readonly type: 'minor' }) => void
  const map = new ShortLivedMap<number, object>()
  const pass = (from: number, to: number): void => {
    for (let id = from; id < to; id++) {
      map.set(id, { payload: Array.from({ length: 300 }, () => id) })
      map.take(id - 40)
    }
  }
  pass(0, 40)
  for (let times = 0; times < 3; times++) collect({ type: 'minor' }) // now its table is old
  const before = process.memoryUsage().heapUsed

  for (let start = 40; start < 6_000; start += 500) {
    pass(start, start + 500)
    collect({ type: 'minor' })
  }

  const grown = process.memoryUsage().heapUsed - before
  expect(grown).toBeLessThan(2 ** 20) // a `Map` grows by several
})

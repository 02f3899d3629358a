import { createVirtualClock } from '@parley/mcp/testing'
import { expect, test } from 'vitest'

import { createRestartBudget } from '../../src/transport/proxy/restart-budget.ts'

test('a server that fails too often is given a rest, and the refusal says why it failed last', async () => {
  const clock = createVirtualClock()
  const budget = createRestartBudget(clock, { count: 3, windowMs: 60_000 })
  budget.failed('it exited with code 3')
  await clock.advance(10_000)
  budget.failed('it exited with code 3')
  expect(budget.rejection()).toBeUndefined()

  budget.failed('nothing listens there')

  expect(budget.rejection()).toMatchObject({
    code: 'overloaded',
    message:
      'the server has failed 3 times within 60 s (last: nothing listens there); try again in 50 s',
    data: { retryAfterMs: 50_000 },
  })
  await clock.advance(50_000)
  expect(budget.rejection()).toBeUndefined()
})

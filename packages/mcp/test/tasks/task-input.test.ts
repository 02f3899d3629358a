import { createVirtualClock } from '@parley/mcp/testing'
import { expect, test } from 'vitest'

import { createTaskInput } from '../../src/server/tasks/task-input.ts'
import type { TaskEvent } from '../../src/server/tasks/task-state.ts'
import { untilIdle } from '../../src/testing/virtual-clock.ts'

test('a key is used once in the life of a task, also when its question is over [N07-XT-10]', async () => {
  const events: TaskEvent[] = []
  const input = createTaskInput(createVirtualClock(), async (event) => void events.push(event))
  const request = { method: 'elicitation/create', params: { message: 'Who?' } } as const
  const limits = { timeoutMs: 1_000, signal: new AbortController().signal, key: 'name' }
  const answer = (name: string) => ({ result: { action: 'accept', content: { name } } })

  const first = input.ask(request, limits)
  await untilIdle()
  input.take({ name: answer('Ada') })
  expect(await first).toEqual(answer('Ada').result)
  const second = input.ask(request, limits)
  await untilIdle()
  input.take({ name: answer('Eve'), unheard: answer('Eve') })
  input.take({ 'name-2': answer('Bob') })

  expect(await second).toEqual(answer('Bob').result)
  expect(events.flatMap((event) => (event.type === 'asked' ? [event.key] : []))).toEqual([
    'name',
    'name-2',
  ])
})

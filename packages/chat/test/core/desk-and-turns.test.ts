import type { ServerQuestion } from '@parley/host'
import { expect, test } from 'vitest'

import { createQuestionsDesk } from '../../src/core/questions-desk.ts'
import { createRunningTurn } from '../../src/core/running-turn.ts'

const question: ServerQuestion = {
  server: 's',
  message: 'm',
  warnings: [],
  mode: 'form',
  schema: { type: 'object' },
}

test('a server that asks without end is refused before it fills the desk', async () => {
  const desk = createQuestionsDesk(() => undefined)
  const { signal } = new AbortController()
  const asked = Array.from({ length: 70 }, () =>
    desk
      .ask<'elicitation'>({ kind: 'elicitation', question }, signal)
      .catch((error: unknown) => error),
  )

  const refused = await Promise.all(asked.slice(64))

  expect(desk.open).toHaveLength(64)
  expect(refused.every((error) => error instanceof Error)).toBe(true)
  desk.close()
  expect(desk.open).toEqual([])
  expect(await asked[0]).toBeInstanceOf(Error)
})

test('a desk that was closed takes no question', async () => {
  const desk = createQuestionsDesk(() => undefined)
  desk.close()

  const { signal } = new AbortController()
  const asked = desk.ask<'elicitation'>({ kind: 'elicitation', question }, signal)

  expect(desk.open).toEqual([])
  await expect(asked).rejects.toThrow('the chat is closing')
})

test('a question that is withdrawn leaves the desk', async () => {
  const changes: number[] = []
  const desk = createQuestionsDesk(() => changes.push(desk.open.length))
  const withdraw = new AbortController()
  const asked = desk.ask<'elicitation'>({ kind: 'elicitation', question }, withdraw.signal)

  withdraw.abort()

  await expect(asked).rejects.toThrow('withdrawn')
  expect(changes).toEqual([1, 0])
})

test('a running turn keeps one piece of text, the newest progress, and a bounded amount of results', () => {
  const turn = createRunningTurn('Go.')
  const whose = { id: 'a', server: 's', tool: 't' }

  turn.add({ type: 'text', text: 'a' })
  turn.add({ type: 'text', text: 'b' })
  turn.add({ type: 'progress', ...whose, progress: 1 })
  turn.add({ type: 'progress', ...whose, progress: 2 })
  for (let count = 0; count < 5; count += 1) {
    const content = [{ type: 'text' as const, text: 'x'.repeat(2_000_000) }]
    turn.add({ type: 'result', ...whose, isError: false, wasCalled: true, content })
  }
  for (let count = 0; count < 5_000; count += 1) {
    turn.add({ type: 'notice', code: 'server', message: String(count) })
  }

  expect(turn.events.slice(0, 2)).toMatchObject([
    { type: 'text', text: 'ab' },
    { type: 'progress', progress: 2 },
  ])
  expect(turn.events.length).toBe(4_000)
  expect(JSON.stringify(turn.events).length).toBeLessThan(10_000_000)
})

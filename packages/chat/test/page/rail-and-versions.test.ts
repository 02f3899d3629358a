import { expect, test } from 'vitest'

import { groupByDay } from '../../page/left/group-by-day.ts'
import { tickedAtFirst } from '../../page/sheets/ticked-at-first.ts'
import { versionsOfTurn } from '../../page/thread/versions.ts'

test('chats are grouped by the day of their last change', () => {
  const now = new Date(2026, 10, 19, 9).getTime()
  const chat = (id: string, changedAt: number) => ({
    id,
    title: id,
    model: 'm',
    turns: 1,
    createdAt: 0,
    changedAt,
  })
  const midnight = new Date(2026, 10, 19).getTime()

  const groups = groupByDay(
    [chat('now', midnight), chat('late', midnight - 1), chat('old', midnight - 90_000_000)],
    now,
  )

  expect(groups.map(({ title, rows }) => [title, ...rows.map(({ id }) => id)])).toEqual([
    ['Today', 'now'],
    ['Yesterday', 'late'],
    ['Earlier', 'old'],
  ])
})

test('a turn has the versions that replaced it, whichever of them is shown', () => {
  const versions = [
    { id: 'a', turn: 0 },
    { id: 'b', parent: 'a', turn: 2 },
    { id: 'c', parent: 'b', turn: 2 },
    { id: 'd', parent: 'c', turn: 1 },
  ]

  expect(versionsOfTurn(versions, 'a', 2)).toEqual({ ids: ['a', 'b', 'c'], shown: 0 })
  expect(versionsOfTurn(versions, 'c', 2)).toEqual({ ids: ['a', 'b', 'c'], shown: 2 })
  expect(versionsOfTurn(versions, 'c', 1)).toEqual({ ids: ['a', 'd'], shown: 0 })
  expect(versionsOfTurn(versions, 'd', 1)).toEqual({ ids: ['a', 'd'], shown: 1 })
  expect(versionsOfTurn(versions, 'd', 2)).toBeUndefined()
  expect(versionsOfTurn([], 'a', 1)).toBeUndefined()
})

test('calls are ticked, but not what is called destructive, nor outward after untrusted content', () => {
  const call = (annotations: object, untrusted = false) =>
    ({ call: { tool: { annotations }, flow: { untrusted, private: false } } }) as never // what is read of a question

  expect([...tickedAtFirst([call({}), call({ destructiveHint: true })])]).toEqual([0])
  expect([...tickedAtFirst([call({ openWorldHint: true })])]).toEqual([0])
  expect([...tickedAtFirst([call({ openWorldHint: true }), call({}, true)])]).toEqual([1])
})

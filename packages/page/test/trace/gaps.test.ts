import fc from 'fast-check'
import { expect, test } from 'vitest'

import { toldRecords } from '../../../../test-support/told-trace.ts'
import { readEntry } from '../../src/trace/rows/entry.ts'
import { findGaps, gapsWithin } from '../../src/trace/rows/gaps.ts'
import { createRowTable } from '../../src/trace/rows/rows.ts'
import { createTimeScale } from '../../src/trace/waterfall/time-scale.ts'
import { messageRecord } from './records.ts'

test('long times in which nothing was in flight are found', () => {
  const table = createRowTable()
  for (const record of toldRecords()) table.add(readEntry(record))

  const gaps = findGaps(table.top)

  expect(gaps.map(({ from, to, next }) => [from, to, next.entry.subject])).toEqual([
    [14, 12_414, 'commit'],
    [20_698, 23_698, 'fetch'],
  ])
  expect(gapsWithin(gaps, 0, 20_000, 10)).toEqual([gaps[0]])
  expect(gapsWithin(gaps, 0, 30_000, 1)).toEqual([gaps[0]])
})

test('where only some rows are shown, what is idle is told from what is hidden', () => {
  const table = createRowTable()
  for (const record of toldRecords()) table.add(readEntry(record))
  const all = findGaps(table.top)
  const [status, commit, , fetched] = table.top

  expect(findGaps([status!, commit!], all)).toMatchObject([{ isIdle: true }])
  expect(findGaps([status!, fetched!], all)).toMatchObject([
    { from: 14, to: 23_698, isIdle: false },
  ])
})

test('time in which something waits for its answer is not idle, however long', () => {
  const table = createRowTable()
  table.add(readEntry(messageRecord(1, { id: 1, method: 'tools/call' }, { time: 0 })))
  table.add(readEntry(messageRecord(2, { id: 2, method: 'ping' }, { time: 9000 })))
  table.add(readEntry(messageRecord(3, { id: 1, result: {} }, { time: 9500 })))

  expect(findGaps(table.top)).toEqual([])
})

test('a request that never got an answer does not hide that nothing happened, and is counted', () => {
  const table = createRowTable()
  table.add(readEntry(messageRecord(1, { id: 1, method: 'tools/call' }, { time: 0 })))
  table.add(readEntry(messageRecord(2, { id: 2, method: 'ping' }, { time: 9000 })))

  expect(findGaps(table.top)).toMatchObject([{ from: 0, to: 9000, unanswered: 1 }])
})

test('a scale keeps the order of moments, and fills the room it has', () => {
  const lengths = fc.array(fc.integer({ min: 1, max: 10_000 }), { minLength: 2, maxLength: 30 })
  fc.assert(
    fc.property(lengths, fc.integer({ min: 40, max: 900 }), (parts, width) => {
      let time = 0
      const times = [0, ...parts.map((part) => (time += part))]
      // Every second part is folded.
      const folds = parts.flatMap((_, index) =>
        index % 2 === 1 ? [{ from: times[index] ?? 0, to: times[index + 1] ?? 0 }] : [],
      )
      const scale = createTimeScale({ from: 0, to: time }, folds, 8, 8 + width)
      const places = times.map(scale.x)

      expect(places).toEqual(places.toSorted((one, other) => one - other))
      expect(places[0]).toBeCloseTo(8)
      expect(places.at(-1)).toBeCloseTo(8 + width)
      for (const { left, right } of scale.folds) expect(right - left).toBeLessThanOrEqual(22.001)
    }),
  )
})

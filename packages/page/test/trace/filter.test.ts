import fc from 'fast-check'
import { expect, test } from 'vitest'

import { readEntry } from '../../src/trace/rows/entry.ts'
import { matchesFilter, parseFilter } from '../../src/trace/rows/filter.ts'
import { createRowTable } from '../../src/trace/rows/rows.ts'
import { readTraceText } from '../../src/trace/source/file-source.ts'
import { callRecords, messageRecord } from './records.ts'

const table = createRowTable()
for (const record of [
  ...callRecords(1, 'fast', 20),
  ...callRecords(4, 'slow', 900),
  ...callRecords(7, 'broken', 300, true),
  messageRecord(10, { id: 1, method: 'roots/list' }, { direction: 'in', connection: 'two' }),
]) {
  table.add(readEntry(record))
}

const cases: readonly (readonly [string, readonly number[]])[] = [
  ['', [1, 4, 7, 10]],
  ['method:tools', [1, 4, 7]],
  ['status:error', [7]],
  ['status:pending', [10]],
  ['dur:>200', [4, 7]],
  ['dur:<0.1s', [1]],
  ['dur:>=200ms status:ok', [4]],
  ['server:two', [10]],
  ['-server:two -status:error', [1, 4]],
  ['dir:in', [10]],
  ['slow', [4]],
  ['"slow"', [4]],
  ['is:pinned', [4]],
  ['nothing:like', []],
]

test.each(cases)('the filter %j passes rows %j', (text, expected) => {
  const filter = parseFilter(text)

  const passing = table.top.filter((row) => matchesFilter(filter, row, { pins: new Set([4]) }))

  expect(passing.map(({ entry }) => entry.seq)).toEqual(expected)
})

test('a text is looked for in the whole content, so the filter asks which records hold it', () => {
  const filter = parseFilter('text:"two words" method:tools')

  const found = new Set([9])
  const passing = table.top.filter((row) => matchesFilter(filter, row, { pins: new Set(), found }))

  expect(filter.contents).toEqual(['two words'])
  expect(passing.map(({ entry }) => entry.seq)).toEqual([7])
})

test('a duration that cannot be read is said to be so', () => {
  expect(parseFilter('dur:long').problem).toContain('dur:')
})

test('anything can be typed', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const filter = parseFilter(text)

      expect(() =>
        table.top.filter((row) => matchesFilter(filter, row, { pins: new Set() })),
      ).not.toThrow()
    }),
  )
})

test('a trace file is read with what is not a record left out and counted', async () => {
  const lines = [
    JSON.stringify({ trace: 1, at: 0, program: 'inspector' }),
    ...callRecords(1, 'echo', 10).map((record) => JSON.stringify(record)),
    'not json',
    '{"seq":"x"}',
    '',
  ]

  const source = readTraceText('a.jsonl', lines.join('\n'))

  expect(source.table.top).toHaveLength(1)
  expect(source.badLines).toBe(2)
  expect(await source.record(3)).toMatchObject({ seq: 3 })
})

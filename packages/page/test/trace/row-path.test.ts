import { expect, test } from 'vitest'

import { toldRecords } from '../../../../test-support/told-trace.ts'
import { readEntry } from '../../src/trace/rows/entry.ts'
import { parseFilter, passesFilter } from '../../src/trace/rows/filter.ts'
import { answeredBy, pathOfRow } from '../../src/trace/rows/row-path.ts'
import { createRowTable } from '../../src/trace/rows/rows.ts'

test('the rows of the list tell what the records tell', () => {
  const table = createRowTable()
  for (const record of toldRecords()) table.add(readEntry(record))
  const [, commit, , fetched] = table.top

  const path = commit && pathOfRow(table, commit)

  expect(path?.segments.map(({ who, what }) => `${who}: ${what}`)).toEqual([
    'server: the server works, until progress: 1 of 2',
    'server: the server works',
    'person: elicitation/create: a person answers',
    'client: elicitation/create: the answer is sent',
    'server: the server works',
  ])
  expect(commit?.children.map((row) => answeredBy(table, row))).toEqual([undefined, 'you'])
  expect(fetched && pathOfRow(table, fetched)?.segments.map(({ who }) => who)).toEqual([
    'client',
    'server',
    'network',
  ])
})

test('what goes on is looked at again, what is over is not', () => {
  const table = createRowTable()
  const records = toldRecords()
  const answered = records.findIndex(({ parent }, index) => index > 2 && parent === 3)
  for (const record of records.slice(0, 3)) table.add(readEntry(record))
  const row = table.find(3)
  const open = row && pathOfRow(table, row)
  for (const record of records.slice(3)) table.add(readEntry(record))
  const over = row && pathOfRow(table, row)

  expect(answered).toBeGreaterThan(0)
  expect(open).toMatchObject({ isOpen: true })
  expect(over).toMatchObject({ isOpen: false, durationMs: 8284 })
  expect(row && pathOfRow(table, row)).toBe(over)
})

test('a filter finds what waited for a person, what led to something, and the opposite of a row alone', () => {
  const table = createRowTable()
  for (const record of toldRecords()) table.add(readEntry(record))
  const passing = (text: string) =>
    table.top
      .filter((row) => passesFilter(parseFilter(text), row, { pins: new Set(), table }))
      .map(({ entry }) => entry.subject)

  expect(passing('wait:person')).toEqual(['commit'])
  expect(passing('wait:network')).toEqual(['fetch'])
  expect(passing('method:tools -wait:person')).toEqual(['status', 'fetch'])
  expect(passing('method:elicitation')).toEqual(['commit'])
  expect(passing('-status:ok')).toEqual(['elicitation: accept, by the user'])
})

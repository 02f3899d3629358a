import { expect, test } from 'vitest'

import { looksLikeCsv, readCsv } from '../../src/parts/text/read-csv.ts'

test('reads quotes, line breaks inside of them, and empty cells', () => {
  expect(readCsv('\uFEFFname,note\r\nAda,"said ""hi"", twice"\r\n,"two\nlines"\r\n')).toEqual({
    head: ['name', 'note'],
    rows: [
      ['Ada', 'said "hi", twice'],
      ['', 'two\nlines'],
    ],
    isCut: false,
  })
})

test.each([
  ['semicolons', 'a;b\n1,5;2'],
  ['tabs', 'a\tb\n1,5\t2'],
])('finds out that %s separate', (_, text) => {
  expect(readCsv(text).rows).toEqual([['1,5', '2']])
})

test('a very long table is cut, and says so', () => {
  const { rows, isCut } = readCsv('a,b\n'.repeat(20_000))

  expect(rows.length).toBeLessThanOrEqual(5000)
  expect(isCut).toBe(true)
})

test('nonsense is a table as well', () => {
  expect(readCsv('"never closed,\n').head).toHaveLength(1)
  expect(readCsv('')).toEqual({ head: [], rows: [], isCut: false })
})

test.each([
  ['id,name,size\n1,a,2\n3,b,4', true],
  ['Well, first, we meet.\nThen, we go.', false],
  ['one line, with commas, in it', false],
  ['a,b\n1,2', false],
])('%j looks like a table: %s', (text, expected) => {
  expect(looksLikeCsv(text)).toBe(expected)
})

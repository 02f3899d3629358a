import { expect, test } from 'vitest'

import { listRows, pickDepth, showMore, type JsonTreeState } from '../../src/form/code/json-rows.ts'

const closed: JsonTreeState = { turned: new Set(), shown: new Map(), openDepth: 0 }

test('only open parts have lines', () => {
  const value = { a: { b: [1, 2] }, c: null }

  expect(listRows(value, closed)).toHaveLength(1)
  expect(listRows(value, { ...closed, openDepth: 1 }).map(({ pointer }) => pointer)).toEqual([
    '',
    '/a',
    '/c',
  ])
  const turned = new Set(['/a', '/a/b'])
  const rows = listRows(value, { ...closed, openDepth: 1, turned })
  expect(rows.map(({ pointer }) => pointer)).toEqual(['', '/a', '/a/b', '/a/b/0', '/a/b/1', '/c'])
})

test('a long list shows its first items, and more on request', () => {
  const value = Array.from({ length: 5000 }, (_, index) => index)
  const open = { ...closed, turned: new Set(['']) }

  const rows = listRows(value, open)

  expect(rows).toHaveLength(202)
  expect(rows.at(-1)?.more).toEqual({ parent: '', hidden: 4800 })
  const more = listRows(value, { ...open, shown: showMore(open.shown, '') })
  expect(more).toHaveLength(1202)
})

test('a value as deep as can be ends', () => {
  let value: unknown = 1
  for (let level = 0; level < 5000; level++) value = [value]

  expect(listRows(value, { ...closed, openDepth: 10_000 }).length).toBeLessThan(300)
  expect(pickDepth(value)).toBe(8)
})

test('names with slashes have pointers of their own', () => {
  const rows = listRows({ 'a/b': 1, 'a~b': 2 }, { ...closed, openDepth: 1 })

  expect(rows.map(({ pointer }) => pointer)).toEqual(['', '/a~1b', '/a~0b'])
})

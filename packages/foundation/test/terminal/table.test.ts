import { fitText, formatBars, formatTable, textWidth, wrapText } from '@parley/foundation/terminal'
import fc from 'fast-check'
import { expect, test } from 'vitest'

test('lines columns up, and wraps what is too long', () => {
  const rows = [
    ['echo', 'Says back what it was given, word for word'],
    ['get-sum', 'Adds'],
  ]

  const table = formatTable(rows, {
    width: 30,
    columns: [
      { title: 'tool', overflow: 'keep' },
      { title: 'what', overflow: 'wrap' },
    ],
  })

  expect(table.split('\n')).toEqual([
    'tool     what',
    'echo     Says back what it was',
    '         given, word for word',
    'get-sum  Adds',
  ])
})

test('counts columns, not letters', () => {
  expect(textWidth('日本')).toBe(4)
  expect(textWidth('e\u0301')).toBe(1)
  expect(textWidth('👩‍👩‍👧')).toBe(2)
  expect(textWidth('\u001b[31mred\u001b[39m')).toBe(3)
  expect(fitText('日本語', 5)).toBe('日本…')
})

test('fits the width whenever the columns may shrink', () => {
  const cell = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll(/\p{C}/gu, ' '))
  fc.assert(
    fc.property(
      fc.array(fc.tuple(cell, cell)),
      fc.integer({ min: 30, max: 120 }),
      (rows, width) => {
        const table = formatTable(rows, { width, columns: [{}, { overflow: 'wrap' }] })
        for (const line of table.split('\n')) expect(textWidth(line)).toBeLessThanOrEqual(width)
      },
    ),
  )
})

test('wrapping loses no word', () => {
  expect(wrapText('one two  three', 5)).toEqual(['one', 'two', 'three'])
  expect(wrapText('abcdefghij', 4)).toEqual(['abcd', 'efgh', 'ij'])
})

test('draws bars to scale', () => {
  const chart = formatBars(
    [
      { label: 'a', value: 10 },
      { label: 'bb', value: 5, note: '5 calls' },
    ],
    34,
  )

  expect(chart.split('\n').map((line) => line.replaceAll(/[^█]/g, '').length)).toEqual([21, 10])
})

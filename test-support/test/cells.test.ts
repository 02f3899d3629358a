import { describe, expect, test } from 'vitest'

import { chooseCells, describeCells } from '../cells.ts'
import { isThorough } from '../thorough.ts'

const cells = ['memory', 'stdio', 'http'].flatMap((channel) =>
  ['old', 'middle', 'new'].map((revision) => ({ channel, revision })),
)
type Cell = (typeof cells)[number]
const options = {
  nameOf: ({ channel, revision }: Cell) => `over ${channel} in ${revision}`,
  axesOf: (cell: Cell) => cell,
}
const titles = Array.from({ length: 200 }, (_, index) => `statement ${index}`)

describe('the cells of a statement by day', () => {
  test('are two, which differ in every axis, and the same in every run', () => {
    for (const title of titles) {
      const [one, other, ...more] = chooseCells(title, cells, options)
      expect(more).toEqual([])
      expect(one?.channel).not.toBe(other?.channel)
      expect(one?.revision).not.toBe(other?.revision)
      expect(chooseCells(title, cells.toReversed(), options)).toEqual([one, other])
    }
  })

  test('are, over many statements, all of them', () => {
    const met = new Set(titles.flatMap((title) => chooseCells(title, cells, options)))

    expect(met.size).toBe(cells.length)
  })

  test('have one of those that each statement must meet', () => {
    const always = ({ channel }: Cell): boolean => channel === 'http'

    for (const title of titles) {
      const chosen = chooseCells(title, cells, { ...options, always })
      expect(chosen.map(({ channel }) => channel)).toContain('http')
    }
  })

  test('are all of them where there are two at most', () => {
    expect(chooseCells('any', cells.slice(0, 2), options)).toEqual(cells.slice(0, 2))
  })
})

const ran: string[] = []

describeCells(
  'a matrix',
  cells,
  ({ channel, revision }) => {
    test('has a statement', () => void ran.push(`one: ${channel} ${revision}`))
    describe('within', () => {
      test('has another', () => void ran.push(`two: ${channel} ${revision}`))
    })
    if (revision === 'new' && channel === 'stdio')
      test('has one that only a single cell has', () => void ran.push('three'))
  },
  options,
)

test.skipIf(isThorough)('each statement of it was run in its cells and in no others', () => {
  expect(ran.filter((name) => name.startsWith('one'))).toHaveLength(2)
  expect(ran.filter((name) => name.startsWith('two'))).toHaveLength(2)
  expect(ran.filter((name) => name === 'three')).toHaveLength(1)
})

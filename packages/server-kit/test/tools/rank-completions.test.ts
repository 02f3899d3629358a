import { connect } from '@parley/mcp/client'
import { createServer } from '@parley/mcp/server'
import { rankCompletions } from '@parley/server-kit/tools'
import fc from 'fast-check'
import { expect, test } from 'vitest'

test('puts what fits best first, and leaves out what does not fit [COMP-09]', () => {
  const candidates = [
    'unmanned',
    'fix/main-menu',
    'remainder',
    'main-2',
    'MAIN',
    'myAxiNew',
    'other',
  ]

  expect(rankCompletions('main', candidates)).toEqual([
    'MAIN',
    'main-2',
    'fix/main-menu',
    'remainder',
    'myAxiNew',
  ])
  expect(rankCompletions('menu', ['augmenting menus', 'document', 'SideMenu'])).toEqual([
    'SideMenu',
    'augmenting menus',
  ])
})

test('with nothing typed everything fits, as it was given, once, and at most a hundred', () => {
  const many = Array.from({ length: 300 }, (_, index) => `b${index % 150}`)

  expect(rankCompletions('', ['long one', 'b', 'b'])).toEqual(['long one', 'b'])
  expect(rankCompletions('', many)).toHaveLength(100)
  expect(rankCompletions('B', many, { maxCompletions: 3 })).toEqual(['b0', 'b1', 'b2'])
})

test('finds whatever has the letters in order, and nothing else [COMP-10]', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 })
  fc.assert(
    fc.property(word, fc.array(word), (typed, candidates) => {
      const pattern = new RegExp(typed.split('').join('.*'), 's')
      const fitting = new Set(candidates.filter((one) => pattern.test(one)))
      expect(new Set(rankCompletions(typed, candidates, { maxCompletions: 1_000 }))).toEqual(
        fitting,
      )
    }),
  )
})

test('reaches the client in that order, with a slip of the finger too [COMP-09, COMP-10]', async () => {
  const people = ['Anna Lindqvist', 'Lina', 'Karl', 'Rosalind']
  const server = createServer({ name: 'people', version: '1' })
  server.resource(
    'person://{name}',
    { complete: { name: (typed) => rankCompletions(typed, people) } },
    ({ name }) => name,
  )
  await using client = await connect(server)
  const ref = { type: 'ref/resource', uri: 'person://{name}' } as const

  const suggested = async (value: string) =>
    (await client.complete(ref, { name: 'name', value })).values

  expect(await suggested('lin')).toEqual(['Lina', 'Anna Lindqvist', 'Rosalind'])
  expect(await suggested('rsld')).toEqual(['Rosalind'])
})

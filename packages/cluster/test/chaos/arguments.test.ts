import { expect, test } from 'vitest'

import { readArguments, usage } from '../../chaos/arguments.mjs'

const names = (...args: string[]) => readArguments(args).scenarios.map(({ name }) => name)

test('PostgreSQL is broken in the first six ways, Redis in all', () => {
  expect(names('--store', 'postgres')).toEqual(names().slice(0, 6))
  expect(names().length).toBe(15)
  expect(names('--only', 'pause', '--only', 'partition')).toEqual(['pause', 'partition'])
})

test.each([
  [['--only', 'pasue'], 'no scenario is named pasue: use disconnects, kill-running'],
  [['--store', 'mysql'], '--store mysql is unknown: use redis or postgres'],
  [['--only', 'partition', '--store', 'postgres'], 'partition needs --store redis'],
  [['--rounds', '0'], '--rounds 0 is not a whole number of at least 1'],
  [['--nodes', 'many'], '--nodes many is not a whole number of at least 1'],
  [['--fast'], "Unknown option '--fast'"],
])('%j is refused with a sentence', (args, said) => {
  expect(() => readArguments(args)).toThrow(said)
})

test('every flag is explained', () => {
  for (const flag of [
    'rounds',
    'only',
    'store',
    'nodes',
    'seed',
    'quick',
    'patience',
    'list',
    'help',
  ]) {
    expect(usage).toContain(`--${flag} `)
  }
})

import { readCount, readPositive, UsageError } from '@parley/server-kit/program'
import { expect, test } from 'vitest'

test('an option that was not given is no number', () => {
  expect([readCount('most', undefined), readPositive('most', undefined)]).toEqual([
    undefined,
    undefined,
  ])
})

test('numbers are read as people write them', () => {
  expect([readCount('most', '12'), readPositive('seconds', '0.5')]).toEqual([12, 0.5])
})

test.each(['', '0', '-1', 'x', 'Infinity', 'NaN'])('%j is no number above zero', (text) => {
  expect(() => readPositive('most', text)).toThrow(UsageError)
  expect(() => readCount('most', text)).toThrow('--most takes')
})

test('a count is a whole number', () => {
  expect(() => readCount('most', '1.5')).toThrow('whole number')
})

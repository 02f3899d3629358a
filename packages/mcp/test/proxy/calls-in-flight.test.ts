import { expect, test } from 'vitest'

import { CallsInFlight } from '../../src/transport/proxy/calls-in-flight.ts'

test('calls are kept in the order in which they began, whichever ends first', () => {
  const calls = new CallsInFlight<{ readonly name: string; place: number }>()
  const [first, second, third] = ['first', 'second', 'third'].map((name) => ({ name, place: -1 }))
  for (const call of [first!, second!, third!]) calls.add(call)

  calls.delete(first!)
  calls.add(first!)
  calls.delete(second!)
  calls.delete(second!)

  expect([...calls].map(({ name }) => name)).toEqual(['third', 'first'])
  expect(calls.size).toBe(2)
})

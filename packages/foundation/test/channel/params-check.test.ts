import { createParamsCheck, listSchema, objectSchema } from '@parley/foundation/channel'
import { expect, test } from 'vitest'

const { isMethod, checkParams } = createParamsCheck(
  {
    'names/set': objectSchema({
      names: listSchema({ type: 'string' }, 2),
      'title?': { type: 'string' },
    }),
  },
  (message) => new TypeError(message),
)

test('only methods with a schema are methods', () => {
  expect(isMethod('names/set')).toBe(true)

  for (const other of ['names/get', 'toString', '__proto__', 1, undefined]) {
    expect(isMethod(other), String(other)).toBe(false)
  }
})

test('params that fit are taken, members with a question mark may be missing', () => {
  checkParams('names/set', { names: ['a'] })
  checkParams('names/set', { names: [], title: 't' })
})

test.each([
  ['a missing member', {}, /names\/set: .*names/],
  ['a member that is not named', { names: [], more: 1 }, /more/],
  ['a list that is too long', { names: ['a', 'b', 'c'] }, /\/names/],
  ['an item of another type', { names: ['a', 1] }, /\/names\/1/],
  ['no object', 'names', /names\/set: params/],
])('refuses %s, and says where it is', (_, params, message) => {
  expect(() => checkParams('names/set', params)).toThrow(message)
  expect(() => checkParams('names/set', params)).toThrow(TypeError)
})

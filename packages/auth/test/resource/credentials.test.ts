import fc from 'fast-check'
import { expect, test } from 'vitest'

import { readCredentials } from '../../src/resource/protect.ts'

const read = (authorization: string | undefined, target = '/mcp') =>
  readCredentials({
    method: 'POST',
    target,
    resource: undefined,
    header: (name) => (name === 'authorization' ? authorization : undefined),
  })

test.each([
  [undefined, { kind: 'none' }],
  ['', { kind: 'none' }],
  ['Basic YTpi', { kind: 'none' }],
  ['Bearer a.b-c_d~e+f/g==', { kind: 'token', scheme: 'bearer', token: 'a.b-c_d~e+f/g==' }],
  ['bearer  abc ', { kind: 'token', scheme: 'bearer', token: 'abc' }],
  ['DPoP abc', { kind: 'token', scheme: 'dpop', token: 'abc' }],
  ['Bearer', { kind: 'malformed' }],
  ['Bearer ', { kind: 'malformed' }],
  ['Bearer a,b', { kind: 'malformed' }],
  ['Bearer ä', { kind: 'malformed' }],
  [`Bearer ${'a'.repeat(20_000)}`, { kind: 'malformed' }],
])('%j', (header, expected) => {
  expect(read(header)).toMatchObject(expected)
})

test('whatever is sent, a token is one word of the characters tokens have', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('Bearer ', 'DPoP ', ''),
      (text, scheme) => {
        const found = read(`${scheme}${text}`)

        if (found.kind === 'token') expect(found.token).toMatch(/^[A-Za-z0-9\-._~+/]+=*$/)
      },
    ),
  )
})

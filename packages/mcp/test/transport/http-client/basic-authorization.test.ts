import { expect, test } from 'vitest'

import { basicAuthorization } from '../../../src/transport/http-client/request/headers.ts'

test.each([
  ['http://ada:pass%20word@host/', 'ada:pass word'],
  ['http://ada:%C3%A9@host/', 'ada:é'],
  ['http://ada:100%@host/', 'ada:100%'],
  ['http://ada:%zz@host/', 'ada:%zz'],
])('%s is sent as %s', (url, pair) => {
  const { username, password } = new URL(url)

  expect(basicAuthorization(username, password)).toBe(
    `Basic ${Buffer.from(pair).toString('base64')}`,
  )
})

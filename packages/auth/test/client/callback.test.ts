import { AuthError } from '@parley/auth'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { readCallback, type ExpectedCallback } from '../../src/client/sign-in/callback.ts'

const expected: ExpectedCallback = {
  redirectUri: 'http://127.0.0.1:3000/callback',
  state: 'right-state',
  issuer: 'https://as.example/tenant',
  sendsIssuer: false,
}

function callback(parameters: Record<string, string>, base = expected.redirectUri): URL {
  return new URL(`${base}?${new URLSearchParams(parameters).toString()}`)
}

function codeOf(url: URL, with_: Partial<ExpectedCallback> = {}): string {
  try {
    return `code ${readCallback(url, { ...expected, ...with_ })}`
  } catch (error) {
    return error instanceof AuthError ? error.code : 'thrown'
  }
}

describe('the answer of an issuer', () => {
  test('gives its code', () => {
    expect(codeOf(callback({ code: 'c', state: 'right-state' }))).toBe('code c')
  })

  test.each([
    ['without state', { code: 'c' }],
    ['with an empty state', { code: 'c', state: '' }],
    ['with another state', { code: 'c', state: 'wrong-state' }],
    ['with a longer state', { code: 'c', state: 'right-state-' }],
    ['without a code', { state: 'right-state' }],
    ['with an empty code', { code: '', state: 'right-state' }],
  ])('%s is dropped [ASEC-13]', (_, parameters) => {
    expect(codeOf(callback(parameters))).toBe('state_mismatch')
  })

  test.each(['state', 'code', 'iss', 'error'])('with two of %s is dropped', (name) => {
    const url = callback({ code: 'c', state: 'right-state', iss: expected.issuer })
    url.searchParams.append(name, 'right-state')
    if (name === 'error') url.searchParams.append(name, 'again')

    expect(codeOf(url)).toBe('state_mismatch')
  })

  test.each([
    'http://127.0.0.1:3001/callback',
    'http://127.0.0.1:3000/callback/',
    'http://127.0.0.1:3000/Callback',
    'https://127.0.0.1:3000/callback',
    'http://localhost:3000/callback',
  ])('that came to %s is dropped [ASEC-11]', (base) => {
    expect(codeOf(callback({ code: 'c', state: 'right-state' }, base))).toBe('state_mismatch')
  })

  const own = expected.issuer
  test.each<[string, string | undefined, boolean, string]>([
    ['promised and there', own, true, 'code c'],
    ['promised and missing', undefined, true, 'issuer_mismatch'],
    ['not promised and there', own, false, 'code c'],
    ['not promised and missing', undefined, false, 'code c'],
    ['of another, promised', 'https://evil.example', true, 'issuer_mismatch'],
    ['of another, not promised', 'https://evil.example', false, 'issuer_mismatch'],
    ['with a slash more', `${own}/`, true, 'issuer_mismatch'],
    ['in other case', own.toUpperCase(), true, 'issuer_mismatch'],
    [
      'with a port that goes without saying',
      'https://as.example:443/tenant',
      true,
      'issuer_mismatch',
    ],
    ['empty', '', false, 'issuer_mismatch'],
  ])('with an issuer %s [N07-AUTH-03]', (_, iss, sendsIssuer, outcome) => {
    const url = callback({ code: 'c', state: 'right-state', ...(iss !== undefined && { iss }) })

    expect(codeOf(url, { sendsIssuer })).toBe(outcome)
  })

  test.each<[string, string]>([
    ['https://login.example/0a1b/v2.0', 'code c'],
    ['https://login.example/a/b/v2.0', 'issuer_mismatch'],
    ['https://login.example//v2.0', 'issuer_mismatch'],
    ['https://login.example.evil/0a1b/v2.0', 'issuer_mismatch'],
  ])('of a tenant: %s', (iss, outcome) => {
    const issuerTemplate = 'https://login.example/{tenantid}/v2.0'
    const url = callback({ code: 'c', state: 'right-state', iss })

    expect(codeOf(url, { issuerTemplate })).toBe(outcome)
  })

  test('that is an error says so, in one plain line, once it is known whose it is [N07-AUTH-03]', () => {
    const words = { error: 'access_denied', error_description: `no\u001b[31m\n${'x'.repeat(999)}` }
    const right = callback({ ...words, state: 'right-state', iss: own })
    const wrong = callback({ ...words, state: 'right-state', iss: 'https://evil.example' })
    const unexpected = callback({ ...words, state: 'wrong-state', iss: own })

    expect(() => readCallback(right, expected)).toThrow(/answered access_denied: no \[31m x{200}/)
    expect(() => readCallback(right, expected)).not.toThrow(/\n|\p{Cc}|x{500}/u)
    expect(() => readCallback(wrong, expected)).not.toThrow(/access_denied|\[31m/)
    expect(() => readCallback(unexpected, expected)).not.toThrow(/access_denied|\[31m/)
    expect(codeOf(right)).toBe('access_denied')
    expect(codeOf(callback({ error: 'invalid_scope', state: 'right-state' }))).toBe('token_refused')
  })

  test('gives a code only if everything is right, and throws nothing but AuthError', () => {
    const name = fc.constantFrom(
      'code',
      'state',
      'iss',
      'error',
      'error_description',
      'response',
      'x',
    )
    const value = fc.constantFrom('', 'c', 'right-state', own, `${own}/`, 'access_denied', '\0')
    const pairs = fc.array(fc.tuple(name, fc.oneof(value, fc.string())), { maxLength: 7 })
    fc.assert(
      fc.property(pairs, fc.boolean(), (parameters, sendsIssuer) => {
        const url = new URL(`${expected.redirectUri}?${new URLSearchParams(parameters).toString()}`)
        const outcome = codeOf(url, { sendsIssuer })
        const all = (key: string) => url.searchParams.getAll(key)
        const isRight =
          all('state').join() === 'right-state' &&
          (all('iss').join() === own || (all('iss').length === 0 && !sendsIssuer)) &&
          all('error').length === 0 &&
          all('code').length === 1

        expect(outcome).not.toBe('thrown')
        if (!isRight) expect(outcome).not.toMatch(/^code /)
      }),
    )
  })
})

import { isSecretName, mask, maskSecrets } from '@parley/foundation/secrets'
import fc from 'fast-check'
import { expect, test } from 'vitest'

test.each([
  'Authorization',
  'Cookie',
  'X-Api-Key',
  'access_token',
  'clientSecret',
  'PASSWORD',
  'GITHUB_TOKEN',
  'key',
  'client_assertion',
  'registration_access_token',
])('knows that %s is secret', (name) => {
  expect(isSecretName(name)).toBe(true)
  expect(maskSecrets({ [name]: 'abc' })).toEqual({ [name]: mask })
})

test.each([
  'progressToken',
  'maxTokens',
  'message',
  'keywords',
  'token_endpoint',
  'monkey',
  'author',
  'token_endpoint_auth_methods_supported',
  'token_type_hint',
  'client_secret_expires_at',
  'authorization_response_iss_parameter_supported',
])('knows that %s is not', (name) => {
  expect(isSecretName(name)).toBe(false)
})

test('masks known values wherever they are, in every spelling', () => {
  const secret = 'p@ss/word+1'
  const value = {
    text: `the password is ${secret}.`,
    link: `https://example.com/?q=${encodeURIComponent(secret)}`,
    list: [Buffer.from(secret).toString('base64')],
    [`named ${secret}`]: 1,
  }

  const masked = maskSecrets(value, [secret])

  expect(JSON.stringify(masked)).not.toMatch(/p@ss|p%40ss|cEBzcy/)
  expect(masked.text).toBe(`the password is ${mask}.`)
})

test('masks credentials by their form', () => {
  expect(maskSecrets('curl -H "Authorization: Bearer abcdefgh1234"')).toBe(
    `curl -H "Authorization: Bearer ${mask}"`,
  )
  expect(maskSecrets('https://x.example/mcp?api_key=abc123&page=2')).toBe(
    `https://x.example/mcp?api_key=${mask}&page=2`,
  )
  expect(maskSecrets('postgres://ada:hunter2@db/x')).toBe(`postgres://ada:${mask}@db/x`)
})

test('a challenge is for everybody to read', () => {
  const challenge = 'Bearer resource_metadata="https://x.example/a", scope="files:read"'
  const refused = 'DPoP error="invalid_token", algs="ES256"'

  expect(maskSecrets({ challenge, refused })).toEqual({ challenge, refused })
  expect(maskSecrets('Bearer abcdefg=')).toBe(`Bearer ${mask}`)
})

test('no known secret survives, and the shape stays', () => {
  const secret = fc.string({ minLength: 8, unit: fc.constantFrom('a', 'b', 'c', '0', '1', '2') })
  fc.assert(
    fc.property(fc.jsonValue(), secret, (value, known) => {
      const masked = maskSecrets({ before: value, at: `x${known}y` }, [known])
      expect(JSON.stringify(masked)).not.toContain(known)
      expect(masked.at).toBe(`x${mask}y`)
    }),
  )
})

test('what describes a secret is none', () => {
  const schema = { properties: { token: { type: 'string', description: 'A token' } } }

  expect(maskSecrets(schema)).toEqual(schema)
  expect(maskSecrets({ tokens_list: ['a'], api_key: ['b', { password: 'c' }] })).toEqual({
    tokens_list: [mask],
    api_key: [mask, { password: mask }],
  })
})

test('leaves what holds no secret alone', () => {
  const value = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { _meta: { progressToken: 4 } },
  }

  expect(maskSecrets(value, ['unrelated'])).toEqual(value)
})

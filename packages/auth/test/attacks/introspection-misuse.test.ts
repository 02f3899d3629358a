import { introspection } from '@parley/auth/resource'
import { expect, test } from 'vitest'

import { openProtected } from '../resource/protected-server.ts'
import { openSigningIssuer, resource } from '../resource/signing-issuer.ts'

const now = () => Math.floor(Date.now() / 1000)
const active = { active: true, sub: 'ada', client_id: 'app', aud: resource, exp: now() + 300 }

async function statusFor(body: unknown, status = 200): Promise<number> {
  await using issuer = await openSigningIssuer({
    answer: ({ path }) => (path === '/introspect' ? { status, body } : undefined),
  })
  await using server = await openProtected({
    issuer,
    protect: { verify: introspection({ clientId: 'c', clientSecret: 's' }) },
  })
  const answer = await server.call('who', { token: 'opaque' })
  expect(server.ran).toEqual(answer.status === 200 ? ['who'] : [])
  return answer.status
}

test('an answer about an access token for us is believed', async () => {
  expect(await statusFor({ ...active, token_type: 'Bearer' })).toBe(200)
})

test.each([
  ['not active', { active: false }],
  ['active in words', { active: 'true' }],
  ['active by number', { active: 1 }],
  ['for another server', { aud: 'https://other.example' }],
  ['for others too', { aud: [resource, 'https://other.example'] }],
  ['for nobody', { aud: undefined }],
  ['of another issuer', { iss: 'https://other.example' }],
  ['expired', { exp: now() - 60 }],
  ['without an end', { exp: undefined }],
  ['a refresh token', { token_type: 'refresh_token' }],
  ['a refresh token by its use', { token_use: 'refresh_token' }],
  ['an ID token', { typ: 'ID' }],
  ['of nobody', { sub: undefined, client_id: undefined }],
  ['bound to a certificate', { cnf: { 'x5t#S256': 'x' } }],
  ['bound to a key and sent without proof', { cnf: { jkt: 'x' } }],
])('a token that is %s is refused [ATOK-06] [ATOK-08] [ASEC-20]', async (_, change) => {
  expect(await statusFor({ ...active, ...change })).toBe(401)
})

test.each([
  ['a page', '<html>', 200],
  ['a list', [active], 200],
  ['a redirect', active, 302],
  ['an error', active, 500],
  ['too much', ' '.repeat(1024 * 1024), 200],
])('%s is no answer, and nobody gets in', async (_, body, status) => {
  expect(await statusFor(body, status)).toBe(503)
})

test('what a caller sends as a token cannot add to the question', async () => {
  await using issuer = await openSigningIssuer({
    answer: ({ path }) => (path === '/introspect' ? { body: { active: false } } : undefined),
  })
  await using server = await openProtected({
    issuer,
    protect: { verify: introspection({ clientId: 'c', clientSecret: 's' }) },
  })

  const statuses = await Promise.all(
    ['a&token=b', 'a%26token=b', 'a\tb', 'a==&x'].map(
      async (token) => (await server.call('who', { token })).status,
    ),
  )

  expect(statuses).toEqual([400, 400, 400, 400])
  expect(issuer.at('/introspect')).toEqual([])
})

import { expect, test } from 'vitest'

import { challengeOf, openProtected } from '../resource/protected-server.ts'
import { openSigningIssuer } from '../resource/signing-issuer.ts'

test.each([
  'JWT',
  'id_token+jwt',
  'logout+jwt',
  'secevent+jwt',
  'dpop+jwt',
  'oauth-id-jag+jwt',
  '',
])('a token of typ %j is no access token [ATOK-05] [ASEC-19]', async (typ) => {
  await using server = await openProtected()

  const answer = await server.call('who', {
    token: await server.issuer.sign({}, { header: { typ } }),
  })

  expect(answer.status).toBe(401)
  expect(challengeOf(answer)).toContain('its typ is not that of an access token')
  expect(server.ran).toEqual([])
})

test('nor is one that does not say what it is', async () => {
  await using server = await openProtected()
  const token = await server.issuer.sign({}, { header: { typ: undefined } })

  expect((await server.call('who', { token })).status).toBe(401)
})

test.each([
  ['a nonce', { nonce: 'n' }],
  ['the hash of an access token', { at_hash: 'h' }],
  ['the hash of a code', { c_hash: 'h' }],
  ['events', { events: { 'http://schemas.openid.net/event/backchannel-logout': {} } }],
  ['a use as ID token', { token_use: 'id' }],
  ['a kind of its own', { typ: 'ID' }],
  ['a kind of its own: refresh', { typ: 'Refresh' }],
])('where tokens say JWT, one with %s is still refused', async (_, claims) => {
  await using issuer = await openSigningIssuer()
  await using server = await openProtected({
    issuer,
    protect: { issuer: { issuer: issuer.issuer, acceptTyp: ['JWT'] } },
  })
  const header = { typ: 'JWT' }

  const plain = await server.call('who', { token: await issuer.sign({}, { header }) })
  const other = await server.call('who', { token: await issuer.sign(claims, { header }) })

  expect([plain.status, other.status]).toEqual([200, 401])
})

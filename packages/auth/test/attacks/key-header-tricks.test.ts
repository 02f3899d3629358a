import { SignJWT } from 'jose'
import { expect, test } from 'vitest'

import { openProtected } from '../resource/protected-server.ts'
import { createKey, openSigningIssuer, resource } from '../resource/signing-issuer.ts'
import { openLoggedServer } from '../support/http-log.ts'

test('a key that a token brings, or says where to find, is neither used nor fetched [ASEC-19]', async () => {
  const evil = await createKey()
  await using evilServer = await openLoggedServer(() => ({ body: { keys: [evil.jwk] } }))
  await using server = await openProtected()
  const [own] = server.issuer.keys
  const headers = [
    { jwk: evil.jwk },
    { jku: `${evilServer.origin}/jwks` },
    { x5u: `${evilServer.origin}/cert` },
    { x5c: ['MIIB'] },
    { kid: `${evilServer.origin}/jwks` },
    { kid: '../../../../dev/null' },
    { kid: own?.jwk.kid, jwk: evil.jwk },
  ]

  for (const header of headers) {
    const token = await server.issuer.sign({}, { key: evil, header })
    expect((await server.call('who', { token })).status).toBe(401)
  }
  expect(evilServer.seen).toEqual([])
  expect(server.ran).toEqual([])
})

test('a token that demands what we do not know is refused', async () => {
  await using server = await openProtected()
  const [key] = server.issuer.keys
  if (key === undefined) throw new Error('no key')
  const exp = Math.floor(Date.now() / 1000) + 300
  const token = await new SignJWT({ iss: server.issuer.issuer, sub: 'ada', aud: resource, exp })
    .setProtectedHeader({
      alg: 'ES256',
      typ: 'at+jwt',
      kid: `${key.jwk.kid}`,
      crit: ['exotic'],
      exotic: true,
    })
    .sign(key.privateKey, { crit: { exotic: true } })

  expect((await server.call('who', { token })).status).toBe(401)
})

test('a token names its issuer; keys of one do not vouch for another', async () => {
  await using evil = await openSigningIssuer()
  await using server = await openProtected()

  const token = await evil.sign({ iss: server.issuer.issuer })
  const foreign = await evil.sign()

  expect((await server.call('who', { token })).status).toBe(401)
  expect((await server.call('who', { token: foreign })).status).toBe(401)
  expect(evil.seen).toEqual([])
})

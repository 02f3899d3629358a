import { createHmac } from 'node:crypto'

import { exportSPKI, importJWK, SignJWT, UnsecuredJWT } from 'jose'
import { expect, test } from 'vitest'

import { openProtected, type ProtectedServer } from '../resource/protected-server.ts'
import { openSigningIssuer, resource } from '../resource/signing-issuer.ts'

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

function claimsOf({ issuer }: ProtectedServer) {
  const exp = Math.floor(Date.now() / 1000) + 300
  return { iss: issuer.issuer, sub: 'ada', client_id: 'app', aud: resource, exp }
}

test.each(['none', 'None', 'NONE', 'nOnE'])(
  'a token that is not signed (%s) is refused',
  async (alg) => {
    await using server = await openProtected()
    const claims = claimsOf(server)

    const tokens = [
      `${encode({ alg, typ: 'at+jwt' })}.${encode(claims)}.`,
      `${encode({ alg, typ: 'at+jwt' })}.${encode(claims)}.AAAA`,
      new UnsecuredJWT(claims).encode(),
    ]

    for (const token of tokens) {
      const { status } = await server.call('who', { token })
      expect([400, 401]).toContain(status)
    }
    expect(server.ran).toEqual([])
  },
)

test.each(['HS256', 'HS384', 'HS512'])(
  "a token signed with the issuer's public key as a secret (%s) is refused [ASEC-19]",
  async (alg) => {
    await using issuer = await openSigningIssuer({ alg: 'RS256' })
    await using server = await openProtected({ issuer })
    const [key] = issuer.keys
    const jwk = key?.jwk ?? {}
    const spki = await exportSPKI((await importJWK(jwk, 'RS256', { extractable: true })) as never) // a public key
    const secrets = [spki, spki.trim(), JSON.stringify(jwk), String(jwk.n)]

    for (const secret of secrets) {
      const signed = `${encode({ alg, typ: 'at+jwt', kid: jwk.kid })}.${encode(claimsOf(server))}`
      const mac = createHmac(alg.replace('HS', 'sha'), secret).update(signed).digest('base64url')
      expect((await server.call('who', { token: `${signed}.${mac}` })).status).toBe(401)
    }
    expect(server.ran).toEqual([])
  },
)

test('a secret among published keys does not make secrets good', async () => {
  await using server = await openProtected()
  const secret = 'A'.repeat(43)
  server.issuer.keys.push({
    ...server.issuer.keys[0],
    jwk: { kty: 'oct', k: secret, kid: 'oct', alg: 'HS256' },
  } as never) // an issuer that publishes what it should not
  const token = await new SignJWT(claimsOf(server))
    .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid: 'oct' })
    .sign(Buffer.from(secret, 'base64url'))

  expect((await server.call('who', { token })).status).toBe(401)
})

test('a key is used with its own algorithm only', async () => {
  await using issuer = await openSigningIssuer({ alg: 'RS256' })
  await using server = await openProtected({ issuer })
  const [key] = issuer.keys
  if (key) issuer.keys[0] = { ...key, jwk: { ...key.jwk, alg: 'PS256' } }

  expect((await server.call('who', { token: await issuer.sign() })).status).toBe(401)
})

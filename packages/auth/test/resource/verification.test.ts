import { SignJWT } from 'jose'
import { expect, test } from 'vitest'

import { openProtected, whoOf } from './protected-server.ts'
import { createKey, openSigningIssuer, resource } from './signing-issuer.ts'

const now = () => Math.floor(Date.now() / 1000)

test('a caller is who the token says [ATOK-05] [ASEC-19]', async () => {
  await using server = await openProtected()
  const exp = now() + 100
  const token = await server.issuer.sign({ sub: 'bob', scope: 'a  b', client_id: 'app', exp })

  expect(await whoOf(await server.call('who', { token }))).toMatchObject({
    issuer: server.issuer.issuer,
    subject: 'bob',
    clientId: 'app',
    scopes: ['a', 'b'],
    audience: [resource],
    expiresAt: exp * 1000,
    claims: { sub: 'bob' },
  })
})

test.each(['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA'])('%s is accepted', async (alg) => {
  await using issuer = await openSigningIssuer({ alg })
  await using server = await openProtected({ issuer })

  expect((await server.call('who', { token: await issuer.sign() })).status).toBe(200)
})

test.each([
  ['another issuer', { iss: 'https://elsewhere.example' }],
  ['the issuer with a slash', { iss: 'SLASH' }],
  ['no issuer', { iss: undefined }],
  ['no subject', { sub: undefined }],
  ['a subject that is no text', { sub: 7 }],
  ['a time it is not valid before', { nbf: now() + 3600 }],
  ['a binding that cannot be checked', { cnf: { 'x5t#S256': 'abc' } }],
])('%s in a token is refused [ATOK-08]', async (_, claims) => {
  await using server = await openProtected()
  const iss = 'iss' in claims && claims.iss === 'SLASH' ? `${server.issuer.issuer}/` : undefined
  const token = await server.issuer.sign({ ...claims, ...(iss !== undefined && { iss }) })

  expect((await server.call('who', { token })).status).toBe(401)
  expect(server.ran).toEqual([])
})

test('clocks may differ by five seconds', async () => {
  await using server = await openProtected()
  const { issuer } = server

  const late = await server.call('who', { token: await issuer.sign({ exp: now() - 2 }) })
  const early = await server.call('who', { token: await issuer.sign({ nbf: now() + 3 }) })

  expect([late.status, early.status]).toEqual([200, 200])
})

test.each(['at+jwt', 'AT+JWT', 'application/at+jwt'])(
  'typ %s is that of an access token',
  async (typ) => {
    await using server = await openProtected()

    const token = await server.issuer.sign({}, { header: { typ } })

    expect((await server.call('who', { token })).status).toBe(200)
  },
)

test('keys that came later are found, and those that went are not believed any more', async () => {
  await using server = await openProtected({ protect: { cache: false } })
  const { issuer } = server
  await server.call('who', { token: await issuer.sign() })
  const unknown = await createKey()

  const answer = await server.call('who', { token: await issuer.sign({}, { key: unknown }) })

  expect(answer.status).toBe(401)
  expect(answer.headers.get('www-authenticate')).toContain('its key is unknown')
  expect(issuer.at('/jwks')).toHaveLength(1) // not fetched again at once for every stranger
})

test('tokens that do not say which key signed them are tried with all', async () => {
  await using server = await openProtected()
  const { issuer } = server
  issuer.keys.push(await createKey())
  const [, second] = issuer.keys

  const token = await issuer.sign(
    {},
    { header: { kid: undefined }, ...(second && { key: second }) },
  )
  const foreign = await issuer.sign({}, { header: { kid: undefined }, key: await createKey() })

  expect((await server.call('who', { token })).status).toBe(200)
  expect((await server.call('who', { token: foreign })).status).toBe(401)
})

test('each issuer is judged by its own keys and rules', async () => {
  await using one = await openSigningIssuer()
  await using two = await openSigningIssuer()
  await using server = await openProtected({
    issuer: one,
    protect: { issuer: [one.issuer, { issuer: two.issuer, audience: 'two' }] },
  })
  const [key] = two.keys

  const statuses = await Promise.all(
    [
      await one.sign(),
      await two.sign({ aud: 'two' }),
      await two.sign(),
      await one.sign({}, key && { key }),
    ].map(async (token) => (await server.call('who', { token })).status),
  )

  expect(statuses).toEqual([200, 200, 401, 401])
})

test('the keys may be named where there is no metadata', async () => {
  await using issuer = await openSigningIssuer()
  await using server = await openProtected({
    issuer,
    protect: { issuer: { issuer: issuer.issuer, jwksUri: `${issuer.origin}/jwks` } },
  })

  expect((await server.call('who', { token: await issuer.sign() })).status).toBe(200)
  expect(issuer.paths()).toEqual(['GET /jwks'])
})

test('an issuer in the same process is asked directly', async () => {
  const key = await createKey()
  const issuer = 'https://notes.example.com'
  await using server = await openProtected({
    protect: {
      issuer: {
        issuer,
        fetch: async ({ url }) =>
          url === `${issuer}/keys`
            ? Response.json({ keys: [key.jwk] })
            : url.startsWith(`${issuer}/.well-known/oauth-authorization-server`)
              ? Response.json({ issuer, jwks_uri: `${issuer}/keys` })
              : new Response(null, { status: 404 }),
      },
    },
  })
  const token = await new SignJWT({ sub: 'ada', aud: resource, iss: issuer })
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: `${key.jwk.kid}` })
    .setExpirationTime('5m')
    .sign(key.privateKey)

  expect((await server.call('who', { token })).status).toBe(200)
})

test('a function may verify, and is held to expiry and audience all the same [AUTH-04] [ATOK-06] [ASEC-20]', async () => {
  const auth = {
    issuer: 'https://keys.example',
    subject: 'robot',
    clientId: '',
    scopes: new Set<string>(),
    expiresAt: Infinity,
    claims: {},
  }
  await using server = await openProtected({
    protect: {
      verify: async (token, request) => {
        if (token === 'good') return { ...auth, audience: [request.resource.href] }
        if (token === 'foreign') return { ...auth, audience: ['https://other.example'] }
        if (token === 'old') return { ...auth, audience: [resource], expiresAt: Date.now() - 1 }
        if (token === 'broken') throw new Error('the database is away')
        return undefined
      },
    },
  })

  const statuses = await Promise.all(
    ['good', 'foreign', 'old', 'other', 'broken'].map(
      async (token) => (await server.call('who', { token })).status,
    ),
  )

  expect(statuses).toEqual([200, 401, 401, 401, 503])
})

test('nothing is done for a token that is not good [ASEC-18] [SEC-03]', async () => {
  await using server = await openProtected()
  const good = await server.issuer.sign()
  const bad = `${good.slice(0, -4)}AAAA`

  expect((await server.call('who', { token: bad })).status).toBe(401)
  expect(server.ran).toEqual([])
})

import { oauthGuard } from '@parley/auth/resource'
import { expect, test } from 'vitest'

import { openProtected } from '../resource/protected-server.ts'
import { createKey, openSigningIssuer, resource } from '../resource/signing-issuer.ts'
import { openLoggedServer } from '../support/http-log.ts'

test.each([
  'http://169.254.169.254/latest/meta-data',
  'https://169.254.169.254/latest/meta-data',
  'http://10.0.0.1/jwks',
  'https://[fd00::1]/jwks',
  'https://[::ffff:10.0.0.1]/jwks',
  'file:///etc/passwd',
  'gopher://127.0.0.1/',
  'https://user:secret@127.0.0.1/jwks',
  7,
])('keys at %s are not fetched [SECX-07]', async (jwksUri) => {
  await using issuer = await openSigningIssuer({
    metadata: (metadata) => ({ ...metadata, jwks_uri: jwksUri }),
  })
  await using server = await openProtected({ issuer })

  const answer = await server.call('who', { token: await issuer.sign() })

  expect(answer.status).toBe(503)
  expect(server.reported).toMatchObject([{ name: 'AuthError' }])
})

test('a redirect to a private address is not followed [SECX-07]', async () => {
  await using issuer = await openSigningIssuer({
    answer: ({ path }) =>
      path === '/jwks' ? { status: 302, headers: { location: 'http://10.0.0.1/jwks' } } : undefined,
  })
  await using server = await openProtected({ issuer })

  expect((await server.call('who', { token: await issuer.sign() })).status).toBe(503)
  expect(server.reported).toMatchObject([{ code: 'address_refused' }])
})

test('a public issuer cannot send us to this machine [SECX-07]', async () => {
  const key = await createKey()
  await using inside = await openLoggedServer(() => ({ body: { keys: [key.jwk] } }))
  const guard = oauthGuard({
    issuer: { issuer: 'https://login.example.com', jwksUri: `${inside.origin}/jwks` },
  })
  const token = await (await openSigningIssuer()).sign({ iss: 'https://login.example.com' })

  const verdict = await guard.authenticate({
    method: 'POST',
    target: '/mcp',
    resource: new URL(resource),
    header: (name) => (name === 'authorization' ? `Bearer ${token}` : undefined),
  })

  expect(verdict).toMatchObject({ status: 503, cause: { code: 'address_refused' } })
  expect(inside.seen).toEqual([])
})

test('keys that never end are not read to the end', async () => {
  await using issuer = await openSigningIssuer({
    answer: ({ path }) => (path === '/jwks' ? { body: ' '.repeat(1024 * 1024) } : undefined),
  })
  await using server = await openProtected({ issuer })

  expect((await server.call('who', { token: await issuer.sign() })).status).toBe(503)
})

test.each([
  ['metadata', '/.well-known/'],
  ['keys', '/jwks'],
])('an issuer whose %s fail is not asked again for every request', async (_, path) => {
  await using issuer = await openSigningIssuer({
    answer: (seen) => (seen.path.startsWith(path) ? { status: 500, body: 'no' } : undefined),
  })
  await using server = await openProtected({ issuer })
  const token = await issuer.sign()

  await server.call('who', { token })
  const once = issuer.seen.length
  for (let index = 0; index < 5; index += 1) await server.call('who', { token })

  expect(once).toBeGreaterThan(0)
  expect(issuer.seen).toHaveLength(once)
})

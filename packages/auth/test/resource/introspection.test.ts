import { introspection } from '@parley/auth/resource'
import { expect, test } from 'vitest'

import type { Answer, Seen } from '../support/http-log.ts'
import { openProtected, whoOf } from './protected-server.ts'
import { openSigningIssuer, resource } from './signing-issuer.ts'

const client = { clientId: 'server:1', clientSecret: 'p@ss word' }

/** A server whose issuer tells about tokens. */
async function openIntrospected(answer: (seen: Seen) => Answer, options: object = {}) {
  const issuer = await openSigningIssuer({
    answer: (seen) => (seen.path === '/introspect' ? answer(seen) : undefined),
  })
  const server = await openProtected({
    issuer,
    protect: { verify: introspection({ ...client, ...options }) },
  })
  return {
    issuer,
    server,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await issuer[Symbol.asyncDispose]()
    },
  }
}

const active = {
  active: true,
  sub: 'ada',
  client_id: 'app',
  scope: 'a b',
  aud: resource,
  exp: Math.floor(Date.now() / 1000) + 300,
}

test('the issuer says whose token it is, and is asked once [ATOK-05] [ASEC-19]', async () => {
  await using world = await openIntrospected(() => ({ body: active }))
  const { server, issuer } = world

  const answer = await server.call('who', { token: 'opaque+token/=' })
  await server.call('who', { token: 'opaque+token/=' })

  expect(await whoOf(answer)).toMatchObject({
    issuer: issuer.issuer,
    subject: 'ada',
    clientId: 'app',
    scopes: ['a', 'b'],
    audience: [resource],
  })
  const [asked, ...more] = issuer.at('/introspect')
  expect(more).toEqual([])
  expect(asked?.form.get('token')).toBe('opaque+token/=')
  const basic = Buffer.from('server%3A1:p%40ss+word').toString('base64')
  expect(asked?.headers.authorization).toBe(`Basic ${basic}`)
})

test('the endpoint may be named', async () => {
  await using issuer = await openSigningIssuer({
    answer: ({ path }) => (path === '/elsewhere' ? { body: active } : undefined),
  })
  await using server = await openProtected({
    issuer,
    protect: { verify: introspection({ ...client, endpoint: `${issuer.origin}/elsewhere` }) },
  })

  expect((await server.call('who', { token: 'opaque' })).status).toBe(200)
  expect(issuer.paths()).toEqual(['POST /elsewhere'])
})

test('a token of a program stands for the program', async () => {
  const { sub: _, ...program } = active
  await using world = await openIntrospected(() => ({ body: program }))

  expect(await whoOf(await world.server.call('who', { token: 'opaque' }))).toMatchObject({
    subject: 'app',
  })
})

test('an issuer that does not tell is not taken for a refusal', async () => {
  await using world = await openIntrospected(() => ({
    status: 401,
    body: { error: 'invalid_client' },
  }))

  const answer = await world.server.call('who', { token: 'opaque' })

  expect(answer.status).toBe(503)
  expect(world.server.reported).toMatchObject([{ name: 'AuthError', hint: /clientSecret/ }])
  expect(JSON.stringify(world.server.reported)).not.toContain('opaque')
})

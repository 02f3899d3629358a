import type { AuthMethod, IssuerSettings } from '@parley/auth/client'
import { decodeJwt, decodeProtectedHeader, exportJWK, generateKeyPair } from 'jose'
import { describe, expect, test } from 'vitest'

import {
  formEncode,
  methodOf,
  type ClientIdentity,
} from '../../src/client/identity/client-identity.ts'
import type { TokenIssuer } from '../../src/client/issuer/issuer-metadata.ts'
import { authErrorOf } from '../support/refusal-of.ts'
import { rejected } from '../support/scripted-issuer.ts'
import { openWorld } from '../support/world.ts'

const clientId = 'my-client_1.0*'
const clientSecret = 'a:b c/ä-._*'

async function signInWith(settings: IssuerSettings, methods: readonly string[] | undefined) {
  await using world = await openWorld({
    issuer: {
      metadata: (metadata) => ({ ...metadata, token_endpoint_auth_methods_supported: methods }),
      answer: ({ path }) =>
        path === '/token' ? { body: { access_token: 'x', token_type: 'bearer' } } : undefined,
    },
    server: {
      answer: ({ headers }) => (headers.authorization === 'Bearer x' ? { status: 400 } : undefined),
    },
  })
  const issuers = { [world.issuer.issuer]: settings }
  await world.connect({ issuers }).catch(() => undefined) // the token is all this is about
  const [request] = world.issuer.at('/token')
  if (request === undefined) throw new Error('no token was asked for')
  return { request, issuer: world.issuer.issuer }
}

describe('authenticating at the token endpoint', () => {
  test('by Basic, escaped like a form and not more', async () => {
    const { request } = await signInWith({ clientId, clientSecret }, ['client_secret_basic'])

    const [, encoded = ''] = (request.headers.authorization ?? '').split(' ')
    const credentials = Buffer.from(encoded, 'base64').toString('utf8')
    expect(credentials).toBe(`my-client_1.0*:a%3Ab+c%2F%C3%A4-._*`)
    expect(formEncode(clientSecret)).toBe('a%3Ab+c%2F%C3%A4-._*')
    expect(request.form.has('client_secret')).toBe(false)
  })

  test('in the body', async () => {
    const { request } = await signInWith({ clientId, clientSecret }, ['client_secret_post'])

    expect(request.headers.authorization).toBeUndefined()
    expect(request.form.get('client_id')).toBe(clientId)
    expect(request.form.get('client_secret')).toBe(clientSecret)
  })

  test('not at all', async () => {
    const { request } = await signInWith({ clientId }, ['none'])

    expect(request.headers.authorization).toBeUndefined()
    expect([...request.form.keys()].toSorted()).toEqual([
      'client_id',
      'code',
      'code_verifier',
      'grant_type',
      'redirect_uri',
      'resource',
    ])
  })

  test.each(['ES256', 'ES384', 'RS256', 'PS256', 'Ed25519'])(
    'by a signature with %s [N11-AUTH-09] [N07-XA-01]',
    async (alg) => {
      const { privateKey } = await generateKeyPair(alg, { extractable: true })
      const { kty = '', ...rest } = await exportJWK(privateKey)
      const key = { ...rest, kty, alg, kid: 'one' }

      const { request, issuer } = await signInWith({ clientId, key }, ['private_key_jwt'])

      const assertion = request.form.get('client_assertion') ?? ''
      expect(decodeProtectedHeader(assertion)).toMatchObject({ alg, kid: 'one' })
      expect(decodeJwt(assertion)).toMatchObject({ iss: clientId, sub: clientId, aud: issuer })
    },
  )

  test('not by something that is no key', async () => {
    await using world = await openWorld()
    const issuers = {
      [world.issuer.issuer]: { clientId, key: { kty: 'EC', crv: 'P-256', d: 'secret' } },
    }

    const error = await authErrorOf(world.connect({ issuers }))

    expect(error.code).toBe('client_id_needed')
    expect(String(error.stack)).not.toContain('"secret"')
    expect(error.cause).toBeUndefined()
  })

  const secret = 's'
  const key = { kty: 'EC' }
  test.each<[string, Partial<ClientIdentity>, readonly string[] | undefined, AuthMethod]>([
    ['a key before a secret', { key, secret }, undefined, 'private_key_jwt'],
    ['Basic where nothing is listed', { secret }, undefined, 'client_secret_basic'],
    [
      'Basic where both are',
      { secret },
      ['client_secret_post', 'client_secret_basic'],
      'client_secret_basic',
    ],
    ['the body where Basic is not', { secret }, ['client_secret_post'], 'client_secret_post'],
    ['nothing without a secret', {}, ['client_secret_basic'], 'none'],
    ['what was agreed', { secret, method: 'client_secret_post' }, undefined, 'client_secret_post'],
  ])('%s', (_, identity, listed, method) => {
    const server = {
      issuer: 'x',
      ...(listed && { token_endpoint_auth_methods_supported: [...listed] }),
    }
    const issuer: TokenIssuer = { id: 'x', settings: {}, server }

    expect(methodOf({ id: 'a', source: 'configured', ...identity }, issuer)).toBe(method)
  })
})

describe('naming the server a token is for', () => {
  test('in every request, as the server writes it [ARES-01] [ARES-02] [ARES-03] [ARES-09] [ASEC-02] [ASEC-22]', async () => {
    await using world = await openWorld({
      issuer: { expiresIn: 0 },
      server: {
        metadata: (metadata) => ({ ...metadata, resource: `${String(metadata['resource'])}/` }),
      },
    })
    await world.connect().catch(() => undefined) // the token has expired at once, and so on

    const requests = [
      ...world.issuer.at('/authorize').map(({ query }) => query),
      ...world.issuer.at('/token').map(({ form }) => form),
    ]
    expect(world.issuer.at('/token').map(({ form }) => form.get('grant_type'))).toContain(
      'refresh_token',
    )
    expect(new Set(requests.map((one) => one.get('resource')))).toEqual(
      new Set([`${world.server.url}/`]),
    )
  })

  test.each<[IssuerSettings['resource'], string | null]>([
    ['omit', null],
    ['api://notes', 'api://notes'],
  ])('or as the settings of the issuer want it: %s', async (resource, sent) => {
    const { request } = await signInWith({ clientId, resource, tokenParams: { extra: '1' } }, [
      'none',
    ])

    expect(request.form.get('resource')).toBe(sent)
    expect(request.form.get('extra')).toBe('1')
  })
})

describe('a token that is refused', () => {
  test.each<[string, string, RegExp]>([
    ['invalid_target', 'unknown resource', /resource: 'omit'/],
    [
      'invalid_request',
      'AADSTS9010010: The resource parameter does not match the scopes',
      /resource: 'omit'/,
    ],
    ['invalid_client', 'who?', /authMethod/],
    ['invalid_scope', 'no such', /option scopes/],
  ])('for %s (%s) comes with what to change [AINH-07]', async (name, words, hint) => {
    await using world = await openWorld({
      issuer: { answer: ({ path }) => (path === '/token' ? rejected(name, words) : undefined) },
    })

    const error = await authErrorOf(world.connect({ clientId: 'mine' }))

    expect(error).toMatchObject({
      code: 'token_refused',
      step: 'token',
      issuer: world.issuer.issuer,
    })
    expect(error.message).toContain(words)
    expect(error.hint).toMatch(hint)
  })

  test.each([500, 503, 429])('because of status %i is no proof of anything', async (status) => {
    await using world = await openWorld({
      issuer: { answer: ({ path }) => (path === '/token' ? { status, body: 'later' } : undefined) },
    })

    expect((await authErrorOf(world.connect())).code).toBe('unreachable')
  })
})

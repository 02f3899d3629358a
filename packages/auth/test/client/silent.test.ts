import {
  bearerAuth,
  clientCredentialsAuth,
  enterpriseAuth,
  workloadAuth,
} from '@parley/auth/client'
import { connect, type ClientAuth } from '@parley/mcp/client'
import { exportJWK, generateKeyPair } from 'jose'
import { describe, expect, test } from 'vitest'

import { openLoggedServer } from '../support/http-log.ts'
import { authErrorOf } from '../support/refusal-of.ts'
import { rejected } from '../support/scripted-issuer.ts'
import { openWorld, type World } from '../support/world.ts'

function join({ server }: World, auth: ClientAuth) {
  return connect(server.url, { auth, protocolVersion: 'legacy', reconnect: false })
}

describe('a program on its own behalf', () => {
  test('by its secret, for this server, with the scopes it is told to ask for [N07-XA-01]', async () => {
    await using world = await openWorld({ server: { challenge: () => 'Bearer scope="run"' } })

    await (
      await join(
        world,
        clientCredentialsAuth({ clientId: 'job', clientSecret: 's', scopes: ['own'] }),
      )
    ).close()

    const [request] = world.issuer.at('/token')
    expect(request?.headers.authorization).toBe(`Basic ${btoa('job:s')}`)
    expect(Object.fromEntries(request?.form ?? [])).toEqual({
      grant_type: 'client_credentials',
      resource: world.server.url,
      scope: 'own run',
    })
    expect(world.issuer.paths()).not.toContain('POST /register')
    expect(world.issuer.paths()).not.toContain('GET /authorize')
  })

  test('by its key [N07-XA-01]', async () => {
    await using world = await openWorld()
    const { privateKey } = await generateKeyPair('ES256', { extractable: true })
    const { kty = '', ...rest } = await exportJWK(privateKey)
    const auth = clientCredentialsAuth({ clientId: 'job', key: { ...rest, kty } })

    await (await join(world, auth)).close()

    expect(world.issuer.at('/token')[0]?.form.get('client_assertion')).toMatch(/^ey/)
  })

  test('gets a new token before the old one expires, and when it is refused', async () => {
    await using world = await openWorld({ issuer: { expiresIn: 0.2 } })
    await using client = await join(
      world,
      clientCredentialsAuth({ clientId: 'job', clientSecret: 's' }),
    )
    await new Promise((resolve) => setTimeout(resolve, 250)) // until the token has expired
    const before = world.server.calls().length

    await client.callTool('note', {})

    const later = world.server.calls().slice(before)
    expect(later.every(({ headers }) => headers.authorization !== undefined)).toBe(true)
    expect(world.issuer.tokens.size).toBeGreaterThan(1)
  })

  test('goes to no person when it is refused', async () => {
    await using world = await openWorld({
      issuer: {
        answer: ({ path }) => (path === '/token' ? rejected('unauthorized_client') : undefined),
      },
    })

    const error = await authErrorOf(
      join(world, clientCredentialsAuth({ clientId: 'job', clientSecret: 's' })),
    )

    expect(error.code).toBe('token_refused')
    expect(world.issuer.at('/token')).toHaveLength(1)
  })
})

describe('a program with an identity of its platform', () => {
  test.each([
    ['with a client id', 'job'],
    ['without one', undefined],
  ])('presents its assertion %s', async (_, clientId) => {
    await using world = await openWorld()

    await (await join(world, workloadAuth({ assertion: async () => 'jwt', clientId }))).close()

    expect(Object.fromEntries(world.issuer.at('/token')[0]?.form ?? [])).toEqual({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: 'jwt',
      resource: world.server.url,
      ...(clientId !== undefined && { client_id: clientId }),
    })
  })

  test('takes no for an answer', async () => {
    await using world = await openWorld({
      issuer: {
        answer: ({ path }) =>
          path === '/token' ? rejected('invalid_grant', 'expired') : undefined,
      },
    })

    expect((await authErrorOf(join(world, workloadAuth({ assertion: () => 'jwt' })))).code).toBe(
      'token_refused',
    )
    expect(world.issuer.at('/token')).toHaveLength(1)
  })
})

describe('an employee', () => {
  async function openProvider(issuedType = 'urn:ietf:params:oauth:token-type:id-jag') {
    const provider = await openLoggedServer(({ path }) => {
      const { origin } = provider
      if (path === '/.well-known/openid-configuration') {
        return { body: { issuer: origin, token_endpoint: `${origin}/token` } }
      }
      if (path !== '/token') return { status: 404 }
      return { body: { access_token: 'id-jag', issued_token_type: issuedType, token_type: 'N_A' } }
    })
    return provider
  }

  test('is vouched for by the provider, then by its assertion [N07-XA-02]', async () => {
    await using provider = await openProvider()
    await using world = await openWorld()
    const auth = enterpriseAuth({
      idp: { issuer: provider.origin, clientId: 'at-idp' },
      idToken: () => 'id-token',
      clientId: 'at-as',
      clientSecret: 's',
    })

    await (await join(world, auth)).close()

    expect(Object.fromEntries(provider.at('/token')[0]?.form ?? [])).toEqual({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      requested_token_type: 'urn:ietf:params:oauth:token-type:id-jag',
      audience: world.issuer.issuer,
      resource: world.server.url,
      subject_token: 'id-token',
      subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
      client_id: 'at-idp',
    })
    const [request] = world.issuer.at('/token')
    expect(request?.headers.authorization).toBe(`Basic ${btoa('at-as:s')}`)
    expect(Object.fromEntries(request?.form ?? [])).toEqual({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: 'id-jag',
      resource: world.server.url,
    })
  })

  test('is not vouched for by another kind of token', async () => {
    await using provider = await openProvider('urn:ietf:params:oauth:token-type:access_token')
    await using world = await openWorld()
    const idp = { issuer: provider.origin, clientId: 'at-idp' }
    const auth = enterpriseAuth({ idp, idToken: () => 'id-token', clientId: 'at-as' })

    expect((await authErrorOf(join(world, auth))).code).toBe('token_refused')
    expect(world.issuer.at('/token')).toEqual([])
  })
})

describe('a token one has', () => {
  test('is sent with every request, and read anew after a refusal [AUTH-04]', async () => {
    await using world = await openWorld()
    let token = 'old'
    const good = {
      resource: world.server.url,
      scopes: [],
      clientId: '',
      expiresAt: Infinity,
      isRevoked: false,
    }
    world.issuer.tokens.set('new', good)
    const auth = bearerAuth(async () => {
      const current = token
      token = 'new'
      return current
    })

    await (await join(world, auth)).close()

    expect(world.server.calls()[0]?.headers.authorization).toBe('Bearer old')
    expect(world.server.calls()[1]?.headers.authorization).toBe('Bearer new')
    expect(world.issuer.seen).toEqual([])
  })

  test('that is refused and does not change is given up at once', async () => {
    await using world = await openWorld()

    await expect(join(world, bearerAuth('bad'))).rejects.toMatchObject({ code: 'unauthorized' })
    expect(world.server.calls()).toHaveLength(1)
  })

  test.each(['', 'a b', 'a\r\nx-evil: 1', 'ä'])('is not %j', async (token) => {
    const server = new URL('https://h/mcp')
    const error = await authErrorOf(
      bearerAuth(token).authorize({ method: 'POST', url: server, server }),
    )

    expect(error.code).toBe('token_invalid')
    expect(error.message).not.toContain('evil')
  })
})

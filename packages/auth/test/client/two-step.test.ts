import {
  beginSignIn,
  completeSignIn,
  createMemoryTokenStore,
  authFromStore,
  type StartedSignIn,
} from '@parley/auth/client'
import { connect } from '@parley/mcp/client'
import { describe, expect, test, vi } from 'vitest'

import { authErrorOf } from '../support/refusal-of.ts'
import { openWorld } from '../support/world.ts'

const redirectUri = 'https://app.example.com/callback'

async function visit({ authorizationUrl }: StartedSignIn): Promise<string> {
  const page = await fetch(authorizationUrl, { redirect: 'manual' })
  return page.headers.get('location') ?? ''
}

function throughJson<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T // the same again
}

describe('signing in by leaving the page', () => {
  test('ends with credentials to connect with, now and later [N07-AUTH-02]', async () => {
    await using world = await openWorld({ server: { challenge: () => 'Bearer scope="read"' } })
    const store = createMemoryTokenStore()

    const signIn = await beginSignIn(world.server.url, { redirectUri, store, clientName: 'Site' })
    const callback = await visit(signIn)
    const auth = await completeSignIn(throughJson(signIn), callback, { store })
    const client = await connect(world.server.url, { auth, protocolVersion: 'legacy' })
    await client.callTool('note', {})
    await client.close()

    expect(world.issuer.at('/authorize')[0]?.query.get('scope')).toBe('read')
    expect(JSON.parse(world.issuer.at('/register')[0]?.body ?? '')).toMatchObject({
      application_type: 'web',
      redirect_uris: [redirectUri],
    })
    expect(world.issuer.at('/token')).toHaveLength(1)
  })

  test('is gone on with later, from the store, by whom it was for', async () => {
    await using world = await openWorld()
    const store = createMemoryTokenStore()
    const signIn = await beginSignIn(world.server.url, { redirectUri, store, account: 'ada' })
    await completeSignIn(signIn, await visit(signIn), { store, account: 'ada' })
    const later = (account: string) =>
      connect(world.server.url, {
        auth: authFromStore({ store, account }),
        protocolVersion: 'legacy',
      })

    const ada = await later('ada')
    await ada.callTool('note', {})
    await ada.close()
    const rejected = await later('bob').catch((error: Error) => error)

    expect(world.issuer.at('/token')).toHaveLength(1)
    expect(rejected).toMatchObject({ code: 'unauthorized', cause: { code: 'grant_lost' } })
  })

  test('trusts one issuer alone, where one is named', async () => {
    await using world = await openWorld()
    const options = { redirectUri, store: createMemoryTokenStore() }

    const foreign = { ...options, issuer: 'https://id.example' }
    const other = await authErrorOf(beginSignIn(world.server.url, foreign))
    const own = await beginSignIn(world.server.url, {
      ...options,
      issuer: `${world.issuer.issuer}/`,
    })

    expect(other).toMatchObject({
      code: 'issuer_mismatch',
      message: expect.stringContaining('not of https://id.example') as string,
    })
    expect(own.authorizationUrl).toContain(world.issuer.issuer)
  })

  test('shows nobody what must stay secret', async () => {
    await using world = await openWorld()
    const signIn = await beginSignIn(world.server.url, {
      redirectUri,
      store: createMemoryTokenStore(),
      clientId: 'c',
      clientSecret: 'canary',
    })

    await visit(signIn)

    const text = JSON.stringify(signIn)
    expect(text).not.toContain('canary')
    expect(text).not.toContain(world.issuer.issuer + '/token')
    expect(Object.keys(signIn).toSorted()).toEqual(['authorizationUrl', 'encrypted', 'state'])
  })

  test.each<[string, (signIn: StartedSignIn, callback: string) => [StartedSignIn, string]]>([
    [
      'another store',
      (signIn, callback) => [{ ...signIn, encrypted: 'AAAAAAAAAAAAAAAA.AAAA' }, callback],
    ],
    [
      'a seal that was changed',
      (signIn, callback) => [
        { ...signIn, encrypted: `${signIn.encrypted.slice(0, -4)}AAA=` },
        callback,
      ],
    ],
    ['another state', (signIn, callback) => [{ ...signIn, state: 'other' }, callback]],
    [
      'a callback of another sign-in',
      (signIn, callback) => [signIn, callback.replace(/state=[^&]*/, 'state=x')],
    ],
    [
      'a callback to another page',
      (signIn, callback) => [signIn, callback.replace('/callback', '/elsewhere')],
    ],
    ['no URL', (signIn) => [signIn, 'callback']],
  ])('does not go on with %s', async (_, change) => {
    await using world = await openWorld()
    const store = createMemoryTokenStore()
    const signIn = await beginSignIn(world.server.url, { redirectUri, store })
    const [changed, callback] = change(signIn, await visit(signIn))

    expect((await authErrorOf(completeSignIn(changed, callback, { store }))).code).toBe(
      'state_mismatch',
    )
    expect(world.issuer.at('/token')).toEqual([])
  })

  test('is not spoilt by a callback that somebody else made up [ASEC-09]', async () => {
    await using world = await openWorld()
    const store = createMemoryTokenStore()
    const signIn = await beginSignIn(world.server.url, { redirectUri, store })
    for (const forged of [`${redirectUri}?code=evil&state=evil`, 'nothing', redirectUri]) {
      expect((await authErrorOf(completeSignIn(signIn, forged, { store }))).code).toBe(
        'state_mismatch',
      )
    }

    const callback = await visit(signIn)
    await completeSignIn(signIn, callback, { store })

    expect((await authErrorOf(completeSignIn(signIn, callback, { store }))).message).toContain(
      'already',
    )
    expect(world.issuer.at('/token')).toHaveLength(1)
  })

  test('can be completed when the issuer is there again', async () => {
    let isAway = true
    await using world = await openWorld({
      issuer: {
        answer: ({ path }) => (path === '/token' && isAway ? { status: 503, body: '' } : undefined),
      },
    })
    const store = createMemoryTokenStore()
    const signIn = await beginSignIn(world.server.url, { redirectUri, store })
    const callback = await visit(signIn)
    expect((await authErrorOf(completeSignIn(signIn, callback, { store }))).code).toBe(
      'unreachable',
    )
    isAway = false

    await completeSignIn(signIn, callback, { store })
  })

  test('is done once more for more rights, which the error names [N11-AUTH-16]', async () => {
    let needed = ['read']
    await using world = await openWorld({
      server: {
        challenge: () => 'Bearer scope="read"',
        scopes: (method) => (method === 'tools/call' ? needed : []),
      },
    })
    const store = createMemoryTokenStore()
    const first = await beginSignIn(world.server.url, { redirectUri, store })
    const auth = await completeSignIn(first, await visit(first), { store })
    const client = await connect(world.server.url, { auth, protocolVersion: 'legacy' })
    needed = ['read', 'write']

    const error = await authErrorOf(client.callTool('note', {}))
    expect(error).toMatchObject({ code: 'insufficient_scope', scopes: ['read', 'write'] })
    await client.close()

    const second = await beginSignIn(world.server.url, { redirectUri, store, scopes: error.scopes })
    const more = await completeSignIn(second, await visit(second), { store })
    await using again = await connect(world.server.url, { auth: more, protocolVersion: 'legacy' })
    await again.callTool('note', {})
    expect(world.issuer.at('/authorize')[1]?.query.get('scope')).toBe('read write')
  })

  test('asks for what was granted before, too', async () => {
    await using world = await openWorld()
    const store = createMemoryTokenStore()
    for (const scopes of [['read'], ['write']]) {
      const signIn = await beginSignIn(world.server.url, { redirectUri, store, scopes })
      await completeSignIn(signIn, await visit(signIn), { store })
    }

    expect(world.issuer.at('/authorize').map(({ query }) => query.get('scope'))).toEqual([
      'read',
      'read write',
    ])
  })

  test('does not go on after ten minutes', async () => {
    await using world = await openWorld()
    const store = createMemoryTokenStore()
    const signIn = await beginSignIn(world.server.url, { redirectUri, store })
    const callback = await visit(signIn)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 601_000 })
    try {
      expect((await authErrorOf(completeSignIn(signIn, callback, { store }))).message).toContain(
        'ten minutes',
      )
    } finally {
      vi.useRealTimers()
    }
  })

  test('says that it has to be done again when the grant is lost', async () => {
    await using world = await openWorld({ issuer: { givesRefreshTokens: false } })
    const store = createMemoryTokenStore()
    const signIn = await beginSignIn(world.server.url, { redirectUri, store })
    const auth = await completeSignIn(signIn, await visit(signIn), { store })
    for (const token of world.issuer.tokens.values()) token.isRevoked = true

    const error = await authErrorOf(connect(world.server.url, { auth, protocolVersion: 'legacy' }))

    expect(error).toMatchObject({ code: 'grant_lost', resource: world.server.url })
  })

  test.each([
    'http://app.example.com/callback',
    'myapp://callback',
    'https://a.example/x#y',
    'nothing',
  ])('does not come back to %s [ASEC-09]', async (bad) => {
    await expect(
      beginSignIn('https://h.example/mcp', { redirectUri: bad, store: createMemoryTokenStore() }),
    ).rejects.toThrow(TypeError)
  })

  test('on a server, does not follow a stranger into the own network', async () => {
    await using world = await openWorld()

    const error = await authErrorOf(
      beginSignIn('https://10.0.0.1/mcp', { redirectUri, store: createMemoryTokenStore() }),
    )

    expect(error.code).toBe('address_refused')
    void world
  })
})

import {
  browserAuth,
  createMemoryTokenStore,
  type StoreKey,
  type TokenStore,
} from '@parley/auth/client'
import { connect } from '@parley/mcp/client'
import { describe, expect, test } from 'vitest'

import {
  encodeGrant,
  grantFrom,
  isExpiring,
  decodeGrant,
  type Grant,
} from '../../src/client/grants/grant.ts'
import { refreshGrant } from '../../src/client/grants/refresh.ts'
import { createAuthHttp } from '../../src/client/options.ts'
import type { Answer } from '../support/http-log.ts'
import { authErrorOf } from '../support/refusal-of.ts'
import { openScriptedIssuer, rejected } from '../support/scripted-issuer.ts'
import { openWorld, type World } from '../support/world.ts'

function keyIn({ server, issuer }: World): StoreKey {
  return { kind: 'grant', issuer: issuer.issuer, resource: server.url }
}

async function grantIn(world: World): Promise<Grant> {
  const stored = await world.store.get(keyIn(world))
  const grant = stored && decodeGrant(stored.value)
  if (!grant) throw new Error('no grant is kept')
  return grant
}

/** As if time had passed. */
async function age(world: World, byMs: number): Promise<void> {
  const { expiresAt = 0, ...grant } = await grantIn(world)
  const value = encodeGrant({ ...grant, expiresAt: expiresAt - byMs })
  await world.store.set(keyIn(world), { version: crypto.randomUUID(), value })
}

function revokeAll({ issuer }: World): void {
  for (const token of issuer.tokens.values()) token.isRevoked = true
}

describe('when to refresh', () => {
  const base = { accessToken: 'a', tokenType: 'bearer', requested: [], clientId: 'c' } as const
  test.each([
    ['an hour, a minute left', 3_600_000, 60_000, true],
    ['an hour, more left', 3_600_000, 60_001, false],
    ['ten seconds, one left', 10_000, 1000, true],
    ['ten seconds, two left', 10_000, 2000, false],
  ])('%s', (_, lifetimeMs, leftMs, isNow) => {
    expect(isExpiring({ ...base, lifetimeMs, expiresAt: 1_000_000 + leftMs }, 1_000_000)).toBe(
      isNow,
    )
  })

  test('never if the issuer does not say how long it lasts', () => {
    expect(isExpiring(base, Date.now())).toBe(false)
  })

  test('an answer without a refresh token leaves the one we have [N07-AUTH-11]', () => {
    const token = { access_token: 'n', token_type: 'bearer' as const }
    const identity = { id: 'c', source: 'configured' } as const
    const origin = { identity, requested: ['x'], refreshToken: 'old' }

    expect(grantFrom(token, origin, 0).refreshToken).toBe('old')
    expect(grantFrom({ ...token, refresh_token: 'new' }, origin, 0).refreshToken).toBe('new')
    expect(grantFrom(token, { identity, requested: [] }, 0).refreshToken).toBeUndefined()
  })

  test.each([
    '',
    'null',
    '[]',
    '{}',
    '{"accessToken":1}',
    '{"accessToken":"a","clientId":"c","requested":[],"tokenType":"dpop"}',
  ])('what is kept as %j is no grant', (text) => {
    expect(decodeGrant(text)).toBeUndefined()
  })
})

describe('refreshing', () => {
  test('a grant from the store is used without a person, in another process too', async () => {
    await using world = await openWorld()
    await (await world.connect()).close()

    await (await world.connect()).close()

    expect(world.person.visited).toHaveLength(1)
    expect(world.issuer.refreshes).toBe(0)
  })

  test('before it expires, and the new refresh token is kept [ASEC-06] [R0326A-23]', async () => {
    await using world = await openWorld()
    await (await world.connect()).close()
    const before = await grantIn(world)
    await age(world, 3_595_000)

    await (await world.connect()).close()

    const after = await grantIn(world)
    expect(world.issuer.refreshes).toBe(1)
    expect(after.refreshToken).not.toBe(before.refreshToken)
    expect(world.issuer.refreshTokens.get(after.refreshToken ?? '')?.isSpent).toBe(false)
    expect(world.person.visited).toHaveLength(1)
  })

  test('a running client refreshes by itself, ahead of time', async () => {
    await using world = await openWorld({ issuer: { expiresIn: 0.2 } })
    await using client = await world.connect()
    await new Promise((resolve) => setTimeout(resolve, 250)) // until the token has expired
    const { length } = world.server.calls()

    await client.callTool('note', {})

    expect(world.issuer.refreshes).toBeGreaterThan(0)
    const rejections = world.server
      .calls()
      .slice(length)
      .filter(({ headers }) => headers.authorization === undefined)
    expect(rejections).toEqual([])
    expect(world.person.visited).toHaveLength(1)
  })

  test('once for any number of requests that are refused at a time', async () => {
    await using world = await openWorld()
    await using client = await world.connect()
    await client.ping() // from here on nothing waits for what was sent before
    revokeAll(world)
    const before = world.server.calls().length

    await Promise.all(Array.from({ length: 8 }, () => client.ping()))

    expect(world.server.calls().length - before).toBeGreaterThan(8 + 1) // several were refused
    expect(world.issuer.refreshes).toBe(1)
    expect(world.issuer.reuses).toBe(0)
    expect(world.person.visited).toHaveLength(1)
  })

  test('once for several clients that share a store', async () => {
    await using world = await openWorld()
    const clients = await Promise.all([world.connect(), world.connect(), world.connect()])
    revokeAll(world)

    await Promise.all(clients.map((client) => client.callTool('note', {})))
    await Promise.all(clients.map((client) => client.close()))

    expect(world.person.visited).toHaveLength(1)
    expect(world.issuer).toMatchObject({ refreshes: 1, reuses: 0 })
  })

  test('a grant that is lost brings the person back, for all that was asked before', async () => {
    await using world = await openWorld({ server: { challenge: () => 'Bearer scope="read"' } })
    await using client = await world.connect()
    revokeAll(world)
    for (const token of world.issuer.refreshTokens.values()) token.isSpent = true

    await client.callTool('note', {})

    expect(world.person.visited).toHaveLength(2)
    expect(world.person.visited[1]?.searchParams.get('scope')).toBe('read')
  })

  test('on invalid_grant what somebody else has stored meanwhile counts', async () => {
    await using world = await openWorld()
    await using client = await world.connect()
    const fresh = { ...(await grantIn(world)) }
    const [accessToken] = [...world.issuer.tokens.keys()].slice(-1)
    let isFaster = false
    const { store } = world
    const racing: TokenStore = {
      ...store,
      async get(key) {
        const found = await store.get(key)
        if (!isFaster || key.kind !== 'grant') return found
        isFaster = false // somebody without our lock comes right after we have read
        world.issuer.tokens.set('theirs', {
          ...world.issuer.tokens.get(accessToken ?? '')!,
          isRevoked: false,
        })
        const value = encodeGrant({
          ...fresh,
          accessToken: 'theirs',
          refreshToken: 'their-refresh',
        })
        await store.set(key, { version: 'theirs', value })
        return found
      },
    }
    const { open, receive, redirectUri } = world.person
    const auth = browserAuth({ open, receive, redirectUri, store: racing })
    await using second = await connect(world.server.url, { auth, protocolVersion: 'legacy' })
    revokeAll(world)
    for (const token of world.issuer.refreshTokens.values()) token.isSpent = true
    isFaster = true

    await second.callTool('note', {})

    expect(world.person.visited).toHaveLength(1)
    expect((await grantIn(world)).refreshToken).toBe('their-refresh')
    void client
  })

  test('a refusal is no loss as long as there is another grant by now', async () => {
    await using issuer = await openScriptedIssuer()
    const identity = { id: 'c', source: 'configured' } as const
    const old = {
      accessToken: 'old',
      tokenType: 'bearer',
      requested: [],
      clientId: 'c',
      refreshToken: 'spent',
    } as const
    const store = createMemoryTokenStore()
    const key = { kind: 'grant', issuer: issuer.issuer } as const
    await store.set(key, { version: '1', value: encodeGrant(old) })
    const answer = refreshGrant({
      store,
      key,
      target: {
        resource: 'https://h.example/mcp',
        issuer: {
          id: issuer.issuer,
          settings: {},
          server: { issuer: issuer.issuer, token_endpoint: `${issuer.issuer}/token` },
        },
        challengedScopes: undefined,
        supportedScopes: undefined,
        dpop: 'off',
      },
      activeGrant: { grant: old, version: '1' },
      isRejected: true,
      async identify() {
        const value = encodeGrant({ ...old, accessToken: 'theirs', refreshToken: 'their-refresh' })
        await store.set(key, { version: '2', value }) // somebody without our lock, after we have read
        return identity
      },
      http: createAuthHttp(
        new URL('http://127.0.0.1/mcp'),
        new AbortController().signal,
        undefined,
        'any',
      ),
    })

    expect((await answer)?.grant.accessToken).toBe('theirs')
    expect((await store.get(key))?.version).toBe('2')
  })

  test.each<[string, Answer]>([
    ['is down', { status: 503, body: 'later' }],
    ['is too busy', { status: 429, body: { error: 'slow_down' } }],
    ['is confused', rejected('server_error')],
  ])(
    'an issuer that %s costs nothing: all is kept, nobody is asked to sign in',
    async (_, answer) => {
      let isDown = false
      await using world = await openWorld({
        issuer: { answer: ({ path }) => (isDown && path === '/token' ? answer : undefined) },
      })
      await (await world.connect()).close()
      await age(world, 3_595_000)
      const before = await grantIn(world)
      isDown = true

      const failed = await world.connect().then(
        (client) => client.close(),
        (error: unknown) => error,
      )

      expect(await grantIn(world)).toEqual(before)
      expect(world.person.visited).toHaveLength(1)
      expect(failed).toMatchObject({ code: 'unauthorized' })

      isDown = false
      await (await world.connect()).close()
      expect(world.person.visited).toHaveLength(1)
    },
  )

  test('is done by the client it was given to, whoever has registered since', async () => {
    await using world = await openWorld()
    await using client = await world.connect()
    const other = { account: 'second', redirectUri: 'http://127.0.0.1:3000/other' }
    await (await world.connect(other)).close()
    revokeAll(world)

    await client.callTool('note', {})

    expect(world.issuer.at('/register')).toHaveLength(2)
    expect(world.issuer.refreshes).toBe(1)
    expect(world.person.visited).toHaveLength(2)
  })

  test('a call that needs a person does not hold up others', async () => {
    await using world = await openWorld({
      server: { scopes: (method) => (method === 'tools/call' ? ['write'] : []) },
    })
    let isAway = false
    const { open } = world.person
    await using client = await world.connect({
      open: async (url) => (isAway ? undefined : open?.(url)),
    })
    isAway = true
    const giveUp = new AbortController()
    const stuck = client.callTool('note', {}, { signal: giveUp.signal })
    stuck.catch(() => {})
    await expect
      .poll(() => world.server.calls().some(({ body }) => body.includes('tools/call')))
      .toBe(true)

    await client.ping()
    giveUp.abort()

    await expect(stuck).rejects.toThrow()
  })

  test('a token that the issuer just gave and the server refuses is no reason to sign in again and again', async () => {
    await using world = await openWorld({
      server: { answer: ({ path }) => (path === '/mcp' ? { status: 401, body: 'no' } : undefined) },
    })

    const error = await authErrorOf(world.connect())

    expect(error.code).toBe('token_refused')
    expect(error.hint).toContain('audience')
    expect(world.person.visited).toHaveLength(1)
  })

  test('a token without an end and without a refresh token is used until it is refused', async () => {
    await using world = await openWorld({ issuer: { givesRefreshTokens: false } })
    await using client = await world.connect()
    revokeAll(world)

    await client.callTool('note', {})

    expect(world.person.visited).toHaveLength(2)
  })

  test('whoever stops waiting does not stop the others, and the last one stops the sign-in', async () => {
    await using world = await openWorld()
    const signals: AbortSignal[] = []
    const auth = browserAuth({
      redirectUri: 'http://127.0.0.1:3000/callback',
      store: world.store,
      open: () => {},
      receive: (signal) => {
        signals.push(signal)
        return new Promise(() => {})
      },
    })
    const server = new URL(world.server.url)
    const [one, two] = [new AbortController(), new AbortController()]
    const rejection = {
      status: 401 as const,
      url: server,
      server,
      wwwAuthenticate: undefined,
      dpopNonce: undefined,
      given: {},
      attempt: 1,
    }
    const first = auth.challenged({ ...rejection, signal: one.signal })
    const second = auth.challenged({ ...rejection, signal: two.signal })
    first.catch(() => {})
    second.catch(() => {})
    await expect.poll(() => signals.length).toBe(1)

    one.abort()
    await expect(first).rejects.toThrow(/abort/)
    expect(signals[0]?.aborted).toBe(false)
    two.abort()
    await expect(second).rejects.toThrow(/abort/)
    expect(signals[0]?.aborted).toBe(true)
  })
})

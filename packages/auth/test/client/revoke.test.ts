import { createMemoryTokenStore, signOut, type StoreKey } from '@parley/auth/client'
import { describe, expect, test } from 'vitest'

import type { Answer, Seen } from '../support/http-log.ts'
import { authErrorOf } from '../support/refusal-of.ts'
import { rejected, type IssuerScript, type ScriptedIssuer } from '../support/scripted-issuer.ts'
import { openWorld, type World } from '../support/world.ts'

/** An issuer that takes tokens back, unless a test says otherwise. */
function withRevocation(
  answer: (seen: Seen, issuer: ScriptedIssuer) => Answer = () => ({ status: 200, body: '' }),
): IssuerScript {
  return {
    metadata: (plain) => ({ ...plain, revocation_endpoint: `${String(plain['issuer'])}/revoke` }),
    answer: (seen, issuer) => (seen.path === '/revoke' ? answer(seen, issuer) : undefined),
  }
}

function keyIn({ server, issuer }: World): StoreKey {
  return { kind: 'grant', issuer: issuer.issuer, resource: server.url }
}

async function signIn(world: World, options?: Parameters<World['connect']>[0]): Promise<void> {
  const client = await world.connect(options)
  await client.close()
}

describe('signing out', () => {
  test('takes back both tokens, the one that makes others first, and forgets them [AUI-02]', async () => {
    await using world = await openWorld({ issuer: withRevocation() })
    await signIn(world)
    const [accessToken] = world.issuer.tokens.keys()
    const [refreshToken] = world.issuer.refreshTokens.keys()

    const result = await signOut(world.server.url, { store: world.store })

    expect(result).toEqual({ kind: 'revoked', issuer: world.issuer.issuer })
    expect(world.issuer.at('/revoke').map(({ form }) => Object.fromEntries(form))).toEqual([
      { token: refreshToken, token_type_hint: 'refresh_token', client_id: 'client-1' },
      { token: accessToken, token_type_hint: 'access_token', client_id: 'client-1' },
    ])
    expect(await world.store.get(keyIn(world))).toBeUndefined()
    await signIn(world)
    expect(world.person.visited).toHaveLength(2)
  })

  test.each([
    ['that is gone', undefined],
    ['that has no authorization any more', { status: 200, body: 'hello' }],
  ])('of a server %s goes by what it said last', async (_, answer) => {
    await using world = await openWorld({
      issuer: withRevocation(),
      server: { answer: () => (isOver ? answer : undefined) },
    })
    let isOver = false
    await signIn(world)
    isOver = true
    if (answer === undefined) await world.server[Symbol.asyncDispose]()

    const result = await signOut(world.server.url, { store: world.store })

    expect(result).toEqual({ kind: 'revoked', issuer: world.issuer.issuer })
    expect(await world.store.get(keyIn(world))).toBeUndefined()
  })

  test('finds the tokens by their key, without asking the server', async () => {
    await using world = await openWorld({ issuer: withRevocation() })
    await signIn(world)
    const asked = world.server.calls().length

    const result = await signOut(keyIn(world), { store: world.store })

    expect(result.kind).toBe('revoked')
    expect(world.server.calls()).toHaveLength(asked)
  })

  test('says who it is where a client has a secret', async () => {
    await using world = await openWorld({ issuer: withRevocation() })
    const client = { clientId: 'by-hand', clientSecret: 'its-secret' }
    await signIn(world, client)

    await signOut(world.server.url, { store: world.store, ...client })

    const basic = Buffer.from('by-hand:its-secret').toString('base64')
    const [first] = world.issuer.at('/revoke')
    expect(first?.headers.authorization).toBe(`Basic ${basic}`)
  })

  test('is done although tokens that are checked without the issuer stay good for a while', async () => {
    const cannot = (seen: Seen) =>
      seen.form.get('token_type_hint') === 'access_token'
        ? rejected('unsupported_token_type')
        : { status: 200, body: '' }
    await using world = await openWorld({ issuer: withRevocation(cannot) })
    await signIn(world)

    expect((await signOut(world.server.url, { store: world.store })).kind).toBe('revoked')
  })

  test('with nobody signed in tells nobody', async () => {
    await using world = await openWorld({ issuer: withRevocation() })

    expect(await signOut(world.server.url, { store: createMemoryTokenStore() })).toEqual({
      kind: 'absent',
    })
    expect(world.issuer.at('/revoke')).toEqual([])
  })
})

describe('tokens that cannot be taken back are forgotten all the same', () => {
  test.each<[string, IssuerScript, string]>([
    ['the issuer has no revocation endpoint', {}, 'unsupported'],
    [
      'its revocation endpoint is no address we would ask',
      { metadata: (plain) => ({ ...plain, revocation_endpoint: 'http://example.com/revoke' }) },
      'unsupported',
    ],
    [
      'there is only an access token, and it takes back none',
      { ...withRevocation(() => rejected('unsupported_token_type')), givesRefreshTokens: false },
      'unsupported',
    ],
    ['it refuses', withRevocation(() => rejected('invalid_client')), 'failed'],
    ['it breaks', withRevocation(() => ({ status: 503, body: 'no' })), 'failed'],
  ])('%s', async (_, issuer, kind) => {
    await using world = await openWorld({ issuer })
    await signIn(world)

    const result = await signOut(world.server.url, { store: world.store })

    expect(result).toMatchObject({ kind, issuer: world.issuer.issuer })
    expect(await world.store.get(keyIn(world))).toBeUndefined()
  })

  test('the issuer is gone', async () => {
    await using world = await openWorld({ issuer: withRevocation() })
    await signIn(world)
    await world.issuer[Symbol.asyncDispose]()

    const result = await signOut(keyIn(world), { store: world.store })

    expect(result).toMatchObject({ kind: 'failed', why: expect.any(String) })
    expect(await world.store.get(keyIn(world))).toBeUndefined()
  })

  test('what is told of it holds no token', async () => {
    const echo = ({ form }: Seen) => rejected(String(form.get('token')))
    await using world = await openWorld({ issuer: withRevocation(echo) })
    await signIn(world)

    const text = JSON.stringify(await signOut(world.server.url, { store: world.store }))

    expect(text).toContain('did not revoke the token')
    expect(text).not.toMatch(/(access|refresh)-[0-9a-f]{8}/)
  })
})

test('an address that nobody signed in to, and that cannot be asked, is told', async () => {
  await using world = await openWorld({ issuer: withRevocation() })
  await world.server[Symbol.asyncDispose]()

  const error = await authErrorOf(signOut(world.server.url, { store: world.store }))

  expect(error.code).toBe('unreachable')
})

import { upstream, upstreamToken } from '@parley/auth/resource'
import { type AuthServerStore, github, createMemoryAuthServerStore } from '@parley/auth/server'
import { expect, test } from 'vitest'

import { startAuthServer } from '../harness.ts'
import { createBrowser, issuer, openProvider, type ProviderWorld } from './provider-world.ts'

const us = { clientId: 'our-id', clientSecret: 'our-secret' }
const day = 86_400_000
const api = 'https://api.github.com/user/repos'

/** A store that tells everything that is in it. */
function openStore() {
  const memory = createMemoryAuthServerStore()
  const entries = new Map<string, unknown>()
  const note = (kind: string, id: string, value: unknown) =>
    void entries.set(`${kind}\n${id}`, value)
  const store: AuthServerStore = {
    ...memory,
    set(kind, id, value, ttlMs) {
      note(kind, id, value)
      return memory.set(kind, id, value, ttlMs)
    },
    add(kind, id, value, ttlMs) {
      note(kind, id, value)
      return memory.add(kind, id, value, ttlMs)
    },
    delete(kind, id) {
      entries.delete(`${kind}\n${id}`)
      return memory.delete(kind, id)
    },
  }
  return {
    store,
    entries,
    has: (kind: string) => [...entries.keys()].some((key) => key.startsWith(`${kind}\n`)),
  }
}

function refreshesOf({ provider, behaviour }: ProviderWorld): number {
  return provider
    .at(behaviour.tokenAt)
    .filter(({ form }) => form.get('grant_type') === 'refresh_token').length
}

test('a handler calls the API of the provider as its caller, and sends the token nowhere else', async () => {
  const world = await openProvider('github')
  const { auth } = await world.signIn()
  const sent: Request[] = []
  const call = upstream(auth, 'github', {
    fetch: async (input) => {
      sent.push(new Request(input))
      return new Response('[]')
    },
  })

  await call(api, { headers: { accept: 'application/json' } })

  const [request] = sent
  expect(Object.fromEntries(request?.headers ?? [])).toMatchObject({
    authorization: `Bearer ${await upstreamToken(auth, 'github')}`,
    accept: 'application/json',
    'user-agent': 'parley',
  })
  expect(request?.redirect).toBe('manual')
  for (const elsewhere of [
    'https://github.com/user',
    'http://api.github.com/user',
    'https://api.github.com.evil.example/',
  ]) {
    await expect(call(elsewhere)).rejects.toMatchObject({ code: 'resource_mismatch' })
  }
  expect(sent).toHaveLength(1)
})

test('each user has their own token, whoever asks', async () => {
  const world = await openProvider('github')
  const ada = await world.signIn()
  world.provider.user = '1234'
  const bob = await world.signIn()

  const tokens = [await upstreamToken(ada.auth, 'github'), await upstreamToken(bob.auth, 'github')]

  expect(tokens.map((token) => world.provider.userOf(token))).toEqual(['4711', '1234'])
  // Not by the words of a caller: only what `oauthGuard` verified counts.
  const forged = { ...ada.auth, subject: bob.auth.subject }
  await expect(upstreamToken(forged, 'github')).rejects.toMatchObject({ code: 'grant_lost' })
  await expect(world.ours.server.upstream(forged, 'github')).rejects.toMatchObject({
    code: 'grant_lost',
  })
})

test('who did not sign in with the provider has no token, and is told what to do', async () => {
  const world = await openProvider('github')
  const { auth } = await world.signIn()

  await expect(upstreamToken(undefined, 'github')).rejects.toThrow('nobody is signed in')
  await expect(upstreamToken(auth, 'gitlab')).rejects.toThrow(
    'there is no provider gitlab in signInWith: known are github',
  )
  await expect(
    world.ours.server.upstream({ ...auth, issuer: 'https://other.example' }, 'github'),
  ).rejects.toMatchObject({ code: 'grant_lost' })
})

test('a token that is due is refreshed once, however many ask, in two processes too', async () => {
  let now = Date.now()
  const store = createMemoryAuthServerStore()
  const world = await openProvider('github', { now: () => now, store })
  const { auth } = await world.signIn()
  const other = await startAuthServer({
    users: undefined,
    signInWith: github(us),
    fetch: world.provider.fetch,
    now: () => now,
    store,
  })
  now += day

  const tokens = await Promise.all([
    upstreamToken(auth, 'github'),
    other.server.upstream(auth, 'github').then(({ token }) => token),
    upstreamToken(auth, 'github'),
    other.server.upstream(auth, 'github').then(({ token }) => token),
  ])

  expect(new Set(tokens).size).toBe(1)
  expect(refreshesOf(world)).toBe(1)
})

test('a request that is refused with 401 is sent again with a new token, once', async () => {
  const world = await openProvider('github')
  const { auth } = await world.signIn()
  const first = await upstreamToken(auth, 'github')
  world.provider.expireAll()
  const sent: string[] = []
  const call = upstream(auth, 'github', {
    fetch: async (input) => {
      const request = new Request(input)
      const token = request.headers.get('authorization')?.slice(7) ?? ''
      sent.push(await request.text())
      return new Response(null, { status: world.provider.userOf(token) === undefined ? 401 : 200 })
    },
  })

  const answer = await call(api, { method: 'POST', body: 'the same' })

  expect(answer.status).toBe(200)
  expect(sent).toEqual(['the same', 'the same'])
  expect(await upstreamToken(auth, 'github')).not.toBe(first)
  expect(refreshesOf(world)).toBe(1)
})

test('while the provider is away, a token that is still good is used; a new one is not lost', async () => {
  let now = Date.now()
  const world = await openProvider('github', { now: () => now })
  const { provider } = world
  const { auth } = await world.signIn()
  const first = await upstreamToken(auth, 'github')

  now += 28_800_000 - 30_000 // due, and good for half a minute yet
  provider.intercept = () => new Response('down', { status: 503 })
  expect(await upstreamToken(auth, 'github')).toBe(first)

  now += 60_000
  await expect(upstreamToken(auth, 'github')).rejects.toMatchObject({ code: 'unreachable' })

  provider.intercept = ({ url }) =>
    url.endsWith('/user') ? new Response('down', { status: 503 }) : undefined
  await expect(upstreamToken(auth, 'github')).rejects.toMatchObject({ code: 'unreachable' })

  provider.intercept = undefined
  expect(provider.userOf(await upstreamToken(auth, 'github'))).toBe('4711')
  expect(refreshesOf(world)).toBe(1) // its refresh token was spent, and the new one kept
})

test('tokens cannot be read in the store, and a secret of your own keeps them from who has all of it', async () => {
  const { store, entries } = openStore()
  const secret = 'a secret that is in no store at all'
  const world = await openProvider('github', { store, secret })
  const { auth } = await world.signIn()
  const text = JSON.stringify([...entries])

  for (const token of world.provider.issued) expect(text).not.toContain(token)
  const start = (more: object) =>
    startAuthServer({
      users: undefined,
      signInWith: github(us),
      fetch: world.provider.fetch,
      store,
      ...more,
    })
  const without = await start({})
  const rotated = await start({ secret: ['another one that is long enough too', secret] })
  await expect(without.server.upstream(auth, 'github')).rejects.toMatchObject({
    code: 'grant_lost',
  })
  await expect(rotated.server.upstream(auth, 'github')).resolves.toMatchObject({
    api: ['https://api.github.com'],
  })
})

test('no client and no log ever sees what the provider gave', async () => {
  const world = await openProvider('github')
  const { server, events } = world.ours
  const answers: string[] = []
  const { fetch } = server
  server.fetch = async (request, caller) => {
    const response = await fetch(request, caller)
    answers.push(JSON.stringify([...response.headers]), await response.clone().text())
    return response
  }
  const { body } = await world.signIn()
  await world.refresh(body['refresh_token'])
  const seen = [...answers, JSON.stringify(events)].join('\n')

  expect(world.provider.issued.length).toBeGreaterThan(0)
  for (const token of [...world.provider.issued, 'our-secret']) expect(seen).not.toContain(token)
})

test('they are gone with the last grant of the user that is revoked', async () => {
  const { store, has } = openStore()
  const world = await openProvider('github', { store })
  const browser = createBrowser(world.ours)
  const first = await world.signIn(browser)
  const second = await world.signIn(createBrowser(world.ours))
  const revoke = (token: unknown) =>
    world.ours.server.fetch(
      new Request(`${issuer}/revoke`, {
        method: 'POST',
        body: new URLSearchParams({ token: String(token), client_id: 'app' }),
      }),
    )

  await revoke(first.body['refresh_token'])
  await expect(upstreamToken(first.auth, 'github')).rejects.toMatchObject({ code: 'grant_lost' })
  expect(await upstreamToken(second.auth, 'github')).toMatch(/^access-/)

  await revoke(second.body['refresh_token'])
  await expect(upstreamToken(second.auth, 'github')).rejects.toMatchObject({ code: 'grant_lost' })
  expect(has('Upstream')).toBe(false)
})

test('they are gone when the sign-ins of the user are ended', async () => {
  const { store, has } = openStore()
  const world = await openProvider('github', { store })
  const before = await world.signIn()

  await world.ours.server.endSignIns(before.auth.subject)

  expect(has('Upstream')).toBe(false)
  await expect(upstreamToken(before.auth, 'github')).rejects.toMatchObject({ code: 'grant_lost' })
  const after = await world.signIn()
  expect(await upstreamToken(after.auth, 'github')).toMatch(/^access-/)
  await expect(upstreamToken(before.auth, 'github')).rejects.toMatchObject({ code: 'grant_lost' })
})

import { upstreamToken } from '@parley/auth/resource'
import {
  type AuthServerOptions,
  createAuthServer,
  github,
  gitlab,
  google,
  keycloak,
  microsoft,
  okta,
  createMemoryAuthServerStore,
  slack,
} from '@parley/auth/server'
import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'

import { arrive, ask } from '../third-party-world.ts'
import {
  behaviours,
  createBrowser,
  issuer,
  openProvider,
  returnFromProvider,
} from './provider-world.ts'

const us = { clientId: 'our-id', clientSecret: 'our-secret' }
const week = 7 * 86_400_000

describe.each(Object.keys(behaviours))('%s', (name) => {
  test('signs people in, refreshes what it gave us, and ends sign-ins that it does not know any more', async () => {
    let now = Date.now()
    const world = await openProvider(name, { now: () => now })
    const { provider, behaviour } = world

    const { body, auth } = await world.signIn()
    expect(decodeJwt(String(body['access_token'])).sub).toBe(behaviour.subject('4711'))
    const first = await upstreamToken(auth, name)
    expect(provider.userOf(first)).toBe('4711')

    now += week // longer than any of them gives
    const renewed = await world.refresh(body['refresh_token'])
    expect(renewed.status).toBe(200)
    const second = await upstreamToken(auth, name)
    expect(second).not.toBe(first)
    expect(provider.userOf(second)).toBe('4711')

    now += week
    provider.revokeAll()
    const ended = await world.refresh(renewed.body['refresh_token'])
    expect(ended).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    await expect(upstreamToken(auth, name)).rejects.toMatchObject({ code: 'grant_lost' })
  })

  test('a code that was used before signs nobody in', async () => {
    const world = await openProvider(name)
    const { provider, behaviour } = world
    await world.signIn()
    const { browser, onward } = await world.depart()
    const back = provider.authorize(onward)
    const [exchange] = provider.at(behaviour.tokenAt)
    back.searchParams.set('code', exchange?.form.get('code') ?? '')

    const at = await returnFromProvider(browser, back.href)

    expect(at.response.status).toBe(403)
    expect(at.text).toContain('did not sign you in.')
  })
})

test('tokens of a GitHub OAuth App, which do not expire, are asked about and kept', async () => {
  let now = Date.now()
  const world = await openProvider('github', { now: () => now })
  const { provider, behaviour } = world
  provider.intercept = (request) => {
    if (request.url !== behaviour.tokenAt) return undefined
    provider.intercept = undefined
    return provider.fetch(request).then(async (answer) => {
      const { access_token: token } = (await answer.json()) as Record<string, string> // its own
      return Response.json({
        access_token: token,
        scope: 'read:user,user:email',
        token_type: 'bearer',
      })
    })
  }
  const { body, auth } = await world.signIn()
  const token = await upstreamToken(auth, 'github')

  now += week
  const renewed = await world.refresh(body['refresh_token'])

  expect(renewed.status).toBe(200)
  expect(await upstreamToken(auth, 'github')).toBe(token)
  expect(provider.at('https://api.github.com/user')).toHaveLength(2)

  provider.revokeAll() // the user took it back there
  now += week
  const ended = await world.refresh(renewed.body['refresh_token'])
  expect(ended.status).toBe(400)
})

test('several providers are offered on one page, in their order', async () => {
  const world = await openProvider('github', { signInWith: [google(us), github(us), slack(us)] })

  const { text } = await arrive(createBrowser(world.ours), ask(issuer))

  const offered = [...text.matchAll(/Continue with (\w+)/g)].map(([, name]) => name)
  expect(offered).toEqual(['Google', 'GitHub', 'Slack'])
})

test.each([
  [
    'a tenant that may not',
    microsoft({ ...us, tenant: 'common', tenants: ['another'] }),
    'microsoft',
  ],
  ['another Google Workspace', google({ ...us, hostedDomain: 'example.com' }), 'google'],
  ['another Slack workspace', slack({ ...us, team: 'T2' }), 'slack'],
  [
    'a domain of one tenant, and its people',
    microsoft({ ...us, tenant: 'contoso.example' }),
    'microsoft',
  ],
])('%s', async (what, signInWith, name) => {
  const world = await openProvider(name, { signInWith })
  const { provider } = world
  if (what.startsWith('a domain')) {
    provider.intercept = ({ url }) =>
      url.endsWith('/contoso.example/v2.0/.well-known/openid-configuration')
        ? Response.json({
            ...world.behaviour.metadata?.body,
            issuer: 'https://login.microsoftonline.com/11111111-2222-3333-4444-555555555555/v2.0',
          })
        : undefined
    const { auth } = await world.signIn()
    expect(auth.subject).toBe(world.behaviour.subject('4711'))
    return
  }
  const { browser, onward } = await world.depart()
  const at = await returnFromProvider(browser, provider.authorize(onward).href)

  expect(at.text).toContain('is not allowed to sign in here.')
})

test('who may sign in can depend on what the provider says, asked as the user', async () => {
  const asked: string[] = []
  const world = await openProvider(
    'github',
    {},
    {
      async account({ sub, preferred_username: login }, { fetch }) {
        await expect(fetch('https://evil.example/')).rejects.toMatchObject({
          code: 'resource_mismatch',
        })
        asked.push(typeof fetch)
        return login === 'ada'
          ? { subject: `member-${sub}`, claims: { groups: ['staff'] } }
          : undefined
      },
    },
  )

  const { auth } = await world.signIn()

  expect(auth).toMatchObject({ subject: 'member-4711', claims: { groups: ['staff'] } })
  expect(asked).toEqual(['function'])
})

test('addresses of servers of your own', () => {
  expect(github({ ...us, url: 'https://git.example.com/' })).toMatchObject({
    tokenUrl: 'https://git.example.com/login/oauth/access_token',
    userUrl: 'https://git.example.com/api/v3/user',
  })
  expect(gitlab({ ...us, url: 'https://lab.example.com' }).userUrl).toBe(
    'https://lab.example.com/api/v4/user',
  )
  expect(okta({ ...us, domain: 'org.okta.com', server: 'org' }).issuer).toBe('https://org.okta.com')
  expect(keycloak({ ...us, url: 'http://localhost:8080', realm: 'demo' }).issuer).toBe(
    'http://localhost:8080/realms/demo',
  )
  // Forwarded without a value, which leaves what the provider has.
  expect(github({ ...us, scopes: undefined, name: undefined })).toMatchObject({
    name: 'GitHub',
    scopes: ['read:user', 'user:email'],
  })
})

test.each<[string, Partial<AuthServerOptions>, RegExp]>([
  [
    'two of one id',
    { signInWith: [github(us), github({ ...us, name: 'Other' })] },
    /two providers have the id "github"/,
  ],
  [
    'an empty secret',
    { signInWith: github({ ...us, clientSecret: '' }) },
    /clientSecret of the provider "github" is empty/,
  ],
  [
    'an address that is none',
    { signInWith: keycloak({ ...us, url: 'sso', realm: 'x' }) },
    /issuer of the provider "keycloak" is not a URL/,
  ],
  [
    'no https',
    { signInWith: gitlab({ ...us, url: 'http://lab.example.com' }) },
    /http:\/\/lab\.example\.com\/oauth\/authorize is not https/,
  ],
  [
    'an id that is no part of a URL',
    { signInWith: github({ ...us, id: 'a/b' }) },
    /must be 1 to 40 lower-case/,
  ],
  [
    'a short secret of ours',
    { signInWith: github(us), secret: 'short' },
    /secret is shorter than 32 characters/,
  ],
])('%s is refused when the server is made', async (_what, options, why) => {
  const made = createAuthServer({
    issuer,
    resources: ['https://notes.example.com/mcp'],
    store: createMemoryAuthServerStore(),
    ...options,
  })

  await expect(made).rejects.toThrow(why)
})

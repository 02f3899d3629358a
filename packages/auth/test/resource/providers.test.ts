import { type IssuerRules, oauthGuard, providers } from '@parley/auth/resource'
import { SignJWT } from 'jose'
import { expect, test } from 'vitest'

import * as fixtures from './fixtures/provider-tokens.ts'
import type { ProviderToken } from './fixtures/provider-tokens.ts'
import { createKey, resource } from './signing-issuer.ts'

const key = await createKey('RS256')

/** The documents of a provider, and what it was asked. */
function documents(found: Record<string, (request: Request) => Response | Promise<Response>>) {
  const asked: Request[] = []
  const answer: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    asked.push(request.clone())
    return found[request.url]?.(request) ?? new Response(null, { status: 404 })
  }
  return { asked, fetch: answer }
}

function withKeys({ issuer, keys }: { readonly issuer: string; readonly keys: string }) {
  const url = new URL(keys, issuer).href
  const place = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  return documents({
    [place]: () => Response.json({ issuer, jwks_uri: url }),
    [url]: () => Response.json({ keys: [key.jwk] }),
  })
}

async function verdict(rules: IssuerRules, token: string, ask: typeof fetch) {
  return oauthGuard({ issuer: rules, fetch: ask }).authenticate({
    method: 'POST',
    target: '/mcp',
    resource: new URL(resource),
    header: (name) => (name === 'authorization' ? `Bearer ${token}` : undefined),
  })
}

function sign({ header, claims }: ProviderToken, change: object = {}): Promise<string> {
  const kept = Object.entries(header).filter(([, value]) => value !== undefined)
  return new SignJWT({ ...claims, ...change })
    .setProtectedHeader({ alg: 'RS256', kid: `${key.jwk.kid}`, ...Object.fromEntries(kept) })
    .setIssuedAt()
    .setExpirationTime('5m')
    .sign(key.privateKey)
}

const rejected = { kind: 'deny', status: 401 }

test('Entra: tokens of both versions, of people and of programs', async () => {
  const { options, keys, v1, v2, application } = fixtures.entra
  const rules = providers.entra(options)
  const { fetch: ask } = documents({ [keys]: () => Response.json({ keys: [key.jwk] }) })
  const api = `api://${options.appId}`

  expect(await verdict(rules, await sign(v2), ask)).toMatchObject({
    kind: 'allow',
    auth: {
      clientId: v2.claims.azp,
      scopes: new Set(['Notes.Read', `${api}/Notes.Read`, 'Notes.Write', `${api}/Notes.Write`]),
    },
  })
  expect(await verdict(rules, await sign(v1), ask)).toMatchObject({
    kind: 'allow',
    auth: { issuer: v1.claims.iss, clientId: v1.claims.appid },
  })
  expect(await verdict(rules, await sign(application), ask)).toMatchObject({
    kind: 'allow',
    auth: { scopes: new Set(['Notes.Read.All', `${api}/Notes.Read.All`]) },
  })
})

test('Entra: an ID token, with roles too, another tenant and another application are refused', async () => {
  const { options, keys, v2, idToken, idTokenWithRoles } = fixtures.entra
  const rules = providers.entra(options)
  const { fetch: ask } = documents({ [keys]: () => Response.json({ keys: [key.jwk] }) })

  expect(await verdict(rules, await sign(idToken), ask)).toMatchObject(rejected)
  expect(await verdict(rules, await sign(idTokenWithRoles), ask)).toMatchObject(rejected)
  expect(await verdict(rules, await sign(v2, { tid: 'other' }), ask)).toMatchObject(rejected)
  expect(await verdict(rules, await sign(v2, { aud: 'other' }), ask)).toMatchObject(rejected)
  expect(await verdict(rules, await sign(v2, { aud: resource }), ask)).toMatchObject(rejected)
})

test('Auth0: an issuer with a slash, userinfo besides, permissions, and both kinds of tokens', async () => {
  const { options, metadata, access, rfc9068, idToken } = fixtures.auth0
  const rules = providers.auth0(options)
  const { fetch: ask } = withKeys(metadata)

  expect(await verdict(rules, await sign(access), ask)).toMatchObject({
    kind: 'allow',
    auth: {
      clientId: 'my_client_id',
      scopes: new Set(['openid', 'profile', 'notes:read', 'notes:write']),
    },
  })
  expect(await verdict(rules, await sign(rfc9068), ask)).toMatchObject({ kind: 'allow' })
  expect(await verdict(rules, await sign(idToken), ask)).toMatchObject(rejected)
  expect(await verdict(rules, await sign(idToken, { aud: resource }), ask)).toMatchObject(rejected)
})

test('Keycloak: tokens that are also for its account service, and say in a claim what they are', async () => {
  const { options, metadata, access, idToken, refresh } = fixtures.keycloak
  const rules = providers.keycloak(options)
  const { fetch: ask } = withKeys(metadata)

  expect(await verdict(rules, await sign(access), ask)).toMatchObject({
    kind: 'allow',
    auth: { clientId: 'notes-app', scopes: new Set(['profile', 'notes:read']) },
  })
  expect(await verdict(rules, await sign(access, { aud: 'account' }), ask)).toMatchObject(rejected)
  expect(await verdict(rules, await sign(idToken), ask)).toMatchObject(rejected)
  expect(await verdict(rules, await sign(refresh), ask)).toMatchObject(rejected)
})

test('Okta: scopes in a list, the client in cid, no type', async () => {
  const { options, metadata, access, idToken } = fixtures.okta
  const rules = providers.okta(options)
  const { fetch: ask } = withKeys(metadata)

  expect(await verdict(rules, await sign(access), ask)).toMatchObject({
    kind: 'allow',
    auth: { clientId: 'nmdP1fcyvdVO11AL7ECm', scopes: new Set(['openid', 'notes:read']) },
  })
  expect(await verdict(rules, await sign(idToken), ask)).toMatchObject(rejected)
  const named = { ...rules, audience: 'api://default' }
  const own = await sign(access, { aud: 'api://default' })
  expect(await verdict(named, own, ask)).toMatchObject({ kind: 'allow' })
  expect(await verdict(rules, own, ask)).toMatchObject(rejected)
})

test('Cognito: without an audience the scopes prove whom a token is for', async () => {
  const { options, metadata, access, bound, unbound, idToken } = fixtures.cognito
  const rules = providers.cognito(options)
  const { fetch: ask } = withKeys(metadata)

  expect(await verdict(rules, await sign(access), ask)).toMatchObject({
    kind: 'allow',
    auth: { clientId: 'xxxxxxxxxxxxexample', audience: [resource] },
  })
  expect(await verdict(rules, await sign(bound), ask)).toMatchObject({ kind: 'allow' })
  expect(await verdict(rules, await sign(unbound), ask)).toMatchObject(rejected)
  expect(await verdict(rules, await sign(idToken), ask)).toMatchObject(rejected)
  const foreign = await sign(access, { scope: 'https://other.example/read' })
  expect(await verdict(rules, foreign, ask)).toMatchObject(rejected)
})

test('Google: tokens are asked about, not in the query, and are for named clients', async () => {
  const endpoint = 'https://oauth2.googleapis.com/tokeninfo'
  const exp = String(Math.floor(Date.now() / 1000) + 3599)
  const { fetch: ask, asked } = documents({
    [endpoint]: async (request) => {
      const token = new URLSearchParams(await request.text()).get('access_token')
      if (token === 'ya29.away') return new Response(null, { status: 500 })
      if (token !== 'ya29.good') return Response.json({ error: 'invalid_token' }, { status: 400 })
      return Response.json({ ...fixtures.googleTokenInfo, exp })
    },
  })
  const { aud, sub } = fixtures.googleTokenInfo
  const rules = providers.google({ clientIds: [aud] })

  expect(await verdict(rules, 'ya29.good', ask)).toMatchObject({
    kind: 'allow',
    auth: { subject: sub, clientId: aud, expiresAt: Number(exp) * 1000 },
  })
  expect(await verdict(rules, 'ya29.bad', ask)).toMatchObject(rejected)
  expect(await verdict(rules, 'ya29.away', ask)).toMatchObject({ status: 503 })
  const others = providers.google({ clientIds: ['others'] })
  expect(await verdict(others, 'ya29.good', ask)).toMatchObject(rejected)
  expect(asked.every(({ url }) => url === endpoint)).toBe(true)
})

test('GitHub: tokens are asked about at the application, which knows only its own', async () => {
  const client = { clientId: fixtures.githubToken.app.client_id, clientSecret: 's' }
  const endpoint = `https://api.github.com/applications/${client.clientId}/token`
  const { fetch: ask, asked } = documents({
    [endpoint]: async (request) => {
      const { access_token: token } = (await request.json()) as { access_token: string } // ours
      return token === 'gho_good'
        ? Response.json(fixtures.githubToken)
        : new Response(null, { status: token === 'gho_rude' ? 403 : 404 })
    },
  })
  const rules = providers.github(client)

  expect(await verdict(rules, 'gho_good', ask)).toMatchObject({
    kind: 'allow',
    auth: { subject: '583231', scopes: new Set(['repo', 'user']), expiresAt: Infinity },
  })
  expect(await verdict(rules, 'gho_other', ask)).toMatchObject(rejected)
  expect(await verdict(rules, 'gho_rude', ask)).toMatchObject({ status: 503 })
  expect(asked[0]?.headers.get('user-agent')).toBeTruthy()
  expect(asked[0]?.headers.get('authorization')).toMatch(/^Basic /)
})

test('several providers protect one server, opaque tokens and signed ones', async () => {
  const { options, metadata, access } = fixtures.okta
  const endpoint = 'https://oauth2.googleapis.com/tokeninfo'
  const exp = String(Math.floor(Date.now() / 1000) + 3599)
  const google = documents({
    [endpoint]: () => Response.json({ ...fixtures.googleTokenInfo, exp }),
  })
  const keys = withKeys(metadata)
  const guard = oauthGuard({
    issuer: [
      providers.okta(options),
      providers.google({ clientIds: [fixtures.googleTokenInfo.aud] }),
    ],
    fetch: (input, init) =>
      (new Request(input).url === endpoint ? google : keys).fetch(input, init),
  })
  const ask = (token: string) =>
    guard.authenticate({
      method: 'POST',
      target: '/mcp',
      resource: new URL(resource),
      header: () => `Bearer ${token}`,
    })

  expect(await ask(await sign(access))).toMatchObject({ kind: 'allow' })
  expect(await ask('ya29.opaque')).toMatchObject({
    kind: 'allow',
    auth: { issuer: 'https://accounts.google.com' },
  })
})

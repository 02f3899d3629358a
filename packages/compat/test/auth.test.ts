import { createHash } from 'node:crypto'
import type { AddressInfo } from 'node:net'

import { type OAuthClientProvider, auth } from '@parley/compat/client/auth.js'
import { requireBearerAuth } from '@parley/compat/server/auth/middleware/bearerAuth.js'
import type { OAuthServerProvider } from '@parley/compat/server/auth/provider.js'
import { mcpAuthRouter } from '@parley/compat/server/auth/router.js'
import type {
  OAuthClientInformationFull,
  OAuthClientInformationMixed,
  OAuthTokens,
} from '@parley/compat/shared/auth.js'
import express from 'express'
import { expect, onTestFinished, test } from 'vitest'

/** An authorization server whose user always agrees. */
async function serve() {
  const clients = new Map<string, OAuthClientInformationFull>()
  const challenges = new Map<string, string>()
  const provider: OAuthServerProvider = {
    clientsStore: {
      getClient: (id) => clients.get(id),
      registerClient: (client) => {
        const full = client as OAuthClientInformationFull
        clients.set(full.client_id, full)
        return full
      },
    },
    async authorize(_client, { codeChallenge, redirectUri, state }, response) {
      challenges.set('code', codeChallenge)
      response.redirect(`${redirectUri}?code=code&state=${state}`)
    },
    challengeForAuthorizationCode: async (_client, code) => challenges.get(code) ?? '',
    exchangeAuthorizationCode: async () => ({ access_token: 'token', token_type: 'bearer' }),
    exchangeRefreshToken: async () => ({ access_token: 'token', token_type: 'bearer' }),
    verifyAccessToken: async (token) => ({
      token,
      clientId: 'c',
      scopes: ['read'],
      expiresAt: Date.now() / 1_000 + 60,
    }),
  }
  const app = express()
  const listening = app.listen(0, '127.0.0.1')
  onTestFinished(() => void listening.close())
  await new Promise((resolve) => listening.once('listening', resolve))
  const url = new URL(`http://127.0.0.1:${(listening.address() as AddressInfo).port}`)
  app.use(mcpAuthRouter({ provider, issuerUrl: url, tokenOptions: { rateLimit: { max: 3 } } }))
  app.get(
    '/mcp',
    requireBearerAuth({ verifier: provider, requiredScopes: ['read'] }),
    (request, response) => {
      response.json({ client: request.auth?.clientId })
    },
  )
  return url
}

/** A client that follows the redirect itself. */
function createProvider() {
  const kept: {
    client?: OAuthClientInformationMixed
    tokens?: OAuthTokens
    verifier?: string
    location?: URL
  } = {}
  const provider: OAuthClientProvider = {
    redirectUrl: 'http://localhost/callback',
    clientMetadata: {
      redirect_uris: ['http://localhost/callback'],
      token_endpoint_auth_method: 'none',
    },
    state: () => 'state',
    clientInformation: () => kept.client,
    saveClientInformation: (client) => void (kept.client = client),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void (kept.tokens = tokens),
    redirectToAuthorization: (url) => void (kept.location = url),
    saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier ?? '',
  }
  return { provider, kept }
}

test('a client registers, signs in with a code and uses its token', async () => {
  const url = await serve()
  const { provider, kept } = createProvider()

  expect(await auth(provider, { serverUrl: url })).toBe('REDIRECT')
  const challenge = createHash('sha256')
    .update(kept.verifier ?? '')
    .digest('base64url')
  expect(kept.location?.searchParams.get('code_challenge')).toBe(challenge)
  const response = await fetch(kept.location ?? url, { redirect: 'manual' })
  const returned = new URL(response.headers.get('location') ?? '')
  expect(returned.searchParams.get('state')).toBe('state')
  const authorizationCode = returned.searchParams.get('code') ?? ''
  expect(await auth(provider, { serverUrl: url, authorizationCode })).toBe('AUTHORIZED')

  const refused = await fetch(new URL('/mcp', url))
  expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
    401,
    'Bearer error="invalid_token", error_description="Missing Authorization header", scope="read"',
  ])
  const headers = { authorization: `Bearer ${kept.tokens?.access_token}` }
  expect(await (await fetch(new URL('/mcp', url), { headers })).json()).toEqual({ client: 'c' })
})

test('a code is worth nothing with another verifier, and asking is limited', async () => {
  const url = await serve()
  const { provider, kept } = createProvider()
  await auth(provider, { serverUrl: url })
  await fetch(kept.location ?? url, { redirect: 'manual' })
  const ask = () =>
    fetch(new URL('/token', url), {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: 'code',
        code_verifier: 'another',
        client_id: kept.client?.client_id ?? '',
      }),
    })

  const answers = [await ask(), await ask(), await ask(), await ask()]

  expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 429])
  expect(await answers[0]?.json()).toMatchObject({ error: 'invalid_grant' })
})

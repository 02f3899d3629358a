import type { IssuerSettings } from '@parley/auth/client'
import { describe, expect, test, vi } from 'vitest'

import { findIssuer } from '../../src/client/issuer/issuer-metadata.ts'
import { settingsFor } from '../../src/client/issuer/known-issuers.ts'
import { createAuthHttp } from '../../src/client/options.ts'
import { readCallback } from '../../src/client/sign-in/callback.ts'
import { startSignIn } from '../../src/client/sign-in/sign-in.ts'
import { withOfflineAccess } from '../../src/client/tokens/scopes.ts'
import { fetchOf, providers, type Provider } from '../support/providers.ts'
import { authErrorOf } from '../support/refusal-of.ts'

const resource = 'https://mcp.example.com/mcp'

async function signInAt(provider: Provider, own: Record<string, IssuerSettings> = {}) {
  const wire = createAuthHttp(
    new URL(resource),
    new AbortController().signal,
    fetchOf(provider),
    'any',
  )
  const issuer = await findIssuer(provider.issuer, settingsFor(provider.issuer, own), wire)
  const { scopes_supported: listed } = issuer.server
  const target = {
    resource,
    issuer,
    challengedScopes: undefined,
    supportedScopes: undefined,
    dpop: 'optional' as const,
  }
  const { url, pending } = await startSignIn({
    target,
    identity: { id: 'client', source: 'configured' },
    redirectUri: 'http://127.0.0.1:3000/callback',
    scopes: withOfflineAccess(['notes'], listed, issuer.settings.offlineAccess),
    dpop: 'optional',
  })
  return { issuer, url, pending, parameters: Object.fromEntries(url.searchParams) }
}

describe('providers as they are', () => {
  test.each(
    Object.values<Provider>(providers).map((provider) => [provider.name, provider] as const),
  )(
    '%s can be signed in at without settings [N11-AUTH-17] [ASEC-10] [AINH-09]',
    async (_, provider) => {
      const { parameters, url } = await signInAt(provider)

      expect(url.protocol).toBe('https:')
      expect(parameters).toMatchObject({
        response_type: 'code',
        client_id: 'client',
        code_challenge_method: 'S256',
        resource,
      })
      expect(parameters['code_challenge']).toMatch(/^[\w-]{43}$/)
    },
  )

  test('Google gives refresh tokens for a parameter, not for a scope', async () => {
    const { parameters } = await signInAt(providers.google)

    expect(parameters).toMatchObject({ access_type: 'offline', prompt: 'consent', scope: 'notes' })
  })

  test('Entra, Auth0 and Okta give them for a scope', async () => {
    for (const provider of [providers.entra, providers.auth0, providers.okta]) {
      expect((await signInAt(provider)).parameters['scope']).toBe('notes offline_access')
    }
  })

  test('Entra and Cognito do PKCE without saying so, which is told once [N11-AUTH-17]', async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    const cognito: Provider = {
      ...providers.cognito,
      issuer: providers.cognito.issuer.replace('Abc123', 'Other'),
      documents: JSON.parse(
        JSON.stringify(providers.cognito.documents).replaceAll('Abc123', 'Other'),
      ) as Provider['documents'],
    }

    await signInAt(cognito)
    await signInAt(cognito)

    expect(warn.mock.calls.map(([text]) => String(text))).toEqual([
      expect.stringContaining('assumePkceS256'),
    ])
    warn.mockRestore()
  })

  test('Entra for all tenants answers in the name of one', async () => {
    const { pending, issuer } = await signInAt(providers.entraCommon)
    const callback = (iss: string) =>
      new URL(
        `${pending.redirectUri}?${new URLSearchParams({ code: 'c', state: pending.state, iss }).toString()}`,
      )
    const expected = {
      redirectUri: pending.redirectUri,
      state: pending.state,
      issuer: issuer.id,
      issuerTemplate: issuer.settings.issuerTemplate,
      sendsIssuer: false,
    }

    expect(issuer.id).toBe('https://login.microsoftonline.com/common/v2.0')
    expect(readCallback(callback('https://login.microsoftonline.com/0a-1b/v2.0'), expected)).toBe(
      'c',
    )
    expect(() => readCallback(callback('https://evil.example/0a-1b/v2.0'), expected)).toThrow(
      /another issuer/,
    )
  })

  test('Auth0 is kept under the name it gives itself', async () => {
    expect((await signInAt(providers.auth0)).issuer.id).toBe('https://tenant.eu.auth0.com/')
  })

  test('Keycloak can bind tokens to a key, and promises its name', async () => {
    const { issuer, parameters } = await signInAt(providers.keycloak)

    expect(parameters['dpop_jkt']).toMatch(/^[\w-]{43}$/)
    expect(issuer.server.authorization_response_iss_parameter_supported).toBe(true)
  })

  test('what the user says about an issuer wins', async () => {
    const own = {
      [providers.google.issuer]: { authorizeParams: { hd: 'example.com' }, resource: 'omit' },
      'https://tenant.eu.auth0.com/': { authorizeParams: { audience: 'api', client_id: 'evil' } },
    }

    const google = await signInAt(providers.google, own)
    const auth0 = await signInAt(providers.auth0, own)

    expect(google.parameters).toMatchObject({ hd: 'example.com' })
    expect(google.parameters).not.toHaveProperty('access_type')
    expect(google.parameters).not.toHaveProperty('resource')
    expect(auth0.parameters).toMatchObject({ audience: 'api', client_id: 'client' })
  })

  test('a setting for Entra is not one for a host that only looks like it', async () => {
    const lookalike: Provider = {
      name: 'evil',
      issuer: 'https://login.microsoftonline.com.evil.example/x',
      documents: {
        'https://login.microsoftonline.com.evil.example/.well-known/oauth-authorization-server/x': {
          issuer: 'https://login.microsoftonline.com.evil.example/x',
          authorization_endpoint: 'https://login.microsoftonline.com.evil.example/a',
          token_endpoint: 'https://login.microsoftonline.com.evil.example/t',
        },
      },
    }

    expect((await authErrorOf(signInAt(lookalike))).code).toBe('pkce_unsupported')
  })
})

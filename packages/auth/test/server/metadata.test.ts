import { describe, expect, test } from 'vitest'

import { issuer, resource, startAuthServer, type Harness } from './harness.ts'

async function read({ server }: Harness, url: string) {
  const response = await server.fetch(new Request(url))
  const body = (await response.json()) as Record<string, unknown> // always an object
  return { status: response.status, body, headers: response.headers }
}

describe('metadata', () => {
  test.each([
    'https://login.example.com/.well-known/oauth-authorization-server',
    'https://login.example.com/.well-known/openid-configuration',
  ])('of an issuer without a path is at %s [AUTH-10] [N11-AUTH-03] [ADISC-05]', async (url) => {
    const harness = await startAuthServer()

    const { status, body, headers } = await read(harness, url)

    expect(status).toBe(200)
    expect(body['issuer']).toBe(issuer)
    expect(headers.get('access-control-allow-origin')).toBe('*')
  })

  test.each([
    'https://example.com/.well-known/oauth-authorization-server/tenant',
    'https://example.com/.well-known/openid-configuration/tenant',
    'https://example.com/tenant/.well-known/openid-configuration',
  ])('of an issuer with a path is at %s [N11-AUTH-04]', async (url) => {
    const harness = await startAuthServer({ issuer: 'https://example.com/tenant' })

    const { status, body } = await read(harness, url)

    expect(status).toBe(200)
    expect(body['issuer']).toBe('https://example.com/tenant')
    expect(body['token_endpoint']).toBe('https://example.com/tenant/token')
    expect(body['authorization_endpoint']).toBe('https://example.com/tenant/authorize')
    expect(body['jwks_uri']).toBe('https://example.com/tenant/jwks')
  })

  test('says what it can do [N11-AUTH-18] [N07-AUTH-04] [N11-AUTH-05]', async () => {
    const harness = await startAuthServer()

    const { body } = await read(harness, `${issuer}/.well-known/oauth-authorization-server`)

    expect(body).toMatchObject({
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
      scopes_supported: ['notes:read', 'notes:write', 'openid', 'offline_access'],
      protected_resources: [resource],
    })
    expect(body).not.toHaveProperty('registration_endpoint')
  })

  test('names the issuer and its own addresses whatever host the caller writes', async () => {
    const { server } = await startAuthServer()
    const headers = {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      forwarded: 'host=evil.example',
    }

    const url = 'https://evil.example/.well-known/oauth-authorization-server'
    const response = await server.fetch(new Request(url, { headers }))

    expect(await response.text()).not.toContain('evil')
  })

  test('publishes keys without their private parts', async () => {
    const harness = await startAuthServer()

    const { body } = await read(harness, harness.server.jwksUri)

    expect(body['keys']).toEqual([
      expect.objectContaining({ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig' }),
    ])
    expect(JSON.stringify(body)).not.toContain('"d"')
  })

  test('is not found for another issuer on the same host', async () => {
    const harness = await startAuthServer({ issuer: 'https://example.com/tenant' })

    const other = await read(harness, 'https://example.com/.well-known/oauth-authorization-server')
    const beside = await read(harness, 'https://example.com/tenants/token')

    expect([other.status, beside.status]).toEqual([404, 404])
  })
})

import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'

import { redirectUri, requestToken, resource, secret, startAuthServer } from './harness.ts'

const grant = { grant_type: 'client_credentials' }
const basic = {
  authorization: `Basic ${Buffer.from(`robot:${encodeURIComponent(secret)}`).toString('base64')}`,
}

describe('tokens of a client of its own', () => {
  test('need its secret, in the header or in the body', async () => {
    const harness = await startAuthServer()

    const header = await requestToken(harness, { ...grant, resource }, basic)
    const body = await requestToken(harness, {
      ...grant,
      client_id: 'robot',
      client_secret: secret,
    })

    expect([header.status, body.status]).toEqual([200, 200])
    expect(decodeJwt(String(header.body['access_token']))).toMatchObject({
      sub: 'robot',
      client_id: 'robot',
      aud: resource,
      scope: 'notes:read',
    })
    expect(header.body).not.toHaveProperty('refresh_token')
  })

  test('are refused with a wrong secret, and without one', async () => {
    const harness = await startAuthServer()

    const wrong = await requestToken(harness, {
      ...grant,
      client_id: 'robot',
      client_secret: 'x'.repeat(40),
    })
    const none = await requestToken(harness, { ...grant, client_id: 'robot' })

    expect([wrong.status, wrong.body['error']]).toEqual([401, 'invalid_client'])
    expect([none.status, none.body['error']]).toEqual([401, 'invalid_client'])
  })

  test('never go beyond what was agreed on', async () => {
    const harness = await startAuthServer()

    const { body } = await requestToken(
      harness,
      { ...grant, scope: 'notes:read notes:write' },
      basic,
    )

    expect(body['scope']).toBe('notes:read')
  })

  test('are not for clients of people', async () => {
    const harness = await startAuthServer()

    const { status, body } = await requestToken(harness, { ...grant, client_id: 'app' })

    expect(status).toBe(400)
    expect(body).not.toHaveProperty('access_token')
  })

  test.each([
    ['a short secret', { clientId: 'a', clientSecret: 'short', redirectUris: [redirectUri] }],
    ['no secret', { clientId: 'a', scopes: ['x'] }],
    ['no scopes', { clientId: 'a', clientSecret: secret }],
  ])('a client with %s is a mistake', async (_, client) => {
    await expect(startAuthServer({ scopes: undefined, clients: [client] })).rejects.toThrow(/\ba\b/)
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import {
  normalizeRegistrationResponse,
  normalizeTokenResponse,
} from '../../src/client/normalize.ts'

async function shown(response: Response) {
  return { status: response.status, body: await response.json() }
}

function answer(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers })
}

describe('answers of token endpoints, put right', () => {
  const token = { access_token: 'a', token_type: 'bearer' }
  test.each<[string, Response, { status: number; body: unknown }]>([
    [
      'GitHub reports errors with status 200',
      answer({
        error: 'bad_verification_code',
        error_description: 'The code is incorrect',
        error_uri: 'https://docs.github.com',
      }),
      {
        status: 400,
        body: { error: 'bad_verification_code', error_description: 'The code is incorrect' },
      },
    ],
    [
      'GitHub separates scopes by commas',
      answer({ ...token, scope: 'repo,gist' }),
      { status: 200, body: { ...token, scope: 'repo gist' } },
    ],
    ['GitHub writes an empty scope', answer({ ...token, scope: '' }), { status: 200, body: token }],
    [
      'Entra adds an ID token of another issuer',
      answer({ ...token, ext_expires_in: 3599, id_token: 'e30.e30.' }),
      { status: 200, body: { ...token, ext_expires_in: 3599 } },
    ],
    [
      'Keycloak writes null where there is no refresh token',
      answer({ ...token, refresh_token: null, expires_in: null }),
      { status: 200, body: token },
    ],
    [
      'some write a list of scopes',
      answer({ ...token, scope: ['a', 'b'] }),
      { status: 200, body: { ...token, scope: 'a b' } },
    ],
    ['some leave out the type', answer({ access_token: 'a' }), { status: 200, body: token }],
    [
      'some call JSON text',
      answer(token, 200, { 'content-type': 'text/plain' }),
      { status: 200, body: token },
    ],
    [
      'some add a challenge to an error, which would hide it',
      answer({ error: 'invalid_client' }, 401, { 'www-authenticate': 'Basic realm="x"' }),
      { status: 401, body: { error: 'invalid_client' } },
    ],
    [
      'some describe errors by objects',
      answer({ error: 'invalid_grant', error_description: { de: 'nein' } }, 400),
      { status: 400, body: { error: 'invalid_grant' } },
    ],
  ])('%s', async (_, response, expected) => {
    const normal = await normalizeTokenResponse(response)

    expect(await shown(normal)).toEqual(expected)
    expect(normal.headers.get('content-type')).toMatch(/^application\/json/)
    expect(normal.headers.has('www-authenticate')).toBe(false)
  })

  test('a nonce stays', async () => {
    const normal = await normalizeTokenResponse(answer(token, 200, { 'dpop-nonce': 'n' }))

    expect(normal.headers.get('dpop-nonce')).toBe('n')
  })

  test('what is no JSON stays as it is', async () => {
    const html = answer('<html>', 502)

    expect(await normalizeTokenResponse(html)).toBe(html)
  })

  test('no success is made of a failure, and nothing throws', async () => {
    const status = fc.constantFrom(200, 201, 302, 400, 401, 403, 500, 503)
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.json(), fc.string()), status, async (body, code) => {
        const normal = await normalizeTokenResponse(answer(body, code))
        if (code !== 200) expect(normal.status).not.toBe(200)
        await normalizeRegistrationResponse(answer(body, code))
      }),
    )
  })
})

describe('answers of registration endpoints, put right', () => {
  test.each<[string, Response, { status: number; body: unknown }]>([
    ['200 instead of 201', answer({ client_id: 'c' }), { status: 201, body: { client_id: 'c' } }],
    [
      'a secret without an end',
      answer({ client_id: 'c', client_secret: 's' }, 201),
      { status: 201, body: { client_id: 'c', client_secret: 's', client_secret_expires_at: 0 } },
    ],
    [
      'an empty secret',
      answer({ client_id: 'c', client_secret: null }, 201),
      { status: 201, body: { client_id: 'c' } },
    ],
    [
      'an error',
      answer({ error: 'invalid_redirect_uri', more: 1 }, 400),
      { status: 400, body: { error: 'invalid_redirect_uri' } },
    ],
    ['no client', answer({ hello: 1 }), { status: 200, body: { hello: 1 } }],
  ])('%s', async (_, response, expected) => {
    expect(await shown(await normalizeRegistrationResponse(response))).toEqual(expected)
  })
})

import { createMemoryAuthServerStore } from '@parley/auth/server'
import { describe, expect, test } from 'vitest'

import {
  issuer,
  obtainToken,
  requestToken,
  resource,
  secret,
  startAuthServer,
  type Harness,
} from './harness.ts'

const robot = { client_id: 'robot', client_secret: secret }

async function post({ server }: Harness, path: string, form: Record<string, string>) {
  const response = await server.fetch(
    new Request(`${issuer}${path}`, { method: 'POST', body: new URLSearchParams(form) }),
  )
  const text = await response.text()
  const body = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown> // always an object
  return { status: response.status, body }
}

describe('asking about a token', () => {
  test('tells a client that proves itself whose it is and for what', async () => {
    const harness = await startAuthServer()
    const { body } = await obtainToken(harness)

    const answer = await post(harness, '/introspect', {
      ...robot,
      token: String(body['access_token']),
    })

    expect(answer.body).toMatchObject({
      active: true,
      sub: 'person-1',
      client_id: 'app',
      aud: resource,
      scope: 'notes:read',
      iss: issuer,
      token_type: 'Bearer',
    })
  })

  test('works for tokens of clients themselves, and for refresh tokens', async () => {
    const harness = await startAuthServer()
    const own = await requestToken(harness, { grant_type: 'client_credentials', ...robot })
    const { body } = await obtainToken(harness)

    const access = await post(harness, '/introspect', {
      ...robot,
      token: String(own.body['access_token']),
    })
    const refresh = await post(harness, '/introspect', {
      ...robot,
      token: String(body['refresh_token']),
    })

    expect(access.body).toMatchObject({ active: true, client_id: 'robot' })
    expect(refresh.body).toMatchObject({ active: true, client_id: 'app' })
  })

  test('tells strangers nothing, and a public client nothing of others', async () => {
    const harness = await startAuthServer()
    const { body } = await obtainToken(harness)
    const token = String(body['access_token'])

    const stranger = await post(harness, '/introspect', { token })
    const other = await post(harness, '/introspect', { token, client_id: 'tool' })

    expect(stranger.status).toBe(400)
    expect(other.body).toEqual({ active: false })
  })

  test.each(['', 'a.b.c', 'something', 'eyJhbGciOiJub25lIn0.eyJqdGkiOiJ4In0.'])(
    'finds nothing in %j',
    async (token) => {
      const harness = await startAuthServer()

      const answer = await post(harness, '/introspect', { ...robot, token: token || 'x' })

      expect(answer.body).toEqual({ active: false })
    },
  )

  test('tells a client that registered itself nothing of others, though it has a secret', async () => {
    const harness = await startAuthServer({ registration: 'on' })
    const { body } = await obtainToken(harness)
    const registered = await harness.server.fetch(
      new Request(`${issuer}/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          redirect_uris: ['https://stranger.example/callback'],
          token_endpoint_auth_method: 'client_secret_post',
        }),
      }),
    )
    const stranger = (await registered.json()) as { client_id: string; client_secret: string } // it is told both
    const { client_id, client_secret } = stranger

    const answers = []
    for (const token of [body['access_token'], body['refresh_token']])
      answers.push(
        await post(harness, '/introspect', { client_id, client_secret, token: String(token) }),
      )

    expect(client_secret).toEqual(expect.any(String))
    expect(answers.map((answer) => answer.body)).toEqual([{ active: false }, { active: false }])
  })

  test('finds nothing in a token that was signed by another server [ATOK-10] [DEC-16]', async () => {
    const [one, other] = await Promise.all([startAuthServer(), startAuthServer()])
    const { body } = await obtainToken(other)

    const answer = await post(one, '/introspect', { ...robot, token: String(body['access_token']) })

    expect(answer.body).toEqual({ active: false })
  })

  test('finds nothing in a token for a resource that is no longer served [ATOK-10]', async () => {
    const store = createMemoryAuthServerStore()
    const { body } = await obtainToken(await startAuthServer({ store }))
    const later = await startAuthServer({ store, resources: ['https://other.example.com/mcp'] })

    const answer = await post(later, '/introspect', {
      ...robot,
      token: String(body['access_token']),
    })

    expect(answer.body).toEqual({ active: false })
  })
})

describe('taking a token back', () => {
  test('ends an access token for who asks about it, and the sign-in it came from', async () => {
    const harness = await startAuthServer()
    const { body } = await obtainToken(harness)
    const token = String(body['access_token'])

    const { status } = await post(harness, '/revoke', { token, client_id: 'app' })

    const renewed = await requestToken(harness, {
      grant_type: 'refresh_token',
      refresh_token: String(body['refresh_token']),
      client_id: 'app',
    })
    const answer = await post(harness, '/introspect', { ...robot, token })

    expect(status).toBe(200)
    expect(answer.body).toEqual({ active: false })
    expect(renewed.body['error']).toBe('invalid_grant')
  })

  test('ends the whole sign-in with its refresh token', async () => {
    const harness = await startAuthServer()
    const { body } = await obtainToken(harness)
    const token = String(body['refresh_token'])

    await post(harness, '/revoke', { token, client_id: 'app' })
    const renewed = await requestToken(harness, {
      grant_type: 'refresh_token',
      refresh_token: token,
      client_id: 'app',
    })
    const access = await post(harness, '/introspect', {
      ...robot,
      token: String(body['access_token']),
    })

    expect(renewed.body['error']).toBe('invalid_grant')
    expect(access.body).toEqual({ active: false })
  })

  test('is not for other clients', async () => {
    const harness = await startAuthServer()
    const { body } = await obtainToken(harness)
    const token = String(body['refresh_token'])

    await post(harness, '/revoke', { token, client_id: 'tool' })
    await post(harness, '/revoke', { token, ...robot })
    const { status } = await requestToken(harness, {
      grant_type: 'refresh_token',
      refresh_token: token,
      client_id: 'app',
    })

    expect(status).toBe(200)
  })
})

import { createLocalJWKSet, decodeJwt, jwtVerify, type JSONWebKeySet } from 'jose'
import { describe, expect, test } from 'vitest'

import {
  ask,
  createBrowser,
  issuer,
  obtainToken,
  redirectUri,
  requestToken,
  resource,
  secret,
  signIn,
  startAuthServer,
} from './harness.ts'
import { local, register } from './registering.ts'

describe('the way to a token', () => {
  test('ends with a short-lived signed token for the resource alone [ASEC-05] [R0326A-17]', async () => {
    const harness = await startAuthServer()

    const { status, body, headers } = await obtainToken(harness)

    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 600, scope: 'notes:read' })
    const keys = await (await harness.server.fetch(new Request(harness.server.jwksUri))).json()
    const { payload } = await jwtVerify(
      String(body['access_token']),
      createLocalJWKSet(keys as JSONWebKeySet), // checked by what it is given to
      { issuer, audience: resource, typ: 'at+jwt', algorithms: ['ES256'] },
    )
    expect(payload).toMatchObject({
      sub: 'person-1',
      client_id: 'app',
      scope: 'notes:read',
      name: 'Ada',
    })
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(600)
  })

  test('names the issuer in its answers, those that refuse too [N07-AUTH-04]', async () => {
    const harness = await startAuthServer()
    const browser = createBrowser(harness)

    const { callback } = await obtainToken(harness)
    const rejected = await browser.follow(
      await browser.get(ask(issuer, { resource: 'https://other.example/mcp' }).url),
    )

    expect(callback.searchParams.get('iss')).toBe(issuer)
    expect(callback.searchParams.get('state')).toBe('some state')
    const { searchParams } = new URL(rejected.url)
    expect(searchParams.get('error')).toBe('invalid_target')
    expect(searchParams.get('iss')).toBe(issuer)
  })

  test('is for clients with a secret and without one, and asks both for a verifier [AUTH-06] [R0326A-02]', async () => {
    const harness = await startAuthServer({
      clients: [
        { clientId: 'app', redirectUris: [redirectUri] },
        { clientId: 'site', clientSecret: secret, redirectUris: [redirectUri] },
      ],
    })
    async function redeem(clientId: string, changed: Record<string, string>) {
      const asked = ask(issuer, { client_id: clientId })
      const callback = await signIn(createBrowser(harness), asked)
      const { status, body } = await requestToken(harness, {
        grant_type: 'authorization_code',
        code: callback.searchParams.get('code') ?? '',
        client_id: clientId,
        redirect_uri: redirectUri,
        code_verifier: asked.verifier,
        ...changed,
      })
      return [status, body['error']]
    }
    const wrong = { code_verifier: 'w'.repeat(43) }

    expect(await redeem('app', {})).toEqual([200, undefined])
    expect(await redeem('app', wrong)).toEqual([400, 'invalid_grant'])
    expect(await redeem('site', { client_secret: secret })).toEqual([200, undefined])
    expect(await redeem('site', { client_secret: secret, ...wrong })).toEqual([
      400,
      'invalid_grant',
    ])
    expect(await redeem('site', {})).toEqual([401, 'invalid_client'])
  })

  test('gives a request without scope and resource the default ones', async () => {
    const harness = await startAuthServer()
    const asked = ask(issuer, { scope: undefined, resource: undefined })

    const callback = await signIn(createBrowser(harness), asked)
    const { body } = await requestToken(harness, {
      grant_type: 'authorization_code',
      code: callback.searchParams.get('code') ?? '',
      client_id: 'app',
      redirect_uri: redirectUri,
      code_verifier: asked.verifier,
    })

    expect(body['scope']).toBe('notes:read notes:write')
    expect(decodeJwt(String(body['access_token'])).aud).toBe(resource)
  })

  test('passes over scopes that there are not', async () => {
    const harness = await startAuthServer()

    const { body } = await obtainToken(harness, { scope: 'notes:read admin' })

    expect(body['scope']).toBe('notes:read')
  })

  test('gives what a client asks for where no scopes are listed', async () => {
    const harness = await startAuthServer({
      scopes: undefined,
      clients: [{ clientId: 'app', redirectUris: [redirectUri] }],
    })

    const { body } = await obtainToken(harness, { scope: 'files:list files:read' })

    expect(body['scope']).toBe('files:list files:read')
  })

  test('is for one resource at a time', async () => {
    const other = 'https://other.example.com/mcp'
    const harness = await startAuthServer({ resources: [resource, other] })
    const browser = createBrowser(harness)

    const asked = `${ask(issuer).url}&resource=${encodeURIComponent(other)}`
    const { url } = await browser.follow(await browser.get(asked))

    expect(new URL(url).searchParams.get('error')).toBe('invalid_target')
  })

  test('works below a path', async () => {
    const harness = await startAuthServer({ issuer: 'https://example.com/tenant' })

    const { status, body, callback } = await obtainToken(harness)

    expect(status).toBe(200)
    expect(decodeJwt(String(body['access_token'])).iss).toBe('https://example.com/tenant')
    expect(callback.searchParams.get('iss')).toBe('https://example.com/tenant')
  })

  test('takes a bare origin as a resource with and without its slash', async () => {
    const harness = await startAuthServer({ resources: ['https://notes.example.com'] })

    const { body } = await obtainToken(harness, { resource: 'https://notes.example.com/' })

    expect(decodeJwt(String(body['access_token'])).aud).toBe('https://notes.example.com')
  })

  test('does not put into a token what an account says of the token itself', async () => {
    const harness = await startAuthServer({
      users: {
        verify: async () => ({
          subject: 'person-1',
          claims: { aud: 'everything', scope: 'admin', groups: ['a'] },
        }),
      },
    })

    const { body } = await obtainToken(harness)

    expect(decodeJwt(String(body['access_token']))).toMatchObject({
      aud: resource,
      scope: 'notes:read',
      groups: ['a'],
    })
  })
})

describe('attack: PKCE downgrade', () => {
  test.each([
    ['no challenge', { code_challenge: undefined, code_challenge_method: undefined }],
    ['the method plain', { code_challenge_method: 'plain' }],
    ['no method, which means plain', { code_challenge_method: undefined }],
  ])('refuses %s', async (_, parameters) => {
    const harness = await startAuthServer()
    const browser = createBrowser(harness)

    const { url } = await browser.follow(await browser.get(ask(issuer, parameters).url))

    expect(new URL(url).searchParams.get('error')).toBe('invalid_request')
  })

  test.each([
    ['a wrong verifier', { code_verifier: 'w'.repeat(43) }],
    ['an empty verifier', { code_verifier: '' }],
    ['another redirect URI', { redirect_uri: 'https://app.example.net/other' }],
    ['another client', { client_id: 'tool' }],
    ['another resource', { resource: 'https://other.example/mcp' }],
  ])('refuses a code with %s', async (_, changed) => {
    const harness = await startAuthServer()
    const asked = ask(issuer)
    const callback = await signIn(createBrowser(harness), asked)

    const { status, body } = await requestToken(harness, {
      grant_type: 'authorization_code',
      code: callback.searchParams.get('code') ?? '',
      client_id: 'app',
      redirect_uri: redirectUri,
      code_verifier: asked.verifier,
      ...changed,
    })

    expect(status).toBe(400)
    expect(body).not.toHaveProperty('access_token')
  })
})

describe('attack: code replay', () => {
  test('refuses a code the second time, and takes back what the first time gave', async () => {
    const harness = await startAuthServer()
    const { form, body } = await obtainToken(harness)

    const again = await requestToken(harness, form)
    const renewed = await requestToken(harness, {
      grant_type: 'refresh_token',
      refresh_token: String(body['refresh_token']),
      client_id: 'app',
    })

    expect([again.status, again.body['error']]).toEqual([400, 'invalid_grant'])
    expect([renewed.status, renewed.body['error']]).toEqual([400, 'invalid_grant'])
    expect(harness.events.map(({ type }) => type)).toContain('grant_revoked')
  })

  test('lets only one of many that come at once have a token', async () => {
    const harness = await startAuthServer()
    const asked = ask(issuer)
    const callback = await signIn(createBrowser(harness), asked)
    const form = {
      grant_type: 'authorization_code',
      code: callback.searchParams.get('code') ?? '',
      client_id: 'app',
      redirect_uri: redirectUri,
      code_verifier: asked.verifier,
    }

    const answers = await Promise.all(Array.from({ length: 8 }, () => requestToken(harness, form)))

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })
})

describe('attack: redirect tampering and open redirect', () => {
  test.each([
    'https://app.example.net/callback/../evil',
    'https://app.example.net/callback?next=https://evil.example',
    'https://app.example.net.evil.example/callback',
    'https://app.example.net@evil.example/callback',
    'https://APP.example.net/callback/',
    'http://app.example.net/callback',
    'https://app.example.net:444/callback',
    'https://evil.example/callback',
    'javascript:alert(1)',
    '//evil.example',
    '',
  ])('shows a page and goes nowhere for %j [ASEC-12]', async (tampered) => {
    const harness = await startAuthServer()
    const browser = createBrowser(harness)

    const response = await browser.get(ask(issuer, { redirect_uri: tampered }).url)

    expect(response.status).toBe(400)
    expect(response.headers.get('location')).toBeNull()
    expect(response.headers.get('content-type')).toContain('text/html')
  })

  test('shows a page and goes nowhere for a client that it does not know', async () => {
    const harness = await startAuthServer()

    const response = await createBrowser(harness).get(
      ask(issuer, { client_id: 'stranger', redirect_uri: 'https://evil.example' }).url,
    )

    expect(response.status).toBe(400)
    expect(response.headers.get('location')).toBeNull()
  })

  test('does not write into its page what a request brings', async () => {
    const harness = await startAuthServer()

    const response = await createBrowser(harness).get(
      ask(issuer, { client_id: '<script>alert(1)</script>' }).url,
    )

    expect(await response.text()).not.toContain('<script')
  })

  test.each(['127.0.0.1', '[::1]', 'localhost'])(
    'lets a program that registered choose another port at %s [AINH-10]',
    async (host) => {
      const harness = await startAuthServer({ registration: 'on' })
      const redirects = [`http://${host}:5000/callback`]
      const { body } = await register(harness, { ...local, redirect_uris: redirects })
      const client = { client_id: String(body['client_id']) }
      const at = (port: number, path: string) => `http://${host}:${port}/${path}`

      const same = await obtainToken(harness, { ...client, redirect_uri: at(5000, 'callback') })
      const other = await obtainToken(harness, { ...client, redirect_uri: at(40123, 'callback') })
      const elsewhere = await createBrowser(harness).get(
        ask(issuer, { ...client, redirect_uri: at(40123, 'other') }).url,
      )

      expect([same.status, other.status, elsewhere.status]).toEqual([200, 200, 400])
    },
  )

  test('lets a program on a machine choose its port, and nothing else [ASEC-12] [AINH-10]', async () => {
    const harness = await startAuthServer()

    const good = await obtainToken(harness, {
      client_id: 'tool',
      redirect_uri: 'http://127.0.0.1:40123/callback',
    })
    const bad = await createBrowser(harness).get(
      ask(issuer, { client_id: 'tool', redirect_uri: 'http://127.0.0.1:40123/other' }).url,
    )

    expect(good.status).toBe(200)
    expect(bad.status).toBe(400)
  })
})

import { createMemoryAuthServerStore } from '@parley/auth/server'
import { describe, expect, test } from 'vitest'

import { ask, createBrowser, issuer, obtainToken, startAuthServer } from './harness.ts'
import { local, register } from './registering.ts'

describe('registration', () => {
  test('is off unless the issuer is this machine [ADCR-01] [N11-AUTH-06]', async () => {
    const outside = await startAuthServer()
    const inside = await startAuthServer({ issuer: 'http://localhost:4000' })

    expect((await register(outside, local)).status).toBe(404)
    expect((await register(inside, local)).status).toBe(201)
    const metadata = await inside.server.fetch(
      new Request('http://localhost:4000/.well-known/oauth-authorization-server'),
    )
    expect(await metadata.json()).toMatchObject({
      registration_endpoint: 'http://localhost:4000/register',
    })
  })

  test('gives an id that signs somebody in, without metadata being read [ADCR-01] [AINH-11] [R0326A-05]', async () => {
    const harness = await startAuthServer({ registration: 'on' })
    const { status: registered, body } = await register(harness, local)

    const { status } = await obtainToken(harness, {
      client_id: String(body['client_id']),
      redirect_uri: 'http://127.0.0.1:5999/callback',
    })

    expect([registered, status]).toEqual([201, 200])
    expect(body).toMatchObject({ application_type: 'native', client_name: 'CLI' })
  })

  test('gives no tokens without a person, and no fields that nobody asked about', async () => {
    const harness = await startAuthServer({ registration: 'on' })

    const { body } = await register(harness, {
      ...local,
      grant_types: ['client_credentials', 'implicit', 'authorization_code'],
      response_types: ['token'],
      scope: 'admin',
      logo_uri: 'http://10.0.0.1/logo.png',
      sector_identifier_uri: 'https://10.0.0.1/',
    })

    expect(body).toMatchObject({ grant_types: ['authorization_code'], response_types: ['code'] })
    expect(body).not.toHaveProperty('logo_uri')
    expect(body).not.toHaveProperty('sector_identifier_uri')
  })

  test.each([
    ['invalid_redirect_uri', { ...local, redirect_uris: ['http://evil.example/'] }],
    ['invalid_redirect_uri', { ...local, redirect_uris: ['javascript:alert(1)'] }],
    ['invalid_redirect_uri', { ...local, redirect_uris: ['data:text/html,x'] }],
    ['invalid_redirect_uri', { ...local, redirect_uris: ['https://*.example.com/'] }],
    ['invalid_redirect_uri', { ...local, redirect_uris: ['https://a.example/#x'] }],
    ['invalid_redirect_uri', { ...local, redirect_uris: undefined }],
    ['invalid_client_metadata', { ...local, token_endpoint_auth_method: 'tls_client_auth' }],
    ['invalid_client_metadata', 'no json'],
    ['invalid_redirect_uri', { ...local, redirect_uris: ['cursor://callback'] }],
    ['invalid_redirect_uri', { ...local, redirect_uris: ['com.example.app:/callback'] }],
  ])('answers %s to %j [R0326A-18]', async (error, metadata) => {
    const harness = await startAuthServer({ registration: 'on' })

    const { status, body } = await register(harness, metadata)

    expect([status, body['error']]).toEqual([400, error])
  })

  test('takes schemes of applications where they were allowed, and no others', async () => {
    const harness = await startAuthServer({ registration: 'on', appSchemes: ['cursor'] })
    const attempts = ['cursor://callback', 'windsurf://callback', 'javascript:alert(1)']

    const answers = []
    for (const uri of attempts)
      answers.push(await register(harness, { ...local, redirect_uris: [uri] }))

    expect(answers.map(({ status }) => status)).toEqual([201, 400, 400])
    expect(answers[1]?.body['error_description']).toContain(
      'the server can allow windsurf: with appSchemes',
    )
  })

  test('can be asked for by a web page', async () => {
    const harness = await startAuthServer({ registration: 'on' })

    const { headers } = await register(harness, local)
    const preflight = await harness.server.fetch(
      new Request(`${issuer}/register`, { method: 'OPTIONS' }),
    )

    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(preflight.headers.get('access-control-allow-headers')).toBe('content-type')
  })

  test('is forgotten after a day without use, and kept once somebody agreed', async () => {
    let time = Date.now()
    const harness = await startAuthServer({
      registration: 'on',
      store: createMemoryAuthServerStore({ now: () => time }),
    })
    const unused = String(
      (await register(harness, { ...local, client_name: 'Unused' })).body['client_id'],
    )
    const used = String((await register(harness, local)).body['client_id'])
    const redirect = { redirect_uri: 'http://127.0.0.1:5000/callback' }
    await obtainToken(harness, { client_id: used, ...redirect })

    time += 25 * 3_600_000
    const browser = createBrowser(harness)
    const gone = await browser.get(ask(issuer, { client_id: unused, ...redirect }).url)
    const kept = await browser.get(ask(issuer, { client_id: used, ...redirect }).url)

    expect([gone.status, kept.status]).toEqual([400, 303])
  })
})

test('one household of IPv6 registers as often as one address of IPv4', async () => {
  const harness = await startAuthServer({ registration: 'on' })
  const from = async (address: string) => (await register(harness, local, address)).status

  for (let last = 1; last <= 10; last += 1) expect(await from(`2001:db8:1:2::${last}`)).toBe(201)

  expect(await from('2001:db8:1:2:ffff::1')).toBe(429)
  expect(await from('2001:db8:1:3::1')).toBe(201)
})

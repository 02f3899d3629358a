import { createSafeFetch } from '@parley/auth'
import { describe, expect, test } from 'vitest'

import { fetchClientDocument } from '../../src/server/clients/client-document.ts'
import { begin, clientId, good, serveDocument } from './document-world.ts'
import { ask, createBrowser, formTokenOf, issuer, obtainToken, startAuthServer } from './harness.ts'

describe('a client whose id is the URL of a document', () => {
  test('signs somebody in without being known before, where nobody can register [ADCR-02] [N11-AUTH-05]', async () => {
    const site = serveDocument(good)
    const harness = await startAuthServer({ registration: 'off', fetch: site.fetch })

    const { status, body } = await obtainToken(harness, {
      client_id: clientId,
      redirect_uri: 'https://desk.example.org/callback',
    })

    expect(status).toBe(200)
    expect(body).toHaveProperty('refresh_token')
    expect(site.asked).toEqual([`${clientId} manual`])
  })

  test.each([
    { resource: 'https://elsewhere.example' },
    { prompt: 'none' },
    { response_type: 'token' },
  ])(
    'sends nobody to its own address before they have seen whose page this is: %o [ASEC-14] [ASEC-15]',
    async (wrong) => {
      const harness = await startAuthServer({ fetch: serveDocument(good).fetch })
      const redirect = { client_id: clientId, redirect_uri: 'https://desk.example.org/callback' }
      const browser = createBrowser(harness)

      const response = await browser.get(ask(issuer, { ...redirect, ...wrong }).url)
      const page = await response.text()

      expect(response.status).toBe(400)
      expect(response.headers.get('location')).toBeNull()
      expect(page).toContain('desk.example.org')
      expect(page).toContain('rel="noreferrer nofollow"')
    },
  )

  test('tells a program on the person’s own machine at once what was wrong', async () => {
    const harness = await startAuthServer({ fetch: serveDocument(good).fetch })
    const redirect = { client_id: clientId, redirect_uri: 'http://localhost:3000/callback' }

    const response = await createBrowser(harness).get(
      ask(issuer, { ...redirect, prompt: 'none' }).url,
    )

    expect(response.headers.get('location')).toMatch(/^http:\/\/localhost:3000\/callback\?error=/)
  })

  test('is not asked for again while its document is fresh [N11-AUTH-10]', async () => {
    const site = serveDocument(good, {
      headers: { 'content-type': 'application/json', 'cache-control': 'max-age=3600' },
    })
    const harness = await startAuthServer({ fetch: site.fetch })

    await begin(harness)
    await begin(harness)

    expect(site.asked).toHaveLength(1)
  })

  test('may leave out what kind of application it is, as loopback clients do', async () => {
    const harness = await startAuthServer({ fetch: serveDocument(good).fetch })

    const { status } = await begin(harness, { redirect_uri: 'http://localhost:51234/callback' })

    expect(status).toBe(200)
  })

  test('is named on the page by the hosts of its id and of where the answer goes [N11-AUTH-10]', async () => {
    const document = { ...good, redirect_uris: ['https://elsewhere.example/callback'] }
    const harness = await startAuthServer({ fetch: serveDocument(document).fetch })
    const browser = createBrowser(harness)
    const asked = ask(issuer, {
      client_id: clientId,
      redirect_uri: 'https://elsewhere.example/callback',
    })
    const first = await browser.follow(await browser.get(asked.url))
    const form = {
      token: formTokenOf(await first.response.text()),
      name: 'ada',
      password: 'correct horse',
    }

    const second = await browser.follow(
      await browser.post(first.url, { ...form, answer: 'sign-in' }),
    )
    const page = await second.response.text()

    expect(page).toContain('<dd>desk.example.org</dd>')
    expect(page).toContain('<dd>elsewhere.example<br />')
    expect(page).toContain('class="warn"')
  })
})

describe('attack: a document at an address of ours', () => {
  test.each([
    'https://127.0.0.1/client.json',
    'https://[::1]/client.json',
    'https://10.0.0.1/a',
    'https://169.254.169.254/latest',
  ])('%s is refused by the fetch that is used when none is given', async (url) => {
    await expect(
      fetchClientDocument(url, { fetchSmall: createSafeFetch(), appSchemes: [] }),
    ).rejects.toMatchObject({
      code: 'address_refused',
    })
  })

  test('a flood of ids does not become a flood of requests', async () => {
    const site = serveDocument('nothing', { status: 404 })
    const harness = await startAuthServer({ fetch: site.fetch })

    for (let count = 0; count < 70; count += 1) {
      await begin(harness, { client_id: `https://desk.example.org/${count}` })
    }

    // The provider may look a client up twice for one request.
    expect(site.asked.length).toBeLessThanOrEqual(60)
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { fetchClientDocument, isDocumentUrl } from '../../src/server/client-document.ts'
import { createSafeFetch } from '../../src/shared/safe-fetch.ts'
import {
  ask,
  createBrowser,
  formTokenOf,
  issuer,
  obtainToken,
  startAuthServer,
  type Harness,
} from './harness.ts'

const clientId = 'https://desk.example.org/client.json'
const good = {
  client_id: clientId,
  client_name: 'Desk',
  redirect_uris: ['https://desk.example.org/callback', 'http://localhost:3000/callback'],
}

function serveDocument(document: unknown, init: ResponseInit = {}) {
  const asked: string[] = []
  const fetchDocument: typeof fetch = async (input, options) => {
    const { href } = new URL(input instanceof Request ? input.url : input)
    asked.push(`${href} ${options?.redirect ?? ''}`)
    const body = typeof document === 'string' ? document : JSON.stringify(document)
    return new Response(body, { headers: { 'content-type': 'application/json' }, ...init })
  }
  return { asked, fetch: fetchDocument }
}

async function begin(harness: Harness, parameters: Record<string, string> = {}) {
  const browser = createBrowser(harness)
  const url = ask(issuer, {
    client_id: clientId,
    redirect_uri: 'https://desk.example.org/callback',
    ...parameters,
  }).url
  const { response } = await browser.follow(await browser.get(url))
  return { status: response.status, page: await response.text() }
}

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

describe('attack: impersonation by a document [N11-AUTH-10]', () => {
  test.each([
    ['names another client_id', { ...good, client_id: 'https://desk.example.org/client.json#' }],
    ['names no client_id', { ...good, client_id: undefined }],
    ['has no name', { ...good, client_name: undefined }],
    ['has no redirect URIs', { ...good, redirect_uris: [] }],
    ['has a redirect URI that runs script', { ...good, redirect_uris: ['javascript:alert(1)'] }],
    ['has a redirect URI without https', { ...good, redirect_uris: ['http://desk.example.org/'] }],
    ['holds a secret', { ...good, token_endpoint_auth_method: 'client_secret_basic' }],
    ['is no object', '[]'],
    ['is no JSON', '<html>'],
    ['is longer than 5 kB', { ...good, padding: 'x'.repeat(5200) }],
  ])('a document that %s is not used', async (_, document) => {
    const harness = await startAuthServer({ fetch: serveDocument(document).fetch })

    const { status } = await begin(harness)

    expect(status).toBe(400)
  })

  test.each([
    ['is somewhere else', { status: 302, headers: { location: 'https://evil.example/' } }],
    ['is not found', { status: 404 }],
    ['is not JSON by its type', { headers: { 'content-type': 'text/html' } }],
  ])('a document that %s is not used', async (_, init) => {
    const harness = await startAuthServer({ fetch: serveDocument(good, init).fetch })

    const { status } = await begin(harness)

    expect(status).toBe(400)
  })

  test('a redirect URI that the document does not list is not used', async () => {
    const harness = await startAuthServer({ fetch: serveDocument(good).fetch })

    const { status } = await begin(harness, { redirect_uri: 'https://evil.example/callback' })

    expect(status).toBe(400)
  })

  test.each([
    'http://desk.example.org/client.json',
    'https://desk.example.org/',
    'https://desk.example.org',
    'https://desk.example.org/a/../client.json',
    'https://desk.example.org/client.json#x',
    'https://user@desk.example.org/client.json',
    'https://DESK.example.org/client.json',
    'https://desk.example.org:443/client.json',
  ])('%s is not fetched', async (id) => {
    const site = serveDocument({ ...good, client_id: id })
    const harness = await startAuthServer({ fetch: site.fetch })

    const { status } = await begin(harness, { client_id: id })

    expect(status).toBe(400)
    expect(site.asked).toEqual([])
  })

  test('only URLs written in the one way are documents', () => {
    fc.assert(
      fc.property(fc.webUrl({ withFragments: true, withQueryParameters: true }), (text) => {
        if (isDocumentUrl(text)) {
          expect(new URL(text).href).toBe(text)
          expect(text).toMatch(/^https:\/\/[^/]+\/./)
        }
      }),
    )
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

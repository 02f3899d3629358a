import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { isDocumentUrl } from '../../src/server/clients/client-document.ts'
import { begin, clientId, good, serveDocument } from '../server/document-world.ts'
import { createBrowser, formTokenOf, ask, issuer, startAuthServer } from '../server/harness.ts'

describe('a client passes for another by its document (CIMD) [N11-AUTH-10]', () => {
  test.each([
    ['names another client_id', { ...good, client_id: 'https://desk.example.org/client.json#' }],
    ['names no client_id', { ...good, client_id: undefined }],
    ['has no name', { ...good, client_name: undefined }],
    ['has no redirect URIs', { ...good, redirect_uris: [] }],
    ['has a redirect URI that runs script', { ...good, redirect_uris: ['javascript:alert(1)'] }],
    ['has a redirect URI without https', { ...good, redirect_uris: ['http://desk.example.org/'] }],
    ['holds a secret', { ...good, token_endpoint_auth_method: 'client_secret_basic' }],
    ['is no object', '[]'],
    ['is not JSON', '<html>'],
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

  test('a name that is somebody else’s stands beside the host that it is not of', async () => {
    const document = { ...good, client_name: 'The App of login.example.com' }
    const harness = await startAuthServer({ fetch: serveDocument(document).fetch })
    const browser = createBrowser(harness)
    const redirect = { client_id: clientId, redirect_uri: 'https://desk.example.org/callback' }
    const first = await browser.follow(await browser.get(ask(issuer, redirect).url))
    const token = formTokenOf(await first.response.text())
    const form = { token, name: 'ada', password: 'correct horse', answer: 'sign-in' }

    const { response } = await browser.follow(await browser.post(first.url, form))
    const page = await response.text()

    expect(page).toMatch(/<dt>Identified by<\/dt>\s*<dd>desk\.example\.org<\/dd>/)
    expect(page).not.toContain('this server, which knows it')
  })
})

import { oauthGuard } from '@parley/auth/resource'
import { createAuthServer, createMemoryAuthServerStore } from '@parley/auth/server'
import { serveHttp } from '@parley/mcp/node'
import { createEverythingServer } from '@parley/server-everything'
import { expect, onTestFinished, test } from 'vitest'

import { findFreePort } from '../../../../test-support/free-port.ts'
import { visitAs } from '../../../../test-support/person.ts'
import { openPage } from '../service/page-client.ts'

const clientId = 'registered-by-hand'
const clientSecret = 'a-secret-that-was-given-by-hand-once'

/** A server whose issuer knows one client, which has a secret. */
async function openGuarded() {
  const url = new URL('/mcp', `http://127.0.0.1:${await findFreePort()}`)
  const authServer = await createAuthServer({
    issuer: url.origin,
    resources: [url.href],
    store: createMemoryAuthServerStore(),
    users: { verify: async (name, given) => (given === 'open' ? { subject: name } : undefined) },
    clients: [{ clientId, clientSecret, redirectUris: ['http://127.0.0.1/callback'] }],
    scopes: { 'notes:read': 'Read notes' },
  })
  const service = await serveHttp(createEverythingServer(), {
    port: Number(url.port),
    path: '/mcp',
    ownsProcess: false,
    url,
    auth: oauthGuard({ issuer: authServer }),
  })
  const page = await openPage({ servers: [{ name: 'guarded', entry: { url: url.href } }] })
  onTestFinished(async () => {
    await page[Symbol.asyncDispose]()
    await service.drain({ deadlineMs: 0 })
  })
  return page
}

test('a client registered by hand signs in with its secret, which is shown nowhere; who asks for what is shown before [AUI-06, AUI-08, ARCH-04, TRUST-13]', async () => {
  const page = await openGuarded()

  const signing = page.ask('auth/sign-in', {
    server: 'guarded',
    clientId,
    clientSecret,
    scope: 'notes:read',
  })
  const { openUrl = '', steps } = await page.next(
    'auth/changed',
    (view) => view.openUrl !== undefined,
  )
  await visitAs('ada', 'open', new URL(openUrl))
  const view = await signing

  const sent = steps.find(({ title }) => title === 'Send the user to the issuer')
  expect(sent?.request).toMatchObject({
    url: expect.stringContaining('127.0.0.1'),
    scope: expect.stringContaining('notes:read'),
    client_id: clientId,
  })
  expect(view).toMatchObject({ state: 'signed-in', scopes: ['notes:read'] })
  const shown = [view, page.events, await page.ask('trace/page', { after: 0, limit: 5000 })]
  expect(JSON.stringify(shown)).not.toContain(clientSecret)
  expect(JSON.stringify(shown)).not.toContain(
    Buffer.from(`${clientId}:${clientSecret}`).toString('base64'),
  )
})

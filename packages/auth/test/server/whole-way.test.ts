import { createServer as createHttp } from 'node:http'
import type { AddressInfo } from 'node:net'

import {
  clientCredentialsAuth,
  browserAuth,
  createMemoryTokenStore,
  signOut,
  type StoreKey,
  type TokenStore,
} from '@parley/auth/client'
import { type IssuerRules, oauthGuard } from '@parley/auth/resource'
import {
  type AuthServer,
  createAuthServer,
  createDemoAuth,
  createMemoryAuthServerStore,
} from '@parley/auth/server'
import { connect, type ClientAuth } from '@parley/mcp/client'
import { serveHttp } from '@parley/mcp/node'
import { createServer } from '@parley/mcp/server'
import { expect, onTestFinished, test } from 'vitest'

import { ada, createBrowser, secret, signIn } from './harness.ts'

async function freePort(): Promise<number> {
  const http = createHttp()
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const { port } = http.address() as AddressInfo // listening on an address, not a pipe
  await new Promise((resolve) => http.close(resolve))
  return port
}

/** A protected server, with its issuer at the same origin. */
async function serve(url: URL, issuer: IssuerRules): Promise<void> {
  const server = createServer({ name: 'notes', version: '1.0.0' })
  server.tool('who', {}, (_, { auth }) => `${auth?.subject} through ${auth?.clientId}`)
  server.tool('write', { scopes: ['notes:write'] }, () => 'written')
  const service = await serveHttp(server, {
    port: Number(url.port),
    url,
    ownsProcess: false,
    auth: oauthGuard({ issuer, scopes: ['notes:read'] }),
  })
  onTestFinished(async () => void (await service.drain({ deadlineMs: 0 })))
}

async function start(path = '/mcp'): Promise<{ url: URL; authServer: AuthServer }> {
  const url = new URL(`http://127.0.0.1:${await freePort()}${path}`)
  const authServer = await createAuthServer({
    issuer: url.origin,
    resources: [url.href],
    users: ada,
    store: createMemoryAuthServerStore(),
    scopes: { 'notes:read': 'read your notes', 'notes:write': 'change your notes' },
    clients: [{ clientId: 'robot', clientSecret: secret }],
  })
  await serve(url, authServer)
  return { url, authServer }
}

/** A person at a browser, who says yes to everything. */
function person(
  server: AuthServer,
  opened: string[] = [],
  store: TokenStore = createMemoryTokenStore(),
): ClientAuth {
  const browser = createBrowser({ server, events: [], issuer: server.issuer })
  return browserAuth({
    store,
    clientName: 'Test client',
    async open({ href }) {
      opened.push(href)
      await fetch(await signIn(browser, { url: href, verifier: '' }))
    },
  })
}

test('a person signs in, calls, and is asked again for what needs more [R0326A-02] [R0326A-06]', async () => {
  const { url, authServer } = await start()
  const opened: string[] = []

  const client = await connect(url, { auth: person(authServer, opened) })
  onTestFinished(() => client.close())
  const who = await client.callTool('who', {})
  const written = await client.callTool('write', {})

  expect(who.content).toEqual([{ type: 'text', text: expect.stringMatching(/^person-1 through /) }])
  expect(written.content).toEqual([{ type: 'text', text: 'written' }])
  expect(opened).toHaveLength(2)
})

test('tokens that were taken back are good for nothing, for whoever has a copy [AUI-02]', async () => {
  const { url, authServer } = await start()
  const opened: string[] = []
  const store = createMemoryTokenStore()
  const auth = () => person(authServer, opened, store)
  const first = await connect(url, { auth: auth() })
  await first.close()
  const key: StoreKey = { kind: 'grant', issuer: authServer.issuer, resource: url.href }
  const copy = await store.get(key)
  if (copy === undefined) throw new Error('no grant is kept')

  const result = await signOut(url, { store })
  const { expiresAt: _, ...stolen } = JSON.parse(copy.value) as { expiresAt: number } // a grant, just now
  await store.set(key, { ...copy, value: JSON.stringify({ ...stolen, expiresAt: Date.now() }) })
  const second = await connect(url, { auth: auth() })
  await second.close()

  expect(result).toEqual({ kind: 'revoked', issuer: authServer.issuer })
  expect(opened).toHaveLength(2) // the copy could not be refreshed, so somebody had to sign in
})

test('metadata is below the origin, however deep the endpoint is [R0326A-10]', async () => {
  const { url } = await start('/v1/mcp')

  const answer = await fetch(new URL('/.well-known/oauth-authorization-server', url))

  expect(url.pathname).toBe('/v1/mcp')
  expect(answer.status).toBe(200)
  expect(await answer.json()).toMatchObject({
    issuer: url.origin,
    token_endpoint: `${url.origin}/token`,
  })
})

test('a program calls with a token of its own [R0326A-06]', async () => {
  const { url } = await start()

  const auth = clientCredentialsAuth({ clientId: 'robot', clientSecret: secret })
  const client = await connect(url, { auth })
  onTestFinished(() => client.close())
  const who = await client.callTool('who', {})

  expect(who.content).toEqual([{ type: 'text', text: 'robot through robot' }])
})

test('the demonstration protects a server with one call', async () => {
  const url = new URL(`http://127.0.0.1:${await freePort()}/mcp`)
  const demo = await createDemoAuth({ url })
  await serve(url, demo.authServer)
  const { authServer, user, password } = demo

  const right = await authServer.fetch(
    new Request(`${url.origin}/.well-known/oauth-authorization-server`),
  )
  const rejected = await fetch(url, { method: 'POST', body: '{}' })

  expect(right.status).toBe(200)
  expect(rejected.status).toBe(401)
  expect(rejected.headers.get('www-authenticate')).toContain('resource_metadata=')
  expect([user, password.length]).toEqual(['demo', 12])
})

import { createServer as createHttp, request as sendRequest } from 'node:http'
import type { AddressInfo } from 'node:net'

import { oauthGuard } from '@parley/auth/resource'
import { createAuthServer, createMemoryAuthServerStore } from '@parley/auth/server'
import { createNodeHandler } from '@parley/mcp/node'
import { createServer } from '@parley/mcp/server'
import { beforeAll, describe, expect, test } from 'vitest'

import { openLoopbackReceiver } from '../../src/node/loopback-receiver.ts'
import { ada, ask, secret } from '../server/harness.ts'

/** Asks at this machine under another name, as a page does whose name was made to lead here. */
function askAs(
  host: string,
  target: URL,
  init: { readonly method?: string; readonly headers?: object; readonly body?: string } = {},
): Promise<number> {
  const { method = 'GET', body = '' } = init
  const headers = { ...init.headers, host }
  return new Promise((resolve, reject) => {
    const request = sendRequest(target, { method, headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0))
    })
    request.on('error', reject)
    request.end(body)
  })
}

describe('DNS rebinding: the name of a page leads to this machine after it was loaded', () => {
  const ran: string[] = []
  let origin: string
  let token: string

  beforeAll(async () => {
    const http = createHttp()
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
    const { port } = http.address() as AddressInfo // listening on an address
    origin = `http://127.0.0.1:${port}`
    const authServer = await createAuthServer({
      issuer: origin,
      resources: [`${origin}/mcp`],
      users: ada,
      store: createMemoryAuthServerStore(),
      scopes: { 'notes:read': 'read your notes' },
      clients: [{ clientId: 'robot', clientSecret: secret }],
    })
    const server = createServer({ name: 'notes', version: '1.0.0' })
    server.tool('read', {}, () => void ran.push('read'))
    const auth = oauthGuard({ issuer: authServer })
    const handler = createNodeHandler(server, { url: `${origin}/mcp`, sessions: 'off', auth })
    http.on('request', handler)
    const form = { grant_type: 'client_credentials', client_id: 'robot', client_secret: secret }
    const answer = await fetch(`${origin}/token`, {
      method: 'POST',
      body: new URLSearchParams(form),
    })
    token = ((await answer.json()) as { access_token: string }).access_token // granted above
    return async () => {
      await handler.drain({ deadlineMs: 0 })
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    }
  })

  function callAs(host: string, headers: object = {}): Promise<number> {
    const params = { name: 'read', arguments: {} }
    return askAs(host, new URL(`${origin}/mcp`), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-06-18',
        authorization: `Bearer ${token}`,
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    })
  }

  test('a protected server runs nothing for it, not even with a good token [HTTP-03]', async () => {
    const { host, port } = new URL(origin)

    const foreign = await callAs(`evil.example:${port}`)
    const page = await callAs(host, { origin: `http://evil.example:${port}` })
    const before = [...ran]
    const own = await callAs(host)

    expect([foreign, page]).toEqual([403, 403])
    expect(before).toEqual([])
    expect(own).toBe(200)
    expect(ran).toEqual(['read'])
  })

  test.each(['/authorize', '/register', '/token', '/.well-known/oauth-authorization-server'])(
    'the issuer beside it does not answer at %s',
    async (path) => {
      const { port, host } = new URL(origin)
      const redirect = { client_id: 'robot', redirect_uri: 'https://evil.example/' }
      const { search } = new URL(ask(origin, redirect).url)
      const target = new URL(`${path}${path === '/authorize' ? search : ''}`, origin)

      const foreign = await askAs(`evil.example:${port}`, target)
      const own = await askAs(host, target)

      expect(foreign).toBe(403)
      expect(own).not.toBe(403)
    },
  )

  test('a sign-in that waits on loopback does not end by it', async () => {
    await using receiver = await openLoopbackReceiver(undefined)
    const target = new URL(`${receiver.redirectUri}?code=evil&state=s`)
    let isUsed = false
    const { signal } = new AbortController()
    void receiver.receive(signal, 's').then(() => (isUsed = true))

    const foreign = await askAs(`evil.example:${target.port}`, target)

    expect(foreign).toBe(404)
    expect(isUsed).toBe(false)
  })
})

/**
 * Signing in on the official package and on this one: the same requests, the same redirects followed, the same things kept.
 *
 * The authorization server is a `fetch` that answers from a table. A sign-in with real routers is in `auth.test.ts`.
 */

import { expect, onTestFinished, test, vi } from 'vitest'

import { type Sdk, expectSame, outcome } from './both-packages.ts'

const as = 'https://as.test'
const metadata = {
  issuer: as,
  authorization_endpoint: `${as}/authorize`,
  token_endpoint: `${as}/token`,
  registration_endpoint: `${as}/register`,
  response_types_supported: ['code'],
  code_challenge_methods_supported: ['S256'],
}
const resource = { resource: 'https://mcp.test', authorization_servers: [as] }
const registered = {
  client_id: 'new',
  redirect_uris: ['http://localhost/cb'],
  issuer: 'https://evil.test',
}
const tokens = { access_token: 'a', token_type: 'bearer', issuer: 'https://evil.test' }

/** Answers of the servers by path; a text is the target of a redirect. */
const answers: Record<string, unknown> = {
  'https://mcp.test/.well-known/oauth-protected-resource': resource,
  [`${as}/.well-known/oauth-authorization-server`]: metadata,
  [`${as}/token`]: tokens,
  [`${as}/register`]: registered,
}

/** Signs in with what a provider has stored, and returns all that happened. */
async function signIn(
  { clientAuth }: Sdk,
  stored: { client?: object; tokens?: object; isFixed?: boolean },
  more: { authorizationCode?: string } = {},
  changed: Record<string, unknown> = {},
) {
  const events: unknown[] = []
  const fetchFn = async (url: string | URL, init?: RequestInit) => {
    const body = init?.body instanceof URLSearchParams ? Object.fromEntries(init.body) : init?.body
    events.push([init?.method ?? 'GET', String(url), body])
    const answer = { ...answers, ...changed }[String(url)]
    if (typeof answer === 'string') {
      return new Response(null, { status: 307, headers: { location: answer } })
    }
    return answer === undefined ? new Response('', { status: 404 }) : Response.json(answer)
  }
  const provider = {
    redirectUrl: stored.isFixed ? undefined : 'http://localhost/cb',
    clientMetadata: { redirect_uris: [], client_name: 'c' },
    clientInformation: () => stored.client,
    tokens: () => stored.tokens,
    saveTokens: (saved: unknown) => void events.push(['tokens', saved]),
    ...(!stored.isFixed && {
      saveClientInformation: (saved: unknown) => void events.push(['client', saved]),
    }),
    redirectToAuthorization: (url: URL) => {
      url.searchParams.delete('code_challenge')
      events.push(['redirect', url.href])
    },
    saveCodeVerifier: () => {},
    codeVerifier: () => 'verifier',
    prepareTokenRequest: () =>
      stored.isFixed ? new URLSearchParams({ grant_type: 'client_credentials' }) : undefined,
  }
  const options = { serverUrl: 'https://mcp.test', fetchFn, ...more }
  events.push(await outcome(clientAuth.auth(provider as never, options)))
  return events
}

test('credentials go only to the authorization server that they belong to', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  onTestFinished(() => warn.mockRestore())

  const transcript = await expectSame(async (sdk) => [
    await signIn(sdk, {}),
    await signIn(sdk, { client: { client_id: 'old' } }, { authorizationCode: 'code' }),
    await signIn(sdk, { client: { client_id: 'old', issuer: `${as}/` } }),
    await signIn(sdk, { client: { client_id: 'old', issuer: 'https://other.test' } }),
    await signIn(
      sdk,
      { client: { client_id: 'old', issuer: 'https://other.test' } },
      { authorizationCode: 'code' },
    ),
    await signIn(sdk, { isFixed: true, client: { client_id: 'old', issuer: as } }),
    await signIn(sdk, {
      isFixed: true,
      client: { client_id: 'old', issuer: 'https://other.test' },
    }),
    await signIn(sdk, {
      client: { client_id: 'old', issuer: as },
      tokens: { ...tokens, refresh_token: 'r', issuer: 'https://other.test' },
    }),
    await signIn(sdk, {
      client: { client_id: 'old' },
      tokens: { access_token: 'a', token_type: 'bearer', refresh_token: 'r' },
    }),
  ])

  expect(JSON.stringify(transcript)).toContain('is not presented to https://as.test')
  expect(JSON.stringify(transcript)).not.toContain('evil.test')
})

test('a redirect of an authorization server is followed within its origin only', async () => {
  const transcript = await expectSame(async (sdk) => [
    await signIn(
      sdk,
      { client: { client_id: 'old' } },
      { authorizationCode: 'c' },
      {
        [`${as}/token`]: `${as}/other`,
        [`${as}/other`]: tokens,
      },
    ),
    await signIn(
      sdk,
      { client: { client_id: 'old' } },
      { authorizationCode: 'c' },
      {
        [`${as}/token`]: 'https://evil.test/token?secret=1',
      },
    ),
    await signIn(sdk, {}, {}, { [`${as}/register`]: 'http://as.test/register' }),
  ])

  expect(JSON.stringify(transcript)).not.toContain('"POST","https://evil.test')
})

test('redirects are judged the same', async () => {
  await expectSame(async ({ transport }) => {
    const results: unknown[] = []
    for (const status of [200, 301, 302, 303, 307, 308]) {
      for (const method of ['GET', 'POST']) {
        for (const location of [
          '/x',
          'https://a.test/y?q#f',
          'http://a.test/',
          'https://b.test/',
          'https://u:p@a.test/',
          '::',
        ]) {
          for (const url of ['http://a.test/', 'https://a.test/', 'https://a.test:8443/']) {
            const asked: unknown[] = []
            const baseFetch = async (address: string | URL, init?: RequestInit) => {
              asked.push([String(address), init?.method, init?.redirect])
              return asked.length === 1
                ? new Response(null, { status, headers: { location } })
                : new Response('end')
            }
            const response = await transport.fetchWithinOrigin(baseFetch)(url, { method })
            results.push([asked, response.status, transport.unfollowedRedirect(response, url)])
          }
        }
      }
    }
    let count = 0
    const loop = async () => {
      count++
      return new Response(null, { status: 307, headers: { location: '/again' } })
    }
    await transport.fetchWithinOrigin(loop)('https://a.test/')
    const manual = await transport.fetchWithinOrigin(loop)('https://a.test/', {
      redirect: 'manual',
    })
    return [results, count, manual.status]
  })
})

test('a token is for one resource', async () => {
  await expectSame(async ({ bearer }) => {
    const results: unknown[] = []
    for (const reported of [
      undefined,
      'https://a.test/mcp',
      'https://a.test/mcp/',
      'https://a.test/mcp#f',
      'https://a.test/mcp/more',
      'https://a.test/',
    ]) {
      const verifyAccessToken = async (token: string) => ({
        token,
        clientId: 'c',
        scopes: [],
        expiresAt: Date.now() / 1_000 + 60,
        ...(reported && { resource: new URL(reported) }),
      })
      const guard = bearer.requireBearerAuth({
        verifier: { verifyAccessToken },
        expectedResource: new URL('https://a.test/mcp'),
      })
      const said: unknown[] = [reported]
      const response = {
        set: (...given: unknown[]) => (said.push(given), response),
        status: (code: number) => (said.push(code), response),
        json: (body: unknown) => (said.push(body), response),
      }
      const request = { headers: { authorization: 'Bearer t' } }
      await guard(request as never, response as never, () => said.push('next'))
      results.push(said)
    }
    return results
  })
})

test('messages of a task are for the session that it belongs to', async () => {
  await expectSame(async ({ server: { Server }, client: { Client }, memory, types, tasks }) => {
    const store = new tasks.InMemoryTaskStore()
    const queue = new tasks.InMemoryTaskMessageQueue()
    const task = await store.createTask({ ttl: 60_000 }, 1, { method: 'a' }, 'owner')
    await queue.enqueue(task.taskId, {
      type: 'notification',
      timestamp: 0,
      message: { jsonrpc: '2.0', method: 'notifications/secret' },
    })
    const server = new Server(
      { name: 's', version: '1' },
      { capabilities: { tasks: {} }, taskStore: store, taskMessageQueue: queue },
    )
    const [clientSide, serverSide] = memory.InMemoryTransport.createLinkedPair()
    serverSide.sessionId = 'stranger'
    const received: unknown[] = []
    const client = new Client({ name: 'c', version: '1' })
    client.fallbackNotificationHandler = async ({ method }) => void received.push(method)
    await Promise.all([server.connect(serverSide), client.connect(clientSide)])
    const related = { 'io.modelcontextprotocol/related-task': { taskId: task.taskId } }
    const ask = async (method: string, params: object) => {
      const answer = await outcome(client.request({ method, params } as never, types.ResultSchema))
      return JSON.stringify(answer).replaceAll(task.taskId, 'TASK')
    }
    return [
      await ask('tasks/result', { taskId: task.taskId }),
      await ask('ping', { _meta: related }),
      await ask('no/such', { _meta: related }),
      received,
      (await queue.dequeueAll(task.taskId)).length,
    ]
  })
})

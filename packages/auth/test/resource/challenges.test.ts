import { request } from 'node:http'

import { describe, expect, test } from 'vitest'

import { parseChallenges } from '../../src/shared/challenge.ts'
import { listenProtected } from './listening-server.ts'
import { challengeOf, openProtected } from './protected-server.ts'
import { openSigningIssuer } from './signing-issuer.ts'

const metadata = 'https://notes.example.com/.well-known/oauth-protected-resource/mcp'

describe.each(['node', 'fetch'] as const)('a protected server (%s)', (entry) => {
  test('without a token answers 401, says where its metadata is and which scopes are needed [AERR-01] [AUTH-05] [AINH-04] [AINH-08] [R0326A-15] [N11-AUTH-01] [N11-AUTH-12]', async () => {
    await using server = await openProtected({ entry, protect: { scopes: ['notes:read'] } })

    const answers = await Promise.all([
      server.call('who'),
      server.ask({ method: 'GET', headers: { accept: 'text/event-stream' } }),
      server.ask({ method: 'DELETE' }),
    ])

    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401])
    for (const answer of answers) {
      expect(challengeOf(answer)).toBe(`Bearer resource_metadata="${metadata}", scope="notes:read"`)
    }
    expect(server.ran).toEqual([])
  })

  test('has its metadata where the challenge says, for whoever has no token [ADISC-03]', async () => {
    await using server = await openProtected({ entry })

    const rejected = await server.call('who')
    const [challenge] = parseChallenges(challengeOf(rejected) ?? undefined)
    const { pathname } = new URL(challenge?.parameters.get('resource_metadata') ?? '')
    const answer = await server.ask({ path: pathname })

    expect([rejected.status, answer.status]).toEqual([401, 200])
    expect(await answer.json()).toMatchObject({ authorization_servers: [server.issuer.issuer] })
  })

  test('with a bad token adds what is wrong with it [AERR-01] [ATOK-07] [ATOK-08] [AINH-08] [R0326A-15]', async () => {
    await using server = await openProtected({ entry })

    const answer = await server.call('who', { token: 'nonsense' })

    expect(answer.status).toBe(401)
    expect(challengeOf(answer)).toBe(
      `Bearer error="invalid_token", error_description="the token is not accepted: it is malformed", resource_metadata="${metadata}"`,
    )
    expect(await answer.json()).toMatchObject({ error: { data: { reason: 'unauthorized' } } })
  })

  test('with a good token works, and tells handlers who calls but not by which token [ATOK-05]', async () => {
    await using server = await openProtected({ entry })
    const token = await server.issuer.sign({ scope: 'a b' })

    const answer = await server.call('who', { token })
    const text = await answer.text()

    expect(answer.status).toBe(200)
    expect(text).toContain('notes-app')
    expect(text).not.toContain(token)
  })

  test('lacking a scope answers 403 with all scopes of the operation [AERR-02] [AINH-08] [R0326A-15] [N11-AUTH-15] [N07-AUTH-09]', async () => {
    await using server = await openProtected({ entry, protect: { scopes: ['base'] } })
    const token = await server.issuer.sign({ scope: 'base notes:read' })

    const answer = await server.call('write', { token })

    expect(answer.status).toBe(403)
    const [challenge] = parseChallenges(challengeOf(answer) ?? undefined)
    expect(Object.fromEntries(challenge?.parameters ?? [])).toMatchObject({
      error: 'insufficient_scope',
      scope: 'base notes:read notes:write',
      resource_metadata: metadata,
    })
    expect(server.ran).toEqual([])
  })

  test('refuses a malformed credential, and two of them, with 400 [AERR-03] [AINH-08] [R0326A-15]', async () => {
    await using server = await openProtected({ entry })
    const token = await server.issuer.sign()

    const answers = await Promise.all([
      server.call('who', { headers: { authorization: 'Bearer' } }),
      server.call('who', { headers: { authorization: 'Bearer a b' } }),
      server.call('who', { headers: { authorization: `Bearer ${token}, Bearer ${token}` } }),
      server.call('who', { token, path: `/mcp?access_token=${token}` }),
    ])

    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400])
    expect(challengeOf(answers[0])).toContain('error="invalid_request"')
    expect(server.ran).toEqual([])
  })

  test('does not look at a token in the query, nor at other schemes [ATOK-04]', async () => {
    await using server = await openProtected({ entry })
    const token = await server.issuer.sign()

    const answers = await Promise.all([
      server.call('who', { path: `/mcp?access_token=${token}` }),
      server.call('who', { headers: { authorization: `Basic ${token}` } }),
    ])

    expect(answers.map(({ status }) => status)).toEqual([401, 401])
    expect(answers.map(challengeOf)).toEqual([
      `Bearer resource_metadata="${metadata}"`,
      `Bearer resource_metadata="${metadata}"`,
    ])
  })

  test('answers preflights without a token', async () => {
    await using server = await openProtected({ entry })

    expect((await server.ask({ method: 'OPTIONS' })).status).toBe(204)
  })

  test('says 503, not 401, when the issuer cannot be reached, and reports why', async () => {
    await using server = await openProtected({ entry })
    const token = await server.issuer.sign()
    await server.issuer[Symbol.asyncDispose]()

    const answer = await server.call('who', { token })

    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
    expect(challengeOf(answer)).toBeNull()
    expect(server.reported).toMatchObject([{ name: 'AuthError', code: 'unreachable' }])
    expect(JSON.stringify(server.reported)).not.toContain(token)
  })
})

test('a token without the scopes of every request opens no stream and ends no session either [AERR-02]', async () => {
  await using server = await openProtected({
    protect: { scopes: ['base'] },
    http: { sessions: 'on' },
  })
  const token = await server.issuer.sign()

  const answers = await Promise.all([
    server.ask({ token, headers: { accept: 'text/event-stream' } }),
    server.ask({ token, method: 'DELETE' }),
    server.request('initialize', {}, { token }),
  ])

  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403])
  expect(answers.map(challengeOf)).toEqual(
    Array.from({ length: 3 }, () => expect.stringContaining('scope="base"')),
  )
})

test('Node is not asked which of two Authorization headers counts [AERR-03]', async () => {
  await using issuer = await openSigningIssuer()
  await using server = await listenProtected({ issuer: issuer.issuer })
  const token = await issuer.sign({ aud: server.url.href })
  const [status] = await new Promise<(number | undefined)[]>((resolve) => {
    const headers = [`Authorization`, `Bearer ${token}`, 'authorization', 'Bearer other']
    request(server.url, { method: 'POST', headers: [...headers, 'host', server.url.host] })
      .on('response', (answer) => {
        answer.resume()
        resolve([answer.statusCode])
      })
      .end('{}')
  })

  expect(status).toBe(400)
})

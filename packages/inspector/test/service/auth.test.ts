import { oauthGuard } from '@parley/auth/resource'
import { createDemoAuth } from '@parley/auth/server'
import { serveHttp } from '@parley/mcp/node'
import { createEverythingServer } from '@parley/server-everything'
import { expect, onTestFinished, test } from 'vitest'

import { findFreePort } from '../../../../test-support/free-port.ts'
import { visitAs } from '../../../../test-support/person.ts'
import { createStepUpReport } from '../../src/service/auth/step-up.ts'
import { foreignCommand, serveEverything } from './everything.ts'
import { serveNotes } from './notes-server.ts'
import { openPage } from './page-client.ts'

/** The everything server behind an authorization server of its own, and a page that knows it. */
async function openGuarded() {
  const url = new URL('/mcp', `http://127.0.0.1:${await findFreePort()}`)
  const { authServer, user, password } = await createDemoAuth({ url })
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
    await service.drain()
  })
  return { page, user, password }
}

test('signing in is shown step by step, and nothing in it could be used [AUI-01, AUI-02, AUI-04]', async () => {
  const { page, user, password } = await openGuarded()

  // Nobody is sent anywhere before they ask for it.
  await expect(page.ask('servers/connect', { name: 'guarded' })).rejects.toThrow('unauthorized')
  expect((await page.ask('state/get', {})).servers[0]?.state).toBe('unauthorized')
  const before = await page.ask('auth/get', { server: 'guarded' })
  expect(before.openUrl).toBeUndefined()
  expect(before.steps.map(({ title }) => title)).toContain('The server refuses: 401')

  const signing = page.ask('auth/sign-in', { server: 'guarded' })
  const { openUrl = '' } = await page.next('auth/changed', (view) => view.openUrl !== undefined)
  await visitAs(user, password, new URL(openUrl))
  const view = await signing

  expect(view.state).toBe('signed-in')
  expect(view.issuer).toMatch(/^http:/)
  expect(view.claims).toMatchObject({ iss: view.issuer })
  expect(view.expiresAt).toBeGreaterThan(Date.now())
  expect(view.steps.map(({ title }) => title)).toEqual(
    expect.arrayContaining([
      'The server refuses: 401',
      'Send the user to the issuer',
      'Exchange the code for a token',
    ]),
  )
  const shown = JSON.stringify([
    view,
    page.events,
    await page.ask('trace/page', { after: 0, limit: 5000 }),
  ])
  expect(shown).not.toMatch(/eyJ[\w-]+\.eyJ[\w-]+\./)
  expect(shown).not.toMatch(/"code_verifier":"[\w-]{20}/)

  const outcome = await page.ask('runs/start', {
    server: 'guarded',
    run: 'echo',
    method: 'tools/call',
    params: { name: 'echo', arguments: { message: 'signed in' } },
  })
  expect(JSON.stringify(outcome.result)).toContain('signed in')

  const out = await page.ask('auth/sign-out', { server: 'guarded' })
  expect(out.state).toBe('none')
  expect(out.claims).toBeUndefined()
  expect(out.signedOut).toEqual({ kind: 'revoked', issuer: view.issuer, status: 401 })
  expect(out.steps.slice(-3)).toMatchObject([
    { title: 'Revoke the refresh token', response: { status: 200 } },
    { title: 'Revoke the access token' },
    { title: 'Does the server still accept the old token?', response: { status: 401 } },
  ])
  expect(JSON.stringify(out)).not.toMatch(/eyJ[\w-]+\.eyJ[\w-]+\./)
  await expect(page.ask('servers/connect', { name: 'guarded' })).rejects.toThrow('unauthorized')
})

test.each(['none', 'garbage', 'expired', 'wrong-issuer', 'wrong-audience'] as const)(
  'a good server refuses a token that is: %s',
  async (kind) => {
    const { page } = await openGuarded()

    const verdict = await page.ask('auth/test', { server: 'guarded', test: kind })

    expect(verdict).toMatchObject({
      status: 401,
      ok: true,
      challenge: expect.stringContaining('Bearer'),
    })
  },
)

test('a server that takes any token is told on', async () => {
  await using everything = await serveEverything()
  await using page = await openPage({ servers: [{ name: 'open', entry: everything.entry }] })

  const none = await page.ask('auth/test', { server: 'open', test: 'none' })
  const garbage = await page.ask('auth/test', { server: 'open', test: 'garbage' })

  expect(none.verdict).toBeDefined()
  expect(garbage.ok).toBe(false)
})

test('nobody signs in at a command', async () => {
  await using page = await openPage({ servers: [{ name: 'a', entry: foreignCommand }] })

  await expect(page.ask('auth/sign-in', { server: 'a' })).rejects.toThrow('not_http')
  await expect(page.ask('auth/test', { server: 'a', test: 'none' })).rejects.toThrow('not_http')
})

/** A page that knows the notes. */
async function openNotes() {
  const { url, user, password, service } = await serveNotes()
  const page = await openPage({ servers: [{ name: 'notes', entry: { url: url.href } }] })
  onTestFinished(async () => {
    await page[Symbol.asyncDispose]()
    await service.drain({ deadlineMs: 0 })
  })

  /** Visits what the page is asked to show, each address once. */
  async function visitNext(visited: string[]): Promise<void> {
    const { openUrl = '' } = await page.next(
      'auth/changed',
      (view) => view.openUrl !== undefined && !visited.includes(view.openUrl),
    )
    visited.push(openUrl)
    await visitAs(user, password, new URL(openUrl))
  }
  return { page, visitNext }
}

test('a call with too few scopes: the challenge, what is asked for, the new token and the call again are shown', async () => {
  const { page, visitNext } = await openNotes()
  const visited: string[] = []

  const trying = page.ask('auth/step-up', {
    server: 'notes',
    tool: 'write',
    arguments: {},
    scope: 'notes:read',
  })
  await visitNext(visited) // to sign in with little
  await page.next(
    'auth/changed',
    (view) => view.openUrl !== undefined && view.openUrl !== visited[0],
  )
  await page.ask('ping', { server: 'notes' }) // others go on meanwhile
  const asking = await page.ask('auth/get', { server: 'notes' })
  expect(asking).toMatchObject({ state: 'signing-in', openUrl: expect.any(String) })
  await visitNext(visited) // to allow more
  const view = await trying

  expect(view.state).toBe('signed-in')
  expect(view.stepUp).toMatchObject({
    tool: 'write',
    isRunning: false,
    stages: [
      { stage: 'token', scopes: ['notes:read'] },
      { stage: 'challenge', verdict: 'right', scopes: ['notes:read', 'notes:write'] },
      { stage: 'consent', verdict: 'right' },
      { stage: 'grant', verdict: 'right' },
      { stage: 'call', verdict: 'right', text: expect.stringContaining('sent again') },
    ],
    outcome: { result: { content: [{ text: 'written' }] } },
  })
  const [, , consent, grant] = view.stepUp?.stages ?? []
  expect(consent?.scopes).toEqual(expect.arrayContaining(['notes:read', 'notes:write']))
  expect(grant?.scopes).toEqual(expect.arrayContaining(['notes:read', 'notes:write']))
  expect(view.steps.map(({ title }) => title)).toContain('The server refuses: 403')
  expect(JSON.stringify([view, page.events])).not.toMatch(/eyJ[\w-]+\.eyJ[\w-]+\./)
})

test('nobody is asked for more scopes in the middle of a call: the page says what is needed', async () => {
  const { page, visitNext } = await openNotes()
  const visited: string[] = []
  const signing = page.ask('auth/sign-in', { server: 'notes', scope: 'notes:read' })
  await visitNext(visited)
  await signing

  const outcome = await page.ask('runs/start', {
    server: 'notes',
    run: 'write',
    method: 'tools/call',
    params: { name: 'write', arguments: {} },
  })
  const refused = await page.ask('auth/get', { server: 'notes' })

  expect(outcome.error).toMatchObject({
    code: 'unauthorized',
    hint: 'It needs notes:read notes:write: the Auth tab asks for them.',
  })
  expect(refused).toMatchObject({ needs: ['notes:read', 'notes:write'], state: 'signed-in' })
  expect(refused.openUrl).toBeUndefined()

  const again = page.ask('auth/sign-in', { server: 'notes', scope: 'notes:read notes:write' })
  await visitNext(visited)
  expect((await again).needs).toBeUndefined()
})

test('a call that needs nothing more says so', async () => {
  const { page, visitNext } = await openNotes()

  const trying = page.ask('auth/step-up', { server: 'notes', tool: 'read', arguments: {} })
  await visitNext([])
  const { stepUp } = await trying

  expect(stepUp?.stages.map(({ stage }) => stage)).toEqual(['token', 'call'])
  expect(stepUp?.stages.at(-1)).toMatchObject({
    verdict: 'note',
    text: expect.stringContaining('fewer scopes'),
  })
})

test.each<[string, number, string | undefined, RegExp]>([
  ['401 for too few scopes', 401, 'Bearer error="insufficient_scope", scope="a"', /403/],
  ['no header', 403, undefined, /without WWW-Authenticate/],
  ['another error', 403, 'Bearer error="invalid_token"', /insufficient_scope/],
  ['no scope', 403, 'Bearer error="insufficient_scope"', /names no scope/],
])('a challenge that no client can follow is told: %s', (_, status, header, text) => {
  const report = createStepUpReport('write', ['a'], () => {})

  report.onRejection(status, header)

  expect(report.view.stages.at(-1)).toMatchObject({
    stage: 'challenge',
    verdict: 'wrong',
    text: expect.stringMatching(text),
  })
})

test('an issuer that gives less than was asked for is told', () => {
  const report = createStepUpReport('write', ['read'], () => {})

  report.onRejection(403, 'Bearer error="insufficient_scope", scope="write"')
  report.onConsent(new URL('https://issuer.example/authorize?scope=read+write'))
  report.onEnd({ run: 'a', durationMs: 1, error: { code: 'x', message: 'no' } }, ['read'])

  expect(report.view.stages.map(({ stage, verdict }) => [stage, verdict])).toEqual([
    ['token', 'note'],
    ['challenge', 'right'],
    ['consent', 'right'],
    ['grant', 'wrong'],
    ['call', 'wrong'],
  ])
})

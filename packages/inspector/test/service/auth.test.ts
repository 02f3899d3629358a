import { createServer, type AddressInfo } from 'node:net'

import { protect } from '@parley/auth/resource'
import { demoAuth } from '@parley/auth/server'
import { serveHttp } from '@parley/mcp/node'
import { createEverythingServer } from '@parley/server-everything'
import { expect, onTestFinished, test } from 'vitest'

import { visitAs } from '../../../../test-support/person.ts'
import { foreignCommand, serveEverything } from './everything.ts'
import { openPage } from './page-client.ts'

async function freePort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => listener.once('listening', resolve))
  const { port } = listener.address() as AddressInfo
  await new Promise((resolve) => listener.close(resolve))
  return port
}

/** The everything server behind an authorization server of its own, and a page that knows it. */
async function openGuarded() {
  const url = new URL('/mcp', `http://127.0.0.1:${await freePort()}`)
  const { authServer, user, password } = await demoAuth({ url })
  const service = await serveHttp(createEverythingServer(), {
    port: Number(url.port),
    path: '/mcp',
    ownProcess: false,
    url,
    auth: protect({ issuer: authServer }),
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
      'Send the person to the issuer',
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
  expect(out.steps.at(-1)).toMatchObject({
    title: 'Take the token back',
    response: { status: 200 },
  })
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

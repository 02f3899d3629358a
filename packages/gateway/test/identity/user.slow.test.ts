import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { createMemoryTokenStore, type TokenStore } from '@parley/auth/client'
import { createFileTokenStore } from '@parley/auth/node'
import { apiKeyGuard, oauthGuard } from '@parley/auth/resource'
import type { Client } from '@parley/mcp/client'
import { expect, onTestFinished, test, vi } from 'vitest'

import { findFreePort } from '../../../../test-support/free-port.ts'
import { folderWith } from '../../../../test-support/temporary-folder.ts'
import { open, startTestGateway } from '../gateway/running.ts'
import { textOf } from '../running.ts'
import { createBrowser, openIssuer, openNotes, openTap } from './world.ts'

const keys = { ada: 'key-of-ada-0123456789', bob: 'key-of-bob-0123456789' }
const auth = apiKeyGuard({ [keys.ada]: 'ada', [keys.bob]: 'bob' })
const as = (name: keyof typeof keys) => ({ headers: { 'x-api-key': keys[name] } })

/** A server that people sign in to, a gateway in front of it, and keys for two people. */
interface Started {
  readonly store?: TokenStore
  readonly seconds?: number
  /** What the gateway speaks with the server. */
  readonly era?: 'legacy' | 'modern'
}

async function start(given: Started = {}) {
  const tap = await openTap()
  const issuer = await openIssuer([tap.url], { accessTokenSeconds: given.seconds })
  const notes = await openNotes(tap, issuer.issuer)
  const store = given.store ?? createMemoryTokenStore()
  const gateway = await startTestGateway({
    auth,
    tokens: store,
    servers: {
      docs: {
        url: notes.url,
        protocolVersion: given.era,
        auth: { type: 'user', issuer: issuer.issuer },
      },
    },
  })
  onTestFinished(async () => {
    await gateway.close()
    await notes[Symbol.asyncDispose]()
    await issuer[Symbol.asyncDispose]()
    await tap[Symbol.asyncDispose]()
  })
  return { tap, issuer, notes, gateway, store }
}

const names = async (client: Client) =>
  (await client.listTools().toArray()).map(({ name }) => name).toSorted()

const linkIn = (text: string): string => /http\S+/.exec(text)?.[0] ?? ''

test('who has not signed in is told where, and then has tools of their own [N11-URL-17]', async () => {
  const { gateway, notes, tap } = await start()
  const frames: unknown[] = []
  await using ada = await open(gateway, {
    ...as('ada'),
    onMessage: (frame) => void frames.push(frame),
  })
  expect(await names(ada)).toEqual(['docs__sign_in'])

  const told = textOf(await ada.callTool('docs__sign_in'))
  const seen = await createBrowser('ada', keys.ada).visit(linkIn(told))

  expect(told).toMatch(/^the server "docs" needs you to sign in\. Open this page/)
  expect(seen).toMatchObject({ status: 200, text: expect.stringContaining('signed in to docs') })
  await vi.waitFor(async () => expect(await names(ada)).toEqual(['docs__who', 'docs__write']))
  expect(textOf(await ada.callTool('docs__who'))).toMatch(/^ada of /)
  expect(textOf(await ada.callTool('docs__sign_in'))).toContain('You are signed in to docs')
  expect(notes.calls.map(({ subject }) => subject)).toEqual(['ada'])
  expect(tap.sent()).not.toContain(keys.ada)
  const [, token = ''] = /bearer ([\w.~+/-]+)/i.exec(tap.sent()) ?? []
  expect(token).not.toBe('')
  expect(JSON.stringify(frames)).not.toContain(token)
})

test.each(['2025-11-25', '2026-07-28'] as const)(
  'a client of %s that can show links is asked to open one',
  async (protocolVersion) => {
    const { gateway } = await start()
    const browser = createBrowser('ada', keys.ada)
    const opened: string[] = []
    await using ada = await open(gateway, {
      ...as('ada'),
      protocolVersion,
      elicit(request) {
        if (request.mode !== 'url') return { action: 'decline' }
        opened.push(request.url)
        void browser.visit(request.url) // while the program goes on
        return { action: 'accept' }
      },
    })
    await names(ada)

    const result = await ada.callTool('docs__sign_in', {}, { retryAfterUrl: true })

    expect(opened).toHaveLength(1)
    expect(textOf(result)).toContain('You are signed in to docs')
  },
)

test.each([
  ['legacy', 'legacy'],
  ['modern', 'legacy'],
  ['legacy', 'modern'],
  ['modern', 'modern'],
] as const)(
  'two users have sessions and tokens of their own, whatever their ids are (%s → %s)',
  async (protocolVersion, upstream) => {
    const { gateway, notes } = await start({ era: upstream })
    await using ada = await open(gateway, { protocolVersion, ...as('ada') })
    await using bob = await open(gateway, { protocolVersion, ...as('bob') })
    for (const [client, name] of [
      [ada, 'ada'],
      [bob, 'bob'],
    ] as const) {
      await names(client)
      const told = textOf(await client.callTool('docs__sign_in'))
      await createBrowser(name, keys[name]).visit(linkIn(told))
    }
    await vi.waitFor(async () => expect(await names(bob)).toContain('docs__who'))
    await vi.waitFor(async () => expect(await names(ada)).toContain('docs__who'))

    const calls = Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? ada : bob))
    const answers = await Promise.all(calls.map((client) => client.callTool('docs__who')))

    expect(answers.map((each) => textOf(each).split(' ')[0])).toEqual(
      calls.map((client) => (client === ada ? 'ada' : 'bob')),
    )
    const sessions = new Map<string | undefined, Set<string>>()
    for (const { subject, sessionId } of notes.calls) {
      if (sessionId === undefined) continue
      sessions.set(sessionId, (sessions.get(sessionId) ?? new Set()).add(subject))
    }
    for (const subjects of sessions.values()) expect(subjects.size).toBe(1)
    expect(sessions.size).toBe(upstream === 'legacy' ? 2 : 0)
  },
)

test('a link of another is of no use: neither to sign them in, nor to be signed in by them [N11-URL-16]', async () => {
  const { gateway, store, notes } = await start()
  await using ada = await open(gateway, as('ada'))
  await names(ada)
  const link = linkIn(textOf(await ada.callTool('docs__sign_in')))

  const tricked = await createBrowser('bob', keys.bob).visit(link)
  const late = await createBrowser('ada', keys.ada).visit(link)

  expect(tricked).toMatchObject({ status: 403, text: expect.stringContaining('another person') })
  expect(late.status).toBe(410)
  expect(await names(ada)).toEqual(['docs__sign_in'])
  expect(notes.calls).toEqual([])
  expect(await store.get({ kind: 'grant', issuer: '', resource: notes.url })).toBeUndefined()
})

test('a callback counts in the browser that began, and nowhere else', async () => {
  const { gateway } = await start()
  await using ada = await open(gateway, as('ada'))
  await names(ada)
  const link = linkIn(textOf(await ada.callTool('docs__sign_in')))
  const own = createBrowser('ada', keys.ada)
  const isCallback = (url: URL) => url.pathname === '/oauth/callback'
  const { url } = await own.visit(link, isCallback)

  const foreign = await createBrowser('bob').visit(url.href)
  const other = createBrowser('bob', keys.bob)
  await using bob = await open(gateway, as('bob'))
  await names(bob)
  const linkOfBob = linkIn(textOf(await bob.callTool('docs__sign_in')))
  await other.visit(linkOfBob, isCallback) // so it has a cookie of its own
  const known = await other.visit(url.href)
  const forged = new URL(url)
  forged.searchParams.set('iss', 'https://evil.example')
  const mixed = await own.visit(forged.href)

  expect(foreign).toMatchObject({ status: 403, text: expect.stringContaining('another browser') })
  expect(known.status).toBe(403)
  expect(mixed.status).toBe(400)
  expect(await names(ada)).toEqual(['docs__sign_in'])
})

test('a token that has run out is refreshed once, however many calls need it', async () => {
  const { gateway, issuer } = await start({ seconds: 61 })
  await using ada = await open(gateway, as('ada'))
  await names(ada)
  await createBrowser('ada', keys.ada).visit(linkIn(textOf(await ada.callTool('docs__sign_in'))))
  await vi.waitFor(async () => expect(await names(ada)).toContain('docs__who'))
  await ada.callTool('docs__who')
  const before = issuer.asked.filter((each) => each === 'POST /token').length
  vi.useFakeTimers({ now: Date.now() + 57_000, toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())

  const answers = await Promise.all(Array.from({ length: 8 }, () => ada.callTool('docs__who')))

  expect(answers.every((each) => textOf(each).startsWith('ada of '))).toBe(true)
  expect(issuer.asked.filter((each) => each === 'POST /token').length - before).toBe(1)
})

test('what needs more than was agreed to says so, and asks for it', async () => {
  const { gateway } = await start()
  await using ada = await open(gateway, as('ada'))
  await names(ada)
  const browser = createBrowser('ada', keys.ada)
  await browser.visit(linkIn(textOf(await ada.callTool('docs__sign_in'))))
  await vi.waitFor(async () => expect(await names(ada)).toContain('docs__write'))

  const told = textOf(await ada.callTool('docs__write'))
  await browser.visit(linkIn(told))
  const written = textOf(await ada.callTool('docs__write'))

  expect(told).toContain('the server "docs" needs your consent to more: notes:read notes:write')
  expect(written).toBe('written')
})

test('tokens are sealed on the disk, and good after a new start', async () => {
  const folder = folderWith({})
  const store = () =>
    createFileTokenStore({ directory: join(folder, 'tokens'), passphrase: 'open sesame' })
  const { gateway, notes, issuer } = await start({ store: store() })
  await using ada = await open(gateway, as('ada'))
  await names(ada)
  await createBrowser('ada', keys.ada).visit(linkIn(textOf(await ada.callTool('docs__sign_in'))))
  await vi.waitFor(async () => expect(await names(ada)).toContain('docs__who'))
  await using again = await startTestGateway({
    auth,
    tokens: store(),
    servers: { docs: { url: notes.url, auth: { type: 'user', issuer: issuer.issuer } } },
  })
  await using later = await open(again, as('ada'))
  await using bob = await open(again, as('bob'))

  expect(await names(later)).toContain('docs__who')
  expect(textOf(await later.callTool('docs__who'))).toMatch(/^ada of /)
  expect(await names(bob)).toEqual(['docs__sign_in'])
  const written = readdirSync(join(folder, 'tokens')).map((name) =>
    readFileSync(join(folder, 'tokens', name), 'utf8'),
  )
  expect(written.length).toBeGreaterThan(1)
  expect(written.join('\n')).not.toMatch(/accessToken|refreshToken|api-key|notes/)
})

test('callers with tokens show who they are at the issuer of the gateway', async () => {
  const url = `http://127.0.0.1:${await findFreePort()}/mcp`
  await using home = await openIssuer([url], {}, 'localhost')
  await using tap = await openTap()
  await using issuer = await openIssuer([tap.url])
  await using notes = await openNotes(tap, issuer.issuer)
  await using gateway = await startTestGateway({
    port: Number(new URL(url).port),
    url,
    auth: oauthGuard({ issuer: home.issuer }),
    servers: { docs: { url: notes.url, auth: { type: 'user' } } },
  })
  const { browserAuth } = await import('@parley/auth/client')
  const person = (name: string) =>
    browserAuth({
      store: createMemoryTokenStore(),
      open: async ({ href }) => void (await createBrowser(name).visit(href)),
    })
  await using ada = await open(gateway, { auth: person('ada') })
  await using bob = await open(gateway, { auth: person('bob') })
  await names(ada)
  await names(bob)

  const link = linkIn(textOf(await ada.callTool('docs__sign_in')))
  const own = await createBrowser('ada').visit(link)
  const wrong = await createBrowser('ada').visit(
    linkIn(textOf(await bob.callTool('docs__sign_in'))),
  )

  expect(own).toMatchObject({ status: 200, text: expect.stringContaining('signed in to docs') })
  expect(wrong.status).toBe(403)
  await vi.waitFor(async () => expect(await names(ada)).toContain('docs__who'))
  expect(textOf(await ada.callTool('docs__who'))).toBe(`ada of ${issuer.issuer}`)
  expect(await names(bob)).toEqual(['docs__sign_in'])
})

test('keys are not tried at a link for long', async () => {
  const { gateway } = await start()
  await using ada = await open(gateway, as('ada'))
  await names(ada)
  const link = new URL(linkIn(textOf(await ada.callTool('docs__sign_in'))))
  const browser = createBrowser('eve')
  await browser.request(link)

  const statuses: number[] = []
  for (let at = 0; at < 6; at += 1) {
    statuses.push((await browser.request(link, { key: `guess-number-${at}-0123456789` })).status)
  }

  expect(statuses).toEqual([403, 403, 403, 403, 403, 410])
})

test('a server that is away harms nobody else, and says so', async () => {
  const { gateway, notes, tap } = await start()
  await using ada = await open(gateway, as('ada'))
  await names(ada)
  await createBrowser('ada', keys.ada).visit(linkIn(textOf(await ada.callTool('docs__sign_in'))))
  await vi.waitFor(async () => expect(await names(ada)).toContain('docs__who'))
  await notes[Symbol.asyncDispose]()
  tap.to(1)

  const result = await ada.callTool('docs__who')

  expect(result.isError).toBe(true)
  expect(textOf(result)).toMatch(/the server "docs"/)
  expect(JSON.stringify(gateway.status())).toContain('as each caller, who signs in')
})

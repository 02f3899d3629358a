import { createMemoryTokenStore, createPageSignIn } from '@parley/auth/client'
import { connect, toolOutput } from '@parley/mcp/client'
import { afterEach, expect, onTestFinished, test } from 'vitest'

import { openWorld, type World } from '../support/world.ts'

const home = 'https://app.example.com/notes?filter=mine#top'

/** A page whose address can be looked at. */
function createPage(href = home) {
  return {
    href,
    replaced: [] as string[],
    replace(to: string) {
      this.href = to
      this.replaced.push(to)
    },
  }
}

/** Goes where a person is sent, and comes back as far as to the page. */
async function visit(address: string): Promise<string> {
  const answer = await fetch(address, { redirect: 'manual' })
  return answer.headers.get('location') ?? ''
}

let opened: World | undefined
afterEach(async () => {
  await opened?.[Symbol.asyncDispose]()
  opened = undefined
})

async function start(...script: Parameters<typeof openWorld>) {
  const world = await openWorld(...script)
  opened = world
  const store = createMemoryTokenStore()
  const open = (page = createPage()) => ({ page, signIn: createPageSignIn({ store, page }) })
  return { world, store, open, url: world.server.url }
}

test('a page leaves, is loaded again at the same place, and is signed in', async () => {
  const { open, url, world } = await start()
  const before = open()
  const needed = await connect(url, { auth: before.signIn.auth }).catch((error: unknown) => error)
  expect(before.signIn.neededBy(needed)).toMatchObject({ code: 'grant_lost' })
  const address = await before.signIn.begin(url)
  expect(new URL(address).searchParams.get('redirect_uri')).toBe('https://app.example.com/notes')

  const after = open(createPage(await visit(address)))
  const completed = await after.signIn.complete()

  expect(completed).toEqual({ server: url, returnTo: home })
  expect(after.page.href).toBe(home) // no code in the address, nor in the history
  await using client = await connect(url, { auth: after.signIn.auth })
  expect(toolOutput(await client.callTool('note', {}))).toBe('noted')
  expect(world.issuer.at('/token')).toHaveLength(1)
})

test('whoever asks in the page gets the same completion, and it counts once', async () => {
  const { open, url, world } = await start()
  const address = await open().signIn.begin(url)
  const back = await visit(address)
  const one = open(createPage(back))
  const other = open(createPage(back))

  const all = await Promise.all([
    one.signIn.complete(),
    other.signIn.complete(),
    one.signIn.complete(),
  ])

  expect(all.map((done) => done?.server)).toEqual([url, url, url])
  expect(world.issuer.at('/token')).toHaveLength(1)
})

test("a callback of somebody else's is left alone", async () => {
  const { open } = await start()
  const address = 'https://app.example.com/notes?code=theirs&state=not-ours'
  const { page, signIn } = open(createPage(address))

  expect(await signIn.complete()).toBeUndefined()
  expect(page.href).toBe(address)
})

test('a no of the person, and a forged state, sign nobody in; the address is clean', async () => {
  const { open, url, world } = await start()
  const back = new URL(await visit(await open().signIn.begin(url)))
  back.searchParams.delete('code')
  back.searchParams.set('error', 'access_denied')
  const rejected = open(createPage(back.href))

  expect(await rejected.signIn.complete()).toMatchObject({ error: { code: 'access_denied' } })
  expect(rejected.page.href).toBe(home)
  expect(world.issuer.at('/token')).toEqual([])
})

test('several servers can be signed in to, in any order', async () => {
  const { open, url } = await start()
  const other = await openWorld()
  onTestFinished(() => other[Symbol.asyncDispose]())
  const { signIn } = open()
  const first = await signIn.begin(url)
  const second = await signIn.begin(other.server.url)

  for (const [address, server] of [
    [second, other.server.url],
    [first, url],
  ] as const) {
    const page = open(createPage(await visit(address)))
    expect(await page.signIn.complete()).toMatchObject({ server })
  }
})

test('a page of its own for callbacks keeps its address, without what the issuer put there', async () => {
  const { store, url } = await start()
  const page = createPage()
  const redirectUri = 'https://app.example.com/callback'
  const address = await createPageSignIn({ store, page, redirectUri }).begin(url)
  const there = createPage(`${await visit(address)}&kept=1`)

  const completed = await createPageSignIn({ store, page: there, redirectUri }).complete()

  expect(completed?.returnTo).toBe(home)
  expect(there.href).toBe('https://app.example.com/callback?kept=1')
})

test('more scopes are asked for together with the earlier ones', async () => {
  const { open, url } = await start({
    server: { scopes: (method) => (method === 'tools/call' ? ['notes:write'] : []) },
  })
  const { signIn } = open(createPage(await visit(await open().signIn.begin(url))))
  await signIn.complete()
  await using client = await connect(url, { auth: signIn.auth })
  const error = await client.callTool('note', {}).catch((caught: unknown) => caught)
  const needed = signIn.neededBy(error)

  const address = await signIn.begin(url, { scopes: needed?.scopes })

  expect(needed?.code).toBe('insufficient_scope')
  expect(new URL(address).searchParams.get('scope')?.split(' ')).toContain('notes:write')
})

test('elsewhere than in a browser it says what to use', () => {
  expect(() => createPageSignIn({ store: createMemoryTokenStore() })).toThrow(
    'needs a browser: use beginSignIn() and completeSignIn()',
  )
})

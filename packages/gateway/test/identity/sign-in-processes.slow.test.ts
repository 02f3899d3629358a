import { apiKeyGuard, oauthGuard } from '@parley/auth/resource'
import { createCluster, createMemoryClusterStore, type ClusterStore } from '@parley/cluster'
import { createRedisClusterStore } from '@parley/cluster/redis'
import { startBalancer } from '@parley/cluster/testing'
import type { Gateway, GatewayOptions } from '@parley/gateway'
import { connect, type ConnectOptions } from '@parley/mcp/client'
import { describe, expect, onTestFinished, test, vi } from 'vitest'

import { findFreePort } from '../../../../test-support/free-port.ts'
import { hasRedis, sharedRedis } from '../../../../test-support/redis-server.ts'
import { secret } from '../cluster/two-processes.ts'
import { startTestGateway } from '../gateway/running.ts'
import { textOf } from '../running.ts'
import { createBrowser, openIssuer, openNotes, openTap } from './world.ts'

const keys = { ada: 'key-of-ada-0123456789', bob: 'key-of-bob-0123456789' }
const as = (name: keyof typeof keys) => ({ headers: { 'x-api-key': keys[name] } })
const isCallback = (url: URL) => url.pathname === '/oauth/callback'
const linkIn = (text: string): string => /http\S+/.exec(text)?.[0] ?? ''

/** Two gateways that share a store, as two processes do. `only` says which of them gets new requests. */
async function start(
  options: Partial<GatewayOptions> = {},
  openStore: () => ClusterStore = shareMemory(),
  port?: number,
) {
  const tap = await openTap()
  const issuer = await openIssuer([tap.url])
  const notes = await openNotes(tap, issuer.issuer)
  const balancer = await startBalancer({ port })
  const stores = [openStore(), openStore()].map((store) =>
    createCluster(store, { secret, leaseMs: 3_000 }),
  )
  const gateways: Gateway[] = []
  for (const store of stores) {
    const gateway = await startTestGateway({
      auth: apiKeyGuard({ [keys.ada]: 'ada', [keys.bob]: 'bob' }),
      servers: { docs: { url: notes.url, auth: { type: 'user', issuer: issuer.issuer } } },
      url: new URL('/mcp', balancer.url).href,
      cluster: { store },
      ...options,
    })
    gateways.push(gateway)
  }
  onTestFinished(async () => {
    await balancer[Symbol.asyncDispose]()
    await Promise.all(gateways.map((each) => each.close({ deadlineMs: 0 })))
    await notes[Symbol.asyncDispose]()
    await issuer[Symbol.asyncDispose]()
    await tap[Symbol.asyncDispose]()
  })
  const addresses = gateways.map(({ url }) => url?.origin ?? '')
  function only(at: 0 | 1): void {
    for (const address of addresses) balancer.remove(address)
    balancer.add(addresses[at] ?? '')
  }
  only(0)
  const url = new URL('/mcp', balancer.url)
  const open = (given: ConnectOptions) =>
    connect(url, { cache: false, reconnect: false, onError: () => undefined, ...given })
  return { only, open, balancer, values: stores[0]?.values, issuer }
}

function shareMemory(now?: () => number): () => ClusterStore {
  const store = createMemoryClusterStore(now)
  return () => ({ ...store, close: async () => undefined })
}

/** A link that Ada got at the first process. */
async function linkOfAda({ open }: Awaited<ReturnType<typeof start>>): Promise<string> {
  await using ada = await open(as('ada'))
  return linkIn(textOf(await ada.callTool('docs__sign_in')))
}

describe.each([
  { name: 'memory', isInstalled: true, openStore: async () => shareMemory() },
  {
    name: 'Redis',
    isInstalled: hasRedis,
    async openStore() {
      const [url, prefix] = [await sharedRedis(), `test_${crypto.randomUUID()}:`]
      return () => createRedisClusterStore({ url, prefix })
    },
  },
])('over $name', ({ isInstalled, openStore }) => {
  test.runIf(isInstalled).each([
    [0, 1],
    [1, 0],
  ] as const)(
    'a call that waits at one process goes on when its caller opens the link at process %i and comes back to %i',
    async (opensAt, comesBackTo) => {
      const { only, open, balancer } = await start({}, await openStore())
      const browser = createBrowser('ada', keys.ada)
      let seen: Promise<{ readonly status: number; readonly text: string }> | undefined
      async function signIn(link: string) {
        const { passed } = balancer.counts
        await vi.waitFor(() => expect(balancer.counts.passed).toBeGreaterThan(passed)) // the call, which comes again
        only(opensAt)
        const { url } = await browser.visit(link, isCallback)
        only(comesBackTo)
        return browser.visit(url.href)
      }
      await using ada = await open({
        ...as('ada'),
        protocolVersion: '2026-07-28',
        elicit(request) {
          if (request.mode !== 'url') return { action: 'decline' }
          seen = signIn(request.url)
          return { action: 'accept' }
        },
      })
      await ada.listTools().toArray()

      const result = await ada.callTool('docs__sign_in', {}, { retryAfterUrl: true })

      expect(textOf(result)).toContain('You are signed in to docs')
      expect(await seen).toMatchObject({ status: 200, text: expect.stringContaining('signed in') })
      only(1)
      expect(textOf(await ada.callTool('docs__who'))).toMatch(/^ada of /)
    },
  )
})

test('a link leads to the issuer once, and comes back once, at whichever process', async () => {
  const started = await start()
  const link = new URL(await linkOfAda(started))
  const browser = createBrowser('ada', keys.ada)
  await browser.request(link)

  const opened = [
    browser.request(link, { key: keys.ada }),
    (started.only(1), browser.request(link, { key: keys.ada })),
  ]
  const answers = await Promise.all(opened)
  const [first] = answers.filter(({ status }) => status === 303)
  const { url } = await browser.visit(first?.headers.get('location') ?? '', isCallback)
  const back = await browser.visit(url.href)
  started.only(0)
  const again = await browser.visit(url.href)
  const late = await browser.visit(link.href)

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303, 410]))
  expect([back.status, again.status, late.status]).toEqual([200, 410, 410])
})

test('a link of another is refused at every process, and is over at all of them', async () => {
  const started = await start()
  const link = await linkOfAda(started)

  started.only(1)
  const tricked = await createBrowser('bob', keys.bob).visit(link)
  started.only(0)
  const late = await createBrowser('ada', keys.ada).visit(link)

  expect(tricked).toMatchObject({ status: 403, text: expect.stringContaining('another person') })
  expect(late.status).toBe(410)
})

test('a link belongs to the browser that opened it first, and so does what comes back', async () => {
  const started = await start()
  const link = await linkOfAda(started)
  const own = createBrowser('ada', keys.ada)
  await own.request(new URL(link))

  started.only(1)
  const other = await createBrowser('ada', keys.ada).visit(link)
  const { url } = await own.visit(link, isCallback)
  started.only(0)
  const foreign = await createBrowser('ada', keys.ada).visit(url.href)

  expect([other.status, foreign.status]).toEqual([403, 403])
})

test('forged and expired links are refused, and what others wrote into the store is not believed', async () => {
  let ms = 0
  const started = await start(
    {},
    shareMemory(() => performance.now() + ms),
  )
  const link = await linkOfAda(started)
  const forged = new URL(link)
  forged.searchParams.set('ticket', 'A'.repeat(32))
  const planted = new URL(link)
  planted.searchParams.set('ticket', 'B'.repeat(32))
  const ticket = JSON.stringify({ account: '["","bob"]', upstream: 'docs', scopes: [] })
  const name = await digest('B'.repeat(32))
  await started.values?.set('gateway-sign-in-ticket', name, ticket, 600_000)
  const copied = new URL(link)
  copied.searchParams.set('ticket', 'C'.repeat(32))
  const record = await started.values?.get(
    'gateway-sign-in-ticket',
    await digest(new URL(link).searchParams.get('ticket') ?? ''),
  )
  await started.values?.set('gateway-sign-in-ticket', await digest('C'.repeat(32)), record, 600_000)
  started.only(1)
  const browser = createBrowser('ada', keys.ada)

  const good = await browser.request(new URL(link))
  const statuses: number[] = []
  for (const url of [forged, planted, copied]) statuses.push((await browser.request(url)).status)
  ms = 600_001
  const expired = await browser.request(new URL(link))

  expect(record).toEqual(expect.any(String))
  expect(good.status).toBe(200)
  expect(statuses).toEqual([410, 410, 410])
  expect(expired.status).toBe(410)
})

test('keys tried at several processes are counted together', async () => {
  const started = await start()
  const link = new URL(await linkOfAda(started))
  const browser = createBrowser('eve')
  await browser.request(link)

  const statuses: number[] = []
  for (let at = 0; at < 6; at += 1) {
    started.only(at % 2 === 0 ? 0 : 1)
    statuses.push((await browser.request(link, { key: `guess-number-${at}-0123456789` })).status)
  }

  expect(statuses).toEqual([403, 403, 403, 403, 403, 410])
})

test('who proves at the issuer of the gateway who they are may come back to another process', async () => {
  const port = await findFreePort()
  await using home = await openIssuer([`http://127.0.0.1:${port}/mcp`], {}, 'localhost')
  const auth = oauthGuard({ issuer: home.issuer })
  const { only, open } = await start({ auth }, shareMemory(), port)
  const { browserAuth, createMemoryTokenStore } = await import('@parley/auth/client')
  const person = browserAuth({
    store: createMemoryTokenStore(),
    open: async ({ href }) => void (await createBrowser('ada').visit(href)),
  })
  await using ada = await open({ auth: person })
  const link = linkIn(textOf(await ada.callTool('docs__sign_in')))
  const browser = createBrowser('ada')

  const { url: proof } = await browser.visit(link, ({ pathname }) => pathname === '/oauth/proof')
  only(1)
  const { url } = await browser.visit(proof.href, isCallback)
  only(0)
  const seen = await browser.visit(url.href)

  expect(seen).toMatchObject({ status: 200, text: expect.stringContaining('signed in to docs') })
  only(1)
  expect(textOf(await ada.callTool('docs__who'))).toMatch(/^ada of /)
})

async function digest(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Buffer.from(bytes).toString('base64url')
}

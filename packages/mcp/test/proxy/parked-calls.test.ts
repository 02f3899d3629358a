import type { AuthInfo } from '@parley/mcp'
import { createProxy, type ProxyOptions } from '@parley/mcp/proxy'
import { createTransportPair, createVirtualClock } from '@parley/mcp/testing'
import { expect, test } from 'vitest'

import { untilIdle } from '../../src/testing/virtual-clock.ts'
import { openStandaloneClient, type StandaloneClient } from '../support/modern-client.ts'
import { resolveAll, roundOf } from '../support/rounds-driver.ts'
import { createBehind, type Behind } from './server-behind.ts'

interface Opened extends Behind {
  open(auth?: AuthInfo): StandaloneClient
}

/** Hand-written clients of 2026-07-28 in front of a server with sessions. */
function openParked(options: ProxyOptions = {}): Opened {
  const behind = createBehind()
  const proxy = createProxy(behind.server, {
    protocolVersion: 'legacy',
    onError: () => undefined,
    ...options,
  })
  return {
    ...behind,
    open(auth) {
      const [near, far] = createTransportPair()
      proxy['~serve'](far, { auth, clock: options.clock })
      return openStandaloneClient(near)
    },
  }
}

const canAsk = { capabilities: { elicitation: {} } }
const accepted = (): object => ({ action: 'accept', content: { city: 'Oslo' } })

test('a question of the server parks the call, and the retry goes on with it', async () => {
  const client = openParked().open()

  const asked = roundOf(await client.request('tools/call', { name: 'ask-twice' }, canAsk))
  const again = roundOf(
    await client.request(
      'tools/call',
      { name: 'ask-twice', ...resolveAll(asked, accepted) },
      canAsk,
    ),
  )
  const last = await client.request(
    'tools/call',
    { name: 'ask-twice', ...resolveAll(again, accepted) },
    canAsk,
  )

  expect(Object.values(asked.inputRequests)).toMatchObject([
    { method: 'elicitation/create', params: { message: 'From?' } },
  ])
  expect(Object.values(again.inputRequests)).toMatchObject([{ params: { message: 'To?' } }])
  expect(last.result).toMatchObject({ resultType: 'complete' })
  expect(JSON.stringify(last.result)).toContain('Oslo')
})

test('a handle opens for its own call, caller and arguments only, and once', async () => {
  const opened = openParked()
  const [one, two] = [opened.open(person('one')), opened.open(person('two'))]
  const asked = roundOf(await one.request('tools/call', { name: 'ask' }, canAsk))
  const answered = resolveAll(asked, accepted)

  const stolen = await two.request('tools/call', { name: 'ask', ...answered }, canAsk)
  const moved = await one.request('tools/call', { name: 'ask-twice', ...answered }, canAsk)
  const forged = await one.request(
    'tools/call',
    { name: 'ask', ...answered, requestState: `${asked.requestState.slice(0, -2)}AA` },
    canAsk,
  )
  const right = await one.request('tools/call', { name: 'ask', ...answered }, canAsk)
  const twice = await one.request('tools/call', { name: 'ask', ...answered }, canAsk)

  for (const { error } of [stolen, moved, forged, twice]) {
    expect(error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('requestState was refused'),
    })
  }
  expect(JSON.stringify(right.result)).toContain('Oslo')
})

test('an answer that is missing is asked for again', async () => {
  const client = openParked().open()
  const asked = roundOf(await client.request('tools/call', { name: 'ask' }, canAsk))

  const again = client.request(
    'tools/call',
    { name: 'ask', requestState: asked.requestState, inputResponses: {} },
    canAsk,
  )

  expect(roundOf(await again).inputRequests).toEqual(asked.inputRequests)
})

test('calls that wait are bounded for each caller and in all, and others go on', async () => {
  const opened = openParked({ parked: { perCaller: 2, total: 3 }, maxConnections: 10 })
  const [one, two] = [opened.open(person('one')), opened.open(person('two'))]
  const ask = (client: StandaloneClient) => client.request('tools/call', { name: 'ask' }, canAsk)

  for (const client of [one, one, two]) roundOf(await ask(client))
  const [third, fourth] = [await ask(one), await ask(two)]

  expect(JSON.stringify(third.result)).toContain('parked.perCaller (2)')
  expect(JSON.stringify(fourth.result)).toContain('parked.total (3)')
  const echoed = await one.request('tools/call', { name: 'echo', arguments: { text: 'on' } })
  expect(JSON.stringify(echoed.result)).toContain('on')
})

test('a client that does not come back is waited for no longer than it may take', async () => {
  const clock = createVirtualClock()
  const opened = openParked({ clock, parked: { ms: 60_000 } })
  const client = opened.open()
  const pending = client.request('tools/call', { name: 'ask' }, canAsk)
  await passed(clock, 10)
  const asked = roundOf(await pending)

  await passed(clock, 61_000)
  const late = client.request('tools/call', { name: 'ask', ...resolveAll(asked, accepted) }, canAsk)

  expect((await late).error).toMatchObject({
    message: expect.stringContaining('the call has ended meanwhile'),
  })
})

test('a client that cannot be asked is not asked', async () => {
  const client = openParked().open()

  const { result } = await client.request('tools/call', { name: 'ask' })

  expect(result).toMatchObject({ resultType: 'complete', isError: true })
})

async function passed(clock: ReturnType<typeof createVirtualClock>, ms: number): Promise<void> {
  await untilIdle()
  await clock.advance(ms)
  await untilIdle()
}

function person(subject: string): AuthInfo {
  return {
    issuer: 'https://id.example',
    subject,
    clientId: 'client',
    scopes: new Set(),
    audience: [],
    expiresAt: Infinity,
    claims: {},
  }
}

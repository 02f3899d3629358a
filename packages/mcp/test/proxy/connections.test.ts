import type { AuthInfo } from '@parley/mcp'
import { connect } from '@parley/mcp/client'
import { createProxy, type Proxy } from '@parley/mcp/proxy'
import { createTransportPair, createVirtualClock } from '@parley/mcp/testing'
import { expect, test } from 'vitest'

import { openStandaloneClient, type StandaloneClient } from '../support/modern-client.ts'
import { createBehind } from './server-behind.ts'

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

async function openFor(proxy: Proxy, auth: AuthInfo): Promise<AsyncDisposable> {
  const [near, far] = createTransportPair()
  proxy['~serve'](far, { auth })
  return connect(near, { protocolVersion: 'legacy', onError: () => undefined })
}

function openStandalone(
  proxy: Proxy,
  clock?: ReturnType<typeof createVirtualClock>,
): StandaloneClient {
  const [near, far] = createTransportPair()
  proxy['~serve'](far, { clock })
  return openStandaloneClient(near)
}

test('with per-user all sessions of a user share a connection, and nobody else', async () => {
  await using proxy = createProxy(createBehind().server, {
    protocolVersion: 'legacy',
    mode: 'per-user',
  })

  const opened = [await openFor(proxy, person('ada')), await openFor(proxy, person('ada'))]
  expect(proxy.connections).toBe(1)

  opened.push(await openFor(proxy, person('bob')))
  expect(proxy.connections).toBe(2)
  for (const client of opened) await client[Symbol.asyncDispose]()
})

test('a connection that nobody uses is closed, and the next request opens another', async () => {
  const clock = createVirtualClock()
  await using proxy = createProxy(createBehind().server, {
    protocolVersion: 'legacy',
    clock,
    idleMs: 60_000,
  })
  const client = openStandalone(proxy, clock)

  await client.request('tools/list')
  expect(proxy.connections).toBe(1)

  await clock.advance(200_000)
  await expect.poll(() => proxy.connections).toBe(0)
  expect((await client.request('tools/list')).result).toBeDefined()
  expect(proxy.connections).toBe(1)
})

test('an old connection is replaced as soon as no call uses it', async () => {
  const clock = createVirtualClock()
  const behind = createBehind()
  await using proxy = createProxy(behind.server, {
    protocolVersion: 'legacy',
    clock,
    idleMs: 10_000_000,
    maxMs: 100_000,
    timeouts: { idleMs: Infinity, totalMs: Infinity },
  })
  const client = openStandalone(proxy, clock)
  const waiting = client.request('tools/call', { name: 'wait' })
  await expect.poll(() => proxy.connections).toBe(1)

  await clock.advance(300_000)
  expect(proxy.connections).toBe(1)

  behind.release()
  expect((await waiting).result).toMatchObject({ content: [{ text: 'waited' }] })
  await clock.advance(100_000)
  await expect.poll(() => proxy.connections).toBe(0)
})

test('a client that can be asked has a connection to itself while a call runs', async () => {
  const behind = createBehind()
  await using proxy = createProxy(behind.server, { protocolVersion: 'legacy' })
  const client = openStandalone(proxy)
  const canAsk = { capabilities: { elicitation: {} } }

  const calls = [1, 2, 3].map(() => client.request('tools/call', { name: 'wait' }, canAsk))
  await expect.poll(() => proxy.connections).toBe(3)
  const plain = [1, 2, 3].map(() => client.request('tools/call', { name: 'wait' }))
  behind.release()
  await Promise.all([...calls, ...plain])
  for (const _ of [1, 2, 3]) await client.request('tools/call', { name: 'echo' }, canAsk)

  expect(proxy.connections).toBe(4) // one for all that cannot be asked
})

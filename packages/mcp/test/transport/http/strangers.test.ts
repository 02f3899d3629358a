import type { HttpOptions } from '@parley/mcp/http'
import { createVirtualClock, testAuth } from '@parley/mcp/testing'
import { describe, expect, test, vi } from 'vitest'

import { createCallers } from '../../../src/transport/http/admitted-request.ts'
import { describeEntries, initialize, openEndpoint } from '../../support/http-endpoint.ts'
import { openStandaloneEndpoint } from '../../support/modern-http.ts'
import { createSampleServer } from '../../support/sample-server.ts'

/** Behind a proxy of this machine, so that a test can have many addresses. */
const proxied: HttpOptions = { trustedProxies: ['127.0.0.1'] }
const from = (address: string) => ({ headers: { 'x-forwarded-for': `10.9.9.9, ${address}` } })
const [ada, bob] = [from('192.0.2.1'), from('192.0.2.2')]
const asked = { notifications: { toolsListChanged: true } }

describe('one address', () => {
  test('with all its calls waiting shuts nobody else out', async () => {
    const { server, calls, release } = createSampleServer()
    await using endpoint = await openStandaloneEndpoint('node', server, {
      ...proxied,
      limits: { inFlight: 2 },
    })
    const hang = { name: 'hang' }
    const waiting = [1, 2].map((id) => endpoint.ask2026('tools/call', hang, { ...ada, id }))
    await vi.waitFor(() => expect(calls.hang).toBe(2))

    const third = await endpoint.ask2026('tools/call', hang, ada)
    const other = await endpoint.ask2026('tools/call', { name: 'count' }, bob)
    release()
    await Promise.all(waiting)
    const later = await endpoint.ask2026('tools/call', hang, ada)

    expect([third.status, other.status, later.status]).toEqual([429, 200, 200])
  })

  test('has no more calls by having more sessions', async () => {
    const { server, calls, release } = createSampleServer()
    await using endpoint = await openEndpoint('node', server, {
      ...proxied,
      limits: { inFlight: 2 },
    })
    const sessions = await Promise.all([1, 2, 3].map(() => endpoint.open(ada)))
    const waiting = sessions
      .slice(0, 2)
      .map((session) => endpoint.call('hang', { session, ...ada }))
    await vi.waitFor(() => expect(calls.hang).toBe(2))

    const third = await endpoint.call('count', { session: sessions[2], ...ada })
    const other = await endpoint.call('count', { session: await endpoint.open(bob), ...bob })
    release()
    await Promise.all(waiting)
    const later = await endpoint.call('count', { session: sessions[2], ...ada })

    expect([third.status, other.status, later.status]).toEqual([429, 200, 200])
  })

  test('makes room for its own sessions: the one unused for longest ends', async () => {
    const clock = createVirtualClock()
    await using endpoint = await openEndpoint('node', createSampleServer().server, {
      ...proxied,
      clock,
      maxSessions: { total: 10, perPrincipal: 10, perAddress: 2 },
    })
    const open = async (who: typeof ada) => {
      await clock.advance(1_000)
      return endpoint.open(who)
    }
    const other = await open(bob)
    const [first, second] = [await open(ada), await open(ada)]
    await clock.advance(1_000)
    await endpoint.call('count', { session: first, ...ada })

    const third = await open(ada)
    const statuses: number[] = []
    for (const session of [first, second, third, other]) {
      statuses.push((await endpoint.call('count', { session })).status)
    }

    expect(statuses).toEqual([200, 404, 200, 200])
  })

  test('is refused when it uses all of its sessions', async () => {
    await using endpoint = await openEndpoint('node', createSampleServer().server, {
      ...proxied,
      maxSessions: { total: 10, perPrincipal: 10, perAddress: 1 },
    })
    await endpoint.listen(await endpoint.open(ada))

    const [again, other] = await Promise.all(
      [ada, bob].map((who) => endpoint.post(initialize(), who)),
    )

    expect([again?.status, other?.status]).toEqual([429, 200])
  })

  test('may listen so often, in either way', async () => {
    await using endpoint = await openStandaloneEndpoint('node', createSampleServer().server, {
      ...proxied,
      legacySse: true,
      maxSessions: 10, // a tenth for one
    })
    const listen = async (who: typeof ada) =>
      (await endpoint.send('subscriptions/listen', asked, who)).status
    const listenAsOld = async ({ headers }: typeof ada) => {
      const all = { accept: 'text/event-stream', ...headers }
      return (await endpoint.ask({ path: '/mcp/sse', headers: all })).status
    }

    expect([await listen(ada), await listen(ada), await listen(bob)]).toEqual([200, 429, 200])
    expect([await listenAsOld(ada), await listenAsOld(ada), await listenAsOld(bob)]).toEqual([
      200, 429, 200,
    ])
  })
})

describeEntries('strangers together', (entry) => {
  test('fill what there is, and a new one takes the place of who is idle', async () => {
    const clock = createVirtualClock()
    await using endpoint = await openEndpoint(entry, createSampleServer().server, {
      clock,
      maxSessions: 2,
    })
    const listening = await endpoint.open()
    await endpoint.listen(listening)
    const idle = await endpoint.open()

    const third = await endpoint.open()
    const statuses = await Promise.all(
      [listening, idle, third].map(
        async (session) => (await endpoint.call('count', { session })).status,
      ),
    )

    expect(statuses).toEqual([200, 404, 200])
  })

  test('are refused when all that there is is in use', async () => {
    await using endpoint = await openEndpoint(entry, createSampleServer().server, {
      maxSessions: 1,
    })
    await endpoint.listen(await endpoint.open())

    expect((await endpoint.post(initialize())).status).toBe(503)
  })
})

test('take no place of a caller that was verified', async () => {
  const auth = testAuth({})
  await using endpoint = await openEndpoint('fetch', createSampleServer().server, {
    maxSessions: 1,
    auth: {
      authenticate: ({ header }) => ({
        kind: 'allow',
        ...(header('authorization') !== undefined && { auth }),
      }),
    },
  })
  await endpoint.open({ headers: { authorization: 'x' } })

  expect((await endpoint.post(initialize())).status).toBe(503)
})

test.each([
  [undefined, ''],
  ['127.0.0.1', ''],
  ['::ffff:127.0.0.1', ''],
  ['::1', ''],
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::6', '2001:db8:1:2::/64'],
  ['2001:db8::6', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('an address of %s counts for %j', (address, quotaKey) => {
  const received = { header: () => undefined, remoteAddress: address }

  expect(createCallers({ resource: undefined }).callerOf(received).quotaKey).toBe(quotaKey)
})

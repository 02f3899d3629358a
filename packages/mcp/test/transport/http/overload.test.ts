import { createVirtualClock } from '@parley/mcp/testing'
import { expect, onTestFinished, test, vi } from 'vitest'

import { initialize, openEndpoint, ping } from '../../support/http-endpoint.ts'
import { createSampleServer } from '../../support/sample-server.ts'

/** An endpoint whose event loop can be made late, and where whoever may be refused is. */
async function openLate(maxLateMs?: number) {
  const clock = createVirtualClock()
  let behindMs = 0
  const late = { ...clock, now: () => clock.now() + behindMs }
  vi.spyOn(Math, 'random').mockReturnValue(0)
  onTestFinished(() => void vi.restoreAllMocks())
  const { server, release } = createSampleServer()
  const endpoint = await openEndpoint('node', server, { clock: late, maxLateMs })
  onTestFinished(() => endpoint[Symbol.asyncDispose]())
  onTestFinished(release)
  return {
    endpoint,
    /** Each turn of the loop takes so long. */
    async turns(count: number, ms: number) {
      for (let turn = 0; turn < count; turn += 1) {
        behindMs += ms
        await clock.advance(20)
      }
    },
    listen: (session: string) =>
      endpoint.ask({ headers: { accept: 'text/event-stream', 'mcp-session-id': session } }),
  }
}

test('a server that is late refuses new sessions and streams first, then further calls, then all calls', async () => {
  const { endpoint, turns, listen } = await openLate(50)
  const [busy, idle] = [await endpoint.open(), await endpoint.open()]
  endpoint.call('hang', { session: busy }).catch(() => undefined) // it ends with the endpoint
  await vi.waitFor(() => expect(endpoint.service.health().inFlight).toBe(1))
  const outcomes = async () => [
    (await endpoint.post(initialize())).status,
    (await listen(idle)).status,
    (await endpoint.call('count', { session: busy, id: 2 })).status,
    (await endpoint.call('count', { session: idle, id: 3 })).status,
  ]

  await turns(5, 100)
  const early = await outcomes()
  await turns(10, 100)
  const later = await outcomes()
  const refused = await endpoint.post(initialize())
  const { error } = (await refused.json()) as { readonly error: object }

  expect(early).toEqual([503, 503, 503, 200])
  expect(later).toEqual([503, 503, 503, 503])
  expect(refused.headers.get('retry-after')).toBe('1')
  expect(error).toMatchObject({
    message: expect.stringMatching(
      /^the server has more work than it can do: it is \d+ ms behind, and maxLateMs allows 50/,
    ),
    data: { reason: 'overloaded', limit: 'maxLateMs', retryAfterMs: 1_000 },
  })
  expect(endpoint.service.health()).toMatchObject({ ready: true, refused: 8 })
})

test('what ends work is taken however late it is, and everything once it is over', async () => {
  const { endpoint, turns } = await openLate(50)
  const [busy, other] = [await endpoint.open(), await endpoint.open()]
  endpoint.call('hang', { session: busy }).catch(() => undefined) // it ends with the endpoint
  await vi.waitFor(() => expect(endpoint.service.health().inFlight).toBe(1))
  await turns(20, 100)

  const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }
  const statuses = [
    (await endpoint.post(cancel, { session: busy })).status,
    (await endpoint.ask({ method: 'DELETE', headers: { 'mcp-session-id': other } })).status,
  ]
  await turns(150, 0)

  expect(statuses).toEqual([202, 204])
  expect((await endpoint.post(initialize())).status).toBe(200)
  expect(endpoint.service.health().lateMs).toBeLessThan(1)
})

test('one long turn refuses nobody, and without the option nothing is measured', async () => {
  const once = await openLate(50)
  const session = await once.endpoint.open()
  await once.endpoint.post(ping(1), { session })
  await once.turns(1, 5_000)
  await once.turns(3, 0)
  const after = await once.endpoint.post(initialize())
  const plain = await openLate()
  await plain.turns(20, 100)

  expect(after.status).toBe(200)
  expect((await plain.endpoint.post(initialize())).status).toBe(200)
  expect(plain.endpoint.service.health()).not.toHaveProperty('lateMs')
})

import { expect, test, vi } from 'vitest'

import { openCluster } from '../../support/http-cluster.ts'
import { eventsOf, messagesOf } from '../../support/http-endpoint.ts'

const meta = { progressToken: 'p' }
const replay = { events: 20, bytes: 1_000_000, keepMs: 60_000 }

test.each(['near', 'far'] as const)(
  'who keeps up at another process misses no progress, however much there is (a store that is %s)',
  async (distance) => {
    await using cluster = await openCluster(distance, { replay })
    const { a, b, clock, servers } = cluster
    const steps: (() => void)[] = []
    servers.a.server.tool('march', {}, async (_, context) => {
      for (let progress = 1; progress <= 60; progress += 1) {
        await new Promise<void>((resolve) => steps.push(resolve))
        await context.progress({ progress })
      }
      return 'arrived'
    })
    async function walk(count: number) {
      for (let taken = 0; taken < count; taken += 1) {
        await vi.waitFor(() => expect(steps).toHaveLength(1))
        steps.shift()?.()
      }
    }
    const session = await a.open()
    const cut = new AbortController()
    const calling = a.call('march', { session, meta, signal: cut.signal })
    await walk(1)
    const first = await eventsOf(await calling).next()
    cut.abort()
    await vi.waitFor(() => expect(a.service.health().streams).toBe(0))

    const resumed = await b.listen(session, { headers: { 'last-event-id': first?.id ?? '' } })
    let isOver = false
    const rest = resumed.rest().finally(() => (isOver = true))
    const pass = async () => {
      await clock.advance(3_000)
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    for (let walked = 1; walked < 60; walked += 1) {
      await walk(1)
      if (walked % 4 === 0) {
        await pass()
        await vi.waitFor(() => expect(resumed.seen.length).toBeGreaterThanOrEqual(walked - 4))
      }
    }
    while (!isOver) await pass()

    const seen = messagesOf(await rest).map(({ params, id }) => params?.['progress'] ?? id)
    expect(seen).toEqual([...Array.from({ length: 59 }, (_, index) => index + 2), 1])
  },
)

import type { HttpGuard } from '@parley/mcp/http'
import { testAuth } from '@parley/mcp/testing'
import { test } from 'vitest'

import { describeEntries, eventsOf, initialize, openEndpoint } from '../../support/http-endpoint.ts'
import { openStandaloneEndpoint } from '../../support/modern-http.ts'
import { createSampleServer } from '../../support/sample-server.ts'

/** A token is the number of milliseconds its caller may stay. */
const guard: HttpGuard = {
  authenticate({ header }) {
    const stayMs = Number(header('authorization'))
    return { kind: 'allow', auth: testAuth({ expiresAt: Date.now() + stayMs }) }
  },
}
const forMs = (ms: number) => ({ headers: { authorization: String(ms) } })
const long = forMs(60_000)

// At the same time: each waits for what it was given to be over.
describeEntries('when an authorization expires', (entry) => {
  test.concurrent('a stream ends with a hint, and goes on for a fresh credential without a gap', async ({
    expect,
  }) => {
    const { server } = createSampleServer()
    await using endpoint = await openEndpoint(entry, server, { auth: guard })
    const session = await endpoint.open(long)

    const events = await endpoint.listen(session, forMs(50))
    const rest = await events.rest()
    server.tool('new', {}, () => 'x')
    const { id = '' } = events.seen[0] ?? {}
    const again = await endpoint.listen(session, {
      headers: { ...long.headers, 'last-event-id': id },
    })

    expect(rest).toEqual([{ retry: '1000' }])
    expect(await again.message()).toMatchObject({ method: 'notifications/tools/list_changed' })
  })

  test.concurrent('a resumed stream ends too, and not at the time of the one before', async ({
    expect,
  }) => {
    const { server } = createSampleServer()
    await using endpoint = await openEndpoint(entry, server, { auth: guard })
    const session = await endpoint.open(long)
    const first = await endpoint.listen(session, forMs(2_000))
    await endpoint.listen(session, forMs(50)).then((events) => events.rest())
    server.tool('new', {}, () => 'x')
    const { id = '' } = (await first.next()) ?? {}

    const second = await endpoint.listen(session, {
      headers: { ...forMs(3_000).headers, 'last-event-id': id },
    })
    const firstRest = await first.rest() // closed by who resumed it
    server.tool('newer', {}, () => 'x')

    expect(firstRest).toEqual([])
    expect(await second.message()).toMatchObject({ method: 'notifications/tools/list_changed' })
    expect(await second.rest()).toEqual([{ retry: '1000' }])
  })

  test.concurrent('the stream of a call goes on to its answer', async ({ expect }) => {
    const { server, release } = createSampleServer()
    await using endpoint = await openEndpoint(entry, server, { auth: guard, keepAliveMs: 20 })
    const session = await endpoint.open(long)

    const { response } = await endpoint
      .call('hang', { session, ...forMs(30) })
      .then((answer) => eventsOf(answer))
    await new Promise((resolve) => setTimeout(resolve, 60)) // until the token has expired
    release()

    expect(await response.text()).toContain('"result"')
  })

  test.concurrent('who listens without a session is told that it is over', async ({ expect }) => {
    const { server } = createSampleServer()
    await using endpoint = await openStandaloneEndpoint(entry, server, { auth: guard })
    const asked = { notifications: { toolsListChanged: true } }

    const early = await endpoint.ask2026('subscriptions/listen', asked, forMs(0))
    const { before, ...answer } = await endpoint.ask2026(
      'subscriptions/listen',
      asked,
      forMs(2_000),
    )

    expect(early).toMatchObject({ id: 1 })
    expect(before).toMatchObject([{ method: 'notifications/subscriptions/acknowledged' }])
    expect(answer).toMatchObject({ id: 1, result: {} })
  })

  test.concurrent('HTTP+SSE ends, but lasts for as long as newer credentials come', async ({
    expect,
  }) => {
    const { server } = createSampleServer()
    await using endpoint = await openEndpoint(entry, server, { auth: guard, legacySse: true })
    const open = async () =>
      eventsOf(
        await endpoint.ask({
          path: '/mcp/sse',
          headers: { accept: 'text/event-stream', ...forMs(2_000).headers },
        }),
      )
    const [left, kept] = await Promise.all([open(), open()])
    const { data: path = '' } = (await kept.next()) ?? {}
    await endpoint.post(initialize(), { path, ...long })

    await left.rest()
    await endpoint.post({ jsonrpc: '2.0', id: 2, method: 'ping' }, { path, ...long })

    expect(await kept.message()).toMatchObject({ id: 0 })
    expect(await kept.message()).toMatchObject({ id: 2 })
  })
})

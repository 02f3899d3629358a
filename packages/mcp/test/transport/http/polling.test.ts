import { connect } from '@parley/mcp/client'
import { createMcpHandler, type HttpOptions } from '@parley/mcp/http'
import { createVirtualClock } from '@parley/mcp/testing'
import { expect, test, vi } from 'vitest'

import {
  describeEntries,
  eventsOf,
  messagesOf,
  openEndpoint,
  type Endpoint,
  type Entry,
} from '../../support/http-endpoint.ts'
import { createSampleServer } from '../../support/sample-server.ts'

const revision = '2025-11-25'
const meta = { progressToken: 'p' }

/** Tools that let go of their caller, and go on when they are told to. */
function createLongServer() {
  const sample = createSampleServer()
  const { server } = sample
  const waiting: (() => void)[] = []
  const pause = () => new Promise<void>((resolve) => waiting.push(resolve))
  server.tool('long', {}, async (_, context) => {
    context.signal.addEventListener('abort', () => sample.aborted.push(context.signal.reason))
    context.suspendStream({ retryMs: 250 })
    await pause()
    await context.progress({ progress: 1 })
    return 'done'
  })
  server.tool('twice', {}, async (_, context) => {
    for (let progress = 1; progress <= 2; progress += 1) {
      await context.progress({ progress })
      context.suspendStream()
      await pause()
    }
    return 'done'
  })
  server.tool('eager', {}, async (_, context) => {
    context.suspendStream()
    await pause()
    context.suspendStream() // nobody is there
    await pause()
    await context.progress({ progress: 1 })
    await pause()
    return 'done'
  })
  server.tool('talk', {}, async (_, context) => {
    await context.progress({ progress: 1 })
    await pause()
    return 'done'
  })
  async function paused(): Promise<void> {
    await vi.waitFor(() => expect(waiting.length).toBeGreaterThan(0))
  }
  async function goOn(): Promise<void> {
    await paused()
    waiting.shift()?.()
  }
  return { ...sample, paused, goOn }
}

async function setUp(entry: Entry, options: HttpOptions = {}) {
  const clock = createVirtualClock()
  const long = createLongServer()
  const endpoint = await openEndpoint(entry, long.server, { clock, ...options })
  return { ...long, endpoint, clock, [Symbol.asyncDispose]: endpoint[Symbol.asyncDispose] }
}

const resume = (endpoint: Endpoint, session: string, id = '') =>
  endpoint.listen(session, { headers: { 'last-event-id': id } })

describeEntries('a stream of 2025-11-25', (entry) => {
  test('opens with an event that has an id and no data, whatever opened it [N11-HTTP-02]', async () => {
    await using long = await setUp(entry)
    const { endpoint } = long
    const session = await endpoint.open({ revision })

    const calling = endpoint.call('talk', { session, meta })
    await long.goOn()
    const called = eventsOf(await calling)
    const listening = await endpoint.listen(session)
    await called.rest()
    await endpoint.ask({ method: 'DELETE', headers: { 'mcp-session-id': session } })
    await listening.rest()

    for (const { seen } of [called, listening]) {
      expect(seen[0]).toEqual({ id: expect.stringMatching(/^[a-z0-9]+_0$/), data: '' })
    }
  })

  test('of an older revision opens with an id alone, which is no event there', async () => {
    await using long = await setUp(entry)
    const { endpoint } = long
    const session = await endpoint.open({ revision: '2025-06-18' })

    const calling = endpoint.call('talk', { session, meta })
    await long.goOn()
    const events = eventsOf(await calling)
    await events.rest()

    expect(events.seen[0]).toEqual({ id: expect.stringMatching(/_0$/) })
  })

  test('is let go by its handler, and resumed by GET for the result [N11-HTTP-03] [N11-HTTP-04] [N11-HTTP-06]', async () => {
    await using long = await setUp(entry)
    const { endpoint } = long
    const session = await endpoint.open({ revision })

    const events = eventsOf(await endpoint.call('long', { session, meta }))
    const rest = await events.rest()
    expect(endpoint.service.health()).toMatchObject({ streams: 0, inFlight: 1 })
    const resumed = await resume(endpoint, session, events.seen[0]?.id)
    await long.goOn()

    expect(rest).toEqual([{ retry: '250' }])
    expect(messagesOf(await resumed.rest())).toMatchObject([
      { method: 'notifications/progress' },
      { id: 1, result: { content: [{ text: 'done' }] } },
    ])
    expect(long.aborted).toEqual([])
  })

  test('can be let go again and again; what was said meanwhile comes once [N11-HTTP-03] [HRES-04]', async () => {
    await using long = await setUp(entry)
    const { endpoint } = long
    const session = await endpoint.open({ revision })

    const first = await eventsOf(await endpoint.call('twice', { session, meta })).rest()
    const again = await resume(endpoint, session, first[0]?.id)
    await long.goOn()
    const second = await again.rest()
    await long.goOn()
    const third = await (await resume(endpoint, session, second[0]?.id)).rest()

    const progress = messagesOf([...first, ...second, ...third]).map(
      ({ params, id }) => params?.['progress'] ?? id,
    )
    expect(progress).toEqual([1, 2, 1])
    expect(first.at(-1)).toEqual({ retry: '1000' })
  })

  test('that is let go while nobody reads it keeps who comes later', async () => {
    await using long = await setUp(entry)
    const { endpoint } = long
    const session = await endpoint.open({ revision })
    const events = eventsOf(await endpoint.call('eager', { session, meta }))
    await events.rest()
    await long.goOn()
    await long.paused()

    const resumed = await resume(endpoint, session, events.seen[0]?.id)
    await long.goOn()
    const told = await resumed.message()
    await long.goOn()

    expect(told).toMatchObject({ params: { progress: 1 } })
    expect(messagesOf(await resumed.rest())).toMatchObject([{ id: 1, result: {} }])
  })

  test('that was resumed brings its own events and no others [N11-HTTP-07]', async () => {
    await using long = await setUp(entry)
    const { endpoint } = long
    const session = await endpoint.open({ revision })
    const calls = await Promise.all(
      ['a', 'b'].map(async (id) => eventsOf(await endpoint.call('long', { session, id, meta }))),
    )
    await Promise.all(calls.map((events) => events.rest()))
    await long.goOn()
    await long.goOn()

    const answers = await Promise.all(
      calls.map(async ({ seen }) => (await resume(endpoint, session, seen[0]?.id)).rest()),
    )

    expect(answers.map((events) => messagesOf(events).at(-1)?.id)).toEqual(['a', 'b'])
    expect(answers.map((events) => events.length)).toEqual([2, 2])
  })

  test('is over once its answer was sent: who comes again gets nothing [N11-HTTP-09]', async () => {
    await using long = await setUp(entry)
    const { endpoint } = long
    const session = await endpoint.open({ revision })
    const calling = endpoint.call('talk', { session, meta })
    await long.goOn()
    const all = await eventsOf(await calling).rest()

    const again = await resume(endpoint, session, all.at(-1)?.id)

    expect(await again.rest()).toEqual([])
  })

  test('ends with its session, also while nobody reads it [N11-HTTP-10]', async () => {
    await using long = await setUp(entry, { sessionIdleMs: 60_000, sessionMaxMs: 120_000 })
    const { endpoint, clock } = long
    const session = await endpoint.open({ revision })
    const events = eventsOf(await endpoint.call('long', { session, meta }))
    await events.rest()

    await clock.advance(140_000)

    expect(long.aborted).toMatchObject([{ details: { by: 'session' } }])
    const headers = {
      accept: 'text/event-stream',
      'mcp-session-id': session,
      'last-event-id': events.seen[0]?.id ?? '',
    }
    expect((await endpoint.ask({ headers })).status).toBe(404)
  })

  test('that nobody comes back for ends its call after detachedMs', async () => {
    await using long = await setUp(entry, { detachedMs: 10_000 })
    const { endpoint, clock } = long
    const session = await endpoint.open({ revision })
    await eventsOf(await endpoint.call('long', { session, meta })).rest()

    await clock.advance(20_000)

    expect(long.aborted).toMatchObject([{ details: { by: 'caller' } }])
  })

  test.each([
    ['of an older revision', '2025-06-18', {}],
    ['of which nothing is kept', revision, { replay: false }],
    ['without a session', revision, { sessions: 'off' }],
  ] as const)('%s is not let go', async (_, spoken, options) => {
    await using long = await setUp(entry, options)
    const { endpoint } = long
    const hasSession = !('sessions' in options)
    const session = hasSession ? await endpoint.open({ revision: spoken }) : undefined
    const headers = { 'mcp-protocol-version': spoken }

    const calling = endpoint.call('long', { session, meta, headers })
    await long.goOn()

    const messages = messagesOf(await eventsOf(await calling).rest())
    expect(messages.at(-1)).toMatchObject({ id: 1, result: {} })
  })

  test('is let go after pollMs, as are those that listen and resume; older ones stay [N11-HTTP-04] [N11-HTTP-08]', async () => {
    await using long = await setUp(entry, { pollMs: 5_000 })
    const { endpoint, clock, server } = long
    const session = await endpoint.open({ revision })
    const older = await endpoint.open({ revision: '2025-06-18' })
    const stays = await endpoint.listen(older)
    const listening = await endpoint.listen(session)
    const called = eventsOf(await endpoint.call('talk', { session, meta }))
    const told = await called.next()

    await clock.advance(5_000)
    const ends = [await called.rest(), await listening.rest()]
    const again = await resume(endpoint, session, told?.id)
    await clock.advance(5_000)
    const afterAgain = await again.rest()
    server.tool('new', {}, () => 'x')
    await clock.advance(100)
    const received = await resume(endpoint, session, listening.seen[0]?.id)
    await long.goOn()
    const answer = await (await resume(endpoint, session, told?.id)).rest()

    expect(ends).toEqual([[{ retry: '1000' }], [{ retry: '1000' }]])
    expect(afterAgain).toEqual([{ retry: '1000' }])
    expect(await received.message()).toMatchObject({ method: 'notifications/tools/list_changed' })
    expect(messagesOf(answer)).toMatchObject([{ id: 1, result: {} }])
    expect(await stays.message()).toMatchObject({ method: 'notifications/tools/list_changed' })
  })
})

test.each([{}, { pollMs: 20 }])(
  'our client comes back for the result of long work, %o',
  async (options) => {
    const { server, goOn } = createLongServer()
    const handler = createMcpHandler(server, options)
    await using client = await connect('http://localhost/mcp', {
      protocolVersion: revision,
      fetch: (input, init) => handler.fetch(new Request(input, init)),
    })
    const seen: number[] = []

    const calling = client.callTool(
      'twice',
      {},
      { onProgress: ({ progress }) => seen.push(progress) },
    )
    await goOn()
    await goOn()

    expect(await calling).toMatchObject({ content: [{ text: 'done' }] })
    expect(seen).toEqual([1, 2])
    await handler.drain()
  },
)

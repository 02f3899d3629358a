import { expect, test, vi } from 'vitest'

import { openCluster } from '../../support/http-cluster.ts'
import { eventsOf, initialize, messagesOf, ping } from '../../support/http-endpoint.ts'

const meta = { progressToken: 'p' }
const turns = async (count = 20) => {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

test.each(['before', 'after'] as const)(
  'a running stream outlives an outage: each event once, none before it is in the log (lost %s)',
  async (lost) => {
    await using cluster = await openCluster('far')
    const { a, step, faults, clock } = cluster
    const session = await a.open()
    const calling = a.call('walk', { session, meta })
    await step()
    const events = eventsOf(await calling)
    const first = await events.next()
    faults.isDown = lost

    await step(4)
    await vi.waitFor(() => expect(a.service.health().inFlight).toBe(0))
    await clock.advance(500)
    await turns()
    const seen = events.seen.length
    faults.isDown = false
    await clock.advance(2_000)
    const rest = await events.rest()

    expect(seen).toBe(2)
    expect(messagesOf(rest).map(({ params, id }) => params?.['progress'] ?? id)).toEqual([
      2, 3, 4, 5, 1,
    ])
    const numbers = [first, ...rest].map((event) => event?.id?.split('_')[1])
    expect(numbers).toEqual(['1', '2', '3', '4', '5', '6'])
  },
)

test('while the store is away calls go on and sessions open, changes and resuming wait: 503 and when to come back', async () => {
  await using cluster = await openCluster('far')
  const { a, b, step, faults, clock } = cluster
  const session = await a.open()
  const calling = a.call('walk', { session, meta })
  await step(5)
  const [first] = await eventsOf(await calling).rest()
  await clock.advance(10_000)
  await turns()
  faults.isDown = 'before'
  const setLevel = { jsonrpc: '2.0', id: 7, method: 'logging/setLevel', params: { level: 'error' } }
  const resume = { accept: 'text/event-stream', 'last-event-id': first?.id ?? '' }
  const named = { 'mcp-session-id': session }

  const calls = [
    await a.call('who', { session }),
    await b.call('who', { session }),
    await a.post(initialize()),
  ]
  const rejected = [
    await a.post(setLevel, { session }),
    await a.ask({ headers: { ...resume, ...named } }),
    await a.ask({ method: 'DELETE', headers: named }),
  ]
  faults.isDown = false
  const later = await b.post(ping(1), { session })

  expect(calls.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(rejected.map(({ status }) => status)).toEqual([503, 503, 503])
  expect(rejected.map(({ headers }) => headers.get('retry-after'))).toEqual(['1', '1', '1'])
  expect(await rejected[0]?.json()).toMatchObject({
    id: 7,
    error: { data: { reason: 'overloaded' } },
  })
  expect(later.status).toBe(200)
})

test.each([
  {
    steps: 1,
    last: { id: 1, error: { message: expect.stringContaining('the store is unreachable') } },
  },
  { steps: 5, last: { id: 1, result: { content: [{ type: 'text', text: 'arrived' }] } } },
])(
  'a stream that begins while the store takes nothing brings what there is, and ends, after $steps steps of the call',
  async ({ steps, last }) => {
    await using cluster = await openCluster('far')
    const { a, step, faults, clock } = cluster
    const session = await a.open()
    faults.isDown = 'before'

    const calling = a.call('walk', { session, meta })
    await step(steps)
    await turns()
    await clock.advance(2_000)
    const messages = messagesOf(await eventsOf(await calling).rest())

    expect(messages.map(({ params }) => params?.['progress'])).toEqual([
      ...Array.from({ length: Math.min(steps, 5) }, (_, at) => at + 1),
      undefined,
    ])
    expect(messages.at(-1)).toMatchObject(last)
  },
)

test('who sends more than may wait for the store has to wait, and goes on when it is back', async () => {
  await using cluster = await openCluster('far')
  const { a, faults, clock, servers } = cluster
  let sent = 0
  servers.a.server.tool('flood', {}, async (_, context) => {
    for (let progress = 1; progress <= 20; progress += 1) {
      await context.progress({ progress, message: 'x'.repeat(100_000) })
      sent = progress
      await new Promise((resolve) => setImmediate(resolve))
    }
    return 'over'
  })
  const session = await a.open()
  await (await a.call('who', { session })).text()
  faults.isDown = 'before'

  const calling = a.call('flood', { session, meta })
  await vi.waitFor(() => expect(sent).toBeGreaterThan(8))
  await turns(50)
  const whileDown = sent
  faults.isDown = false
  const events = eventsOf(await calling)
  const ticking = (async () => {
    for (let tick = 0; tick < 40; tick += 1) {
      await clock.advance(1_000)
      await turns(2)
    }
  })()
  const messages = messagesOf(await events.rest())
  await ticking

  expect(whileDown).toBeLessThan(13)
  expect(messages.at(-1)).toMatchObject({ id: 1, result: {} })
  expect(messages[0]?.params?.['progress']).toBe(1)
})

test('a stream of which too much waits is given up when the store stays away, and ends elsewhere too', async () => {
  await using cluster = await openCluster('far')
  const { a, b, faults, clock, servers } = cluster
  servers.a.server.tool('flood', {}, async (_, context) => {
    context.signal.addEventListener('abort', () => servers.a.aborted.push(context.signal.reason))
    for (let progress = 1; !context.signal.aborted; progress += 1) {
      await context.progress({ progress, message: 'x'.repeat(100_000) })
      await new Promise((resolve) => setImmediate(resolve))
    }
    return 'over'
  })
  const session = await a.open()
  const events = eventsOf(await a.call('flood', { session, meta }))
  const first = await events.next()
  faults.isDown = 'before'

  let isOver = false
  const received = events.rest().finally(() => (isOver = true))
  while (!isOver) {
    await clock.advance(1_000)
    await turns(5)
  }
  const aborted = [...servers.a.aborted]
  faults.isDown = false
  await clock.advance(2_000)
  await turns()
  const resumed = await b.listen(session, { headers: { 'last-event-id': first?.id ?? '' } })
  const last = [messagesOf(await received).at(-1), messagesOf(await resumed.rest()).at(-1)]

  const message = 'what is sent for this request could not be kept: the store is unreachable'
  expect(last).toMatchObject([
    { id: 1, error: { message, data: { reason: 'node_lost' } } },
    { id: 1, error: { message, data: { reason: 'node_lost' } } },
  ])
  expect(aborted).toMatchObject([{ details: { by: 'fenced' } }])
})

test('a reader is let go when the log cannot be read, and told when to come back', async () => {
  await using cluster = await openCluster('far')
  const { a, b, step, faults, clock } = cluster
  const session = await a.open()
  const calling = a.call('walk', { session, meta })
  await step()
  const first = await eventsOf(await calling).next()
  const resumed = await b.listen(session, { headers: { 'last-event-id': first?.id ?? '' } })
  await turns()
  faults.isDown = 'before'

  await clock.advance(3_000)
  const rest = await resumed.rest()

  expect(rest).toEqual([{ retry: '1000' }])
})

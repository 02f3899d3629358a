import { createVirtualClock } from '@parley/mcp/testing'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'

import { tries } from '../../../../../test-support/thorough.ts'
import { describeEntries, eventsOf, messagesOf, openEndpoint } from '../../support/http-endpoint.ts'
import { createSampleServer } from '../../support/sample-server.ts'

/** A tool that reports a step each time it is told to, and ends when told so. */
function createStepServer() {
  const { server } = createSampleServer()
  const steps: (() => void)[] = []
  server.tool('walk', {}, async (_, context) => {
    for (let progress = 1; progress <= 5; progress += 1) {
      await new Promise<void>((resolve) => steps.push(resolve))
      await context.progress({ progress })
    }
    return 'arrived'
  })
  async function step(count = 1): Promise<void> {
    for (let taken = 0; taken < count; taken += 1) {
      await vi.waitFor(() => expect(steps.length).toBeGreaterThan(0))
      steps.shift()?.()
    }
  }
  return { server, step }
}

const meta = { progressToken: 'p' }

describeEntries('a stream that was cut', (entry) => {
  test('goes on where it was: what was missed comes once, then the rest [HRES-01] [HRES-04] [HPOST-14] [HPOST-15] [HPOST-17]', async () => {
    const { server, step } = createStepServer()
    await using endpoint = await openEndpoint(entry, server)
    const session = await endpoint.open()
    const cut = new AbortController()
    const calling = endpoint.call('walk', { session, meta, signal: cut.signal })
    await step(2)
    const events = eventsOf(await calling)
    const [first] = [await events.next(), await events.next()]
    cut.abort()
    await step(2)

    const resumed = await endpoint.listen(session, {
      headers: { 'last-event-id': first?.id ?? '' },
    })
    await step()

    const messages = messagesOf(await resumed.rest())
    expect(messages.map(({ params, id }) => params?.['progress'] ?? id)).toEqual([2, 3, 4, 5, 1])
  })

  test('can be resumed before its first event, and after its last', async () => {
    const { server, step } = createStepServer()
    await using endpoint = await openEndpoint(entry, server)
    const session = await endpoint.open()
    const calling = endpoint.call('walk', { session, meta })
    await step(5)
    const events = eventsOf(await calling)
    const all = await events.rest()
    const position = events.seen[0]?.id ?? ''
    const resume = async (id = '') =>
      (await endpoint.listen(session, { headers: { 'last-event-id': id } })).rest()

    expect(position).toMatch(/_0$/)
    expect(await resume(position)).toEqual(all)
    expect(await resume(all.at(-1)?.id)).toEqual([])
  })

  test('is resumed alone: other streams of the session stay out [HRES-02] [HRES-05] [HRES-06]', async () => {
    const { server, step } = createStepServer()
    await using endpoint = await openEndpoint(entry, server)
    const session = await endpoint.open()
    const calls = ['a', 'b'].map((id) => endpoint.call('walk', { session, id, meta }))
    await step(10)
    const [ofA = [], ofB = []] = await Promise.all(
      calls.map(async (call) => eventsOf(await call).rest()),
    )

    const headers = { 'last-event-id': ofA[0]?.id ?? '' }
    const resumed = await (await endpoint.listen(session, { headers })).rest()

    expect(resumed).toEqual(ofA.slice(1))
    expect(new Set([...ofA, ...ofB].map(({ id }) => id)).size).toBe(12)
  })

  test('of a listener brings what happened meanwhile, once [HRES-04] [HMULTI-03]', async () => {
    const clock = createVirtualClock()
    const { server } = createSampleServer()
    await using endpoint = await openEndpoint(entry, server, { clock })
    const session = await endpoint.open()
    const cut = new AbortController()
    const events = await endpoint.listen(session, { signal: cut.signal })
    server.tool('one', {}, () => '1')
    await clock.advance(100)
    const first = await events.next()
    cut.abort()
    await vi.waitFor(() => expect(endpoint.service.health().streams).toBe(0))
    server.prompt('two', {}, () => '2')
    await clock.advance(100)

    const headers = { 'last-event-id': first?.id ?? '' }
    const resumed = await endpoint.listen(session, { headers })
    await endpoint.ask({ method: 'DELETE', headers: { 'mcp-session-id': session } })

    expect(messagesOf(await resumed.rest()).map(({ method }) => method)).toEqual([
      'notifications/prompts/list_changed',
    ])
  })

  test('is not resumed by an id of another session, of the future, or by garbage [SEC-09]', async () => {
    const { server, step } = createStepServer()
    await using endpoint = await openEndpoint(entry, server)
    const [mine, other] = [await endpoint.open(), await endpoint.open()]
    const calling = endpoint.call('walk', { session: mine, meta })
    await step(5)
    const [first] = await eventsOf(await calling).rest()
    const stream = first?.id?.split('_')[0] ?? ''
    const statusOf = async (session: string, id: string) => {
      const headers = {
        accept: 'text/event-stream',
        'mcp-session-id': session,
        'last-event-id': id,
      }
      return (await endpoint.ask({ headers })).status
    }

    expect(await statusOf(other, first?.id ?? '')).toBe(400)
    for (const id of [
      `${stream}_7`,
      `${stream}_999999999999999`,
      `${stream}_01`,
      `${stream}_-1`,
      stream,
    ]) {
      expect(await statusOf(mine, id)).toBe(400)
    }
    for (const id of [
      '',
      '__proto__',
      '_1',
      '1_1',
      'x'.repeat(4_000),
      'a b',
      '☃'.normalize('NFD').slice(1),
    ]) {
      expect(await statusOf(mine, id)).toBe(400)
    }
  })

  test('is not resumed by any text that is no id of its session', async () => {
    await using endpoint = await openEndpoint(entry, createSampleServer().server)
    const session = await endpoint.open()

    await fc.assert(
      fc.asyncProperty(fc.stringMatching(/^[\x21-\x7e]{1,60}$/), async (id) => {
        const headers = {
          accept: 'text/event-stream',
          'mcp-session-id': session,
          'last-event-id': id,
        }
        expect((await endpoint.ask({ headers })).status).toBe(400)
      }),
      { numRuns: tries(50) },
    )
  })

  test('is not resumed from what is no longer kept', async () => {
    const { server, step } = createStepServer()
    const clock = createVirtualClock()
    const replay = { events: 3, bytes: 1_000_000, keepMs: 60_000 }
    await using endpoint = await openEndpoint(entry, server, { replay, clock })
    const session = await endpoint.open()
    const calling = endpoint.call('walk', { session, meta })
    await step(5)
    const all = await eventsOf(await calling).rest()
    const statusOf = async (index: number) => {
      const headers = { accept: 'text/event-stream', 'mcp-session-id': session }
      const id = all[index]?.id ?? ''
      return (await endpoint.ask({ headers: { ...headers, 'last-event-id': id } })).status
    }

    expect([await statusOf(1), await statusOf(2)]).toEqual([400, 200])
    await clock.advance(80_000)
    expect(await statusOf(5)).toBe(400)
  })

  test('has no ids where nothing is kept, and its call goes on', async () => {
    const { server, step } = createStepServer()
    await using endpoint = await openEndpoint(entry, server, { replay: false })
    const session = await endpoint.open()
    const calling = endpoint.call('walk', { session, meta })
    await step(5)

    const events = await eventsOf(await calling).rest()

    expect(events.map(({ id }) => id)).toEqual(Array.from({ length: 6 }, () => undefined))
  })
})

describeEntries('a caller that has gone', (entry) => {
  test('has not cancelled: the work is done, and ends after detachedMs at the latest [HPOST-15]', async () => {
    const clock = createVirtualClock()
    const { server, aborted, calls } = createSampleServer()
    await using endpoint = await openEndpoint(entry, server, { clock, detachedMs: 10_000 })
    const session = await endpoint.open()
    const cut = new AbortController()
    const calling = endpoint.call('hang', { session, signal: cut.signal }).catch(() => undefined)
    await vi.waitFor(() => expect(calls.hang).toBe(1))
    cut.abort()
    await calling
    await vi.waitFor(() => expect(clock.pending).toBeGreaterThan(1))

    await clock.advance(9_999)
    expect(aborted).toEqual([])
    await clock.advance(20_000)

    expect(aborted).toMatchObject([{ details: { by: 'caller' } }])
  })

  test('and comes back in time keeps its call', async () => {
    const clock = createVirtualClock()
    const { server, step } = createStepServer()
    await using endpoint = await openEndpoint(entry, server, { clock, detachedMs: 10_000 })
    const session = await endpoint.open()
    const cut = new AbortController()
    const calling = endpoint.call('walk', { session, meta, signal: cut.signal })
    await step()
    const first = await eventsOf(await calling).next()
    cut.abort()
    await vi.waitFor(() => expect(endpoint.service.health().streams).toBe(0))
    await clock.advance(5_000)

    const headers = { 'last-event-id': first?.id ?? '' }
    const resumed = await endpoint.listen(session, { headers })
    await clock.advance(60_000)
    await step(4)

    expect(messagesOf(await resumed.rest()).at(-1)).toMatchObject({ id: 1, result: {} })
  })
})

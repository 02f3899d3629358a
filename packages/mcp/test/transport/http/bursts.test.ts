import type { ErrorReport } from '@parley/mcp'
import type { HttpOptions } from '@parley/mcp/http'
import { createVirtualClock } from '@parley/mcp/testing'
import { expect, test, vi } from 'vitest'

import {
  describeEntries,
  eventsOf,
  messagesOf,
  openEndpoint,
  type Entry,
} from '../../support/http-endpoint.ts'
import type { Raw } from '../../support/raw-channel.ts'
import { createSampleServer } from '../../support/sample-server.ts'

/** A tool that logs so many messages of a size in one turn, then returns. */
async function setUp(
  entry: Entry,
  { count, size, ...options }: HttpOptions & { count: number; size: number },
) {
  const { server } = createSampleServer()
  const reports: ErrorReport[] = []
  let finish = (): void => undefined
  const finished = new Promise<void>((resolve) => (finish = resolve))
  server.tool('burst', {}, async (_, context) => {
    for (let number = 0; number < count; number += 1) {
      context.log('info', `${number} ${'x'.repeat(size)}`)
    }
    return 'over'
  })
  server.tool('gone', {}, async (_, context) => {
    context.log('info', 'first')
    await finished
    for (let progress = 1; progress <= count; progress += 1) {
      context.log('info', `${progress} ${'x'.repeat(size)}`)
    }
    return 'over'
  })
  const onError = (_: unknown, report: ErrorReport) => void reports.push(report)
  const clock = createVirtualClock()
  const endpoint = await openEndpoint(entry, server, { onError, clock, ...options })
  return { endpoint, reports, finish, [Symbol.asyncDispose]: endpoint[Symbol.asyncDispose] }
}

const numbersOf = (messages: readonly Raw[]) =>
  messages.slice(0, -1).map(({ params }) => Number(String(params?.['data']).split(' ', 1)[0]))
const first = (count: number) => Array.from({ length: count }, (_, number) => number)

describeEntries('a burst of log messages', (entry) => {
  test('is no slow reader: all that the rate allows arrive, in order, before the result', async () => {
    await using burst = await setUp(entry, { count: 1_000, size: 2_048 })
    const session = await burst.endpoint.open()

    const response = await burst.endpoint.call('burst', { session })
    const messages = messagesOf(await eventsOf(response).rest())

    expect(numbersOf(messages)).toEqual(first(1_000))
    expect(messages.at(-1)).toMatchObject({ id: 1, result: {} })
    expect(burst.reports).toEqual([])
  })

  test('beyond the rate is cut, and that is reported once', async () => {
    await using burst = await setUp(entry, { count: 1_500, size: 10 })
    const session = await burst.endpoint.open()

    const response = await burst.endpoint.call('burst', { session })
    const messages = messagesOf(await eventsOf(response).rest())

    expect(numbersOf(messages)).toEqual(first(1_000))
    expect(burst.reports).toHaveLength(1)
  })

  test('beyond what the log can hold is cut; the result still comes', async () => {
    const replay = { events: 1_000, bytes: 2_000_000, keepMs: 60_000 }
    await using burst = await setUp(entry, { count: 1_000, size: 20_000, replay })
    const session = await burst.endpoint.open()

    const response = await burst.endpoint.call('burst', { session })
    const messages = messagesOf(await eventsOf(response).rest())

    const numbers = numbersOf(messages)
    expect(numbers).toEqual(first(numbers.length))
    expect(numbers.length).toBeGreaterThan(80)
    expect(numbers.length).toBeLessThan(200)
    expect(messages.at(-1)).toMatchObject({ id: 1, result: {} })
  })

  test('without a log is kept as far as limits.bufferedBytes allows', async () => {
    await using burst = await setUp(entry, { count: 1_000, size: 2_048, sessions: 'off' })

    const response = await burst.endpoint.call('burst')
    const messages = messagesOf(await eventsOf(response).rest())

    const numbers = numbersOf(messages)
    expect(numbers).toEqual(first(numbers.length))
    expect(numbers.length).toBeGreaterThan(450) // 1 MiB
    expect(messages.at(-1)).toMatchObject({ id: 1, result: {} })
  })

  test('while nobody reads leaves room for the result, and a place to resume from [HRES-04]', async () => {
    const replay = { events: 100, bytes: 1_000_000, keepMs: 60_000 }
    await using burst = await setUp(entry, { count: 500, size: 10, replay })
    const { endpoint } = burst
    const session = await endpoint.open()
    const cut = new AbortController()
    const calling = endpoint.call('gone', { session, signal: cut.signal })
    const event = await eventsOf(await calling).next()
    cut.abort()
    await vi.waitFor(() => expect(endpoint.service.health().streams).toBe(0))
    burst.finish()
    await vi.waitFor(() => expect(endpoint.service.health().inFlight).toBe(0))

    const resumed = await endpoint.listen(session, {
      headers: { 'last-event-id': event?.id ?? '' },
    })
    const messages = messagesOf(await resumed.rest())

    expect(numbersOf(messages)).toEqual(first(91).slice(1))
    expect(messages.at(-1)).toMatchObject({ id: 1, result: {} })
  })
})

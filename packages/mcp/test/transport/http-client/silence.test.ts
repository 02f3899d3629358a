import { connect, type ClientStatus } from '@parley/mcp/client'
import { createVirtualClock } from '@parley/mcp/testing'
import { expect, test } from 'vitest'

import { untilIdle } from '../../../src/testing/virtual-clock.ts'
import { watchSilence } from '../../../src/transport/http-client/streams/silence.ts'
import { openStandalone } from './modern-requests.ts'
import { result, serverInfo } from './scripted-server.ts'

const url = 'http://scripted.example/mcp'

function startWatch() {
  const clock = createVirtualClock()
  const seen = { givenUp: 0 }
  const watch = watchSilence(clock, () => (seen.givenUp += 1))
  return { clock, seen, watch }
}

test('a stream with comments is given up after a minute of silence, and not before', async () => {
  const { clock, seen, watch } = startWatch()
  watch.received()
  for (let comment = 0; comment < 20; comment += 1) {
    await clock.advance(14_000)
    watch.received()
    watch.comment()
  }

  await clock.advance(59_999)
  expect(seen.givenUp).toBe(0)
  await clock.advance(1)
  expect(seen.givenUp).toBe(1)
})

test('a server that comments seldom is waited for four times as long as it ever paused', async () => {
  const { clock, seen, watch } = startWatch()
  for (const pauseMs of [0, 40_000, 5_000]) {
    await clock.advance(pauseMs)
    watch.received()
    watch.comment()
  }

  await clock.advance(159_999)
  expect(seen.givenUp).toBe(0)
  await clock.advance(1)
  expect(seen.givenUp).toBe(1)
})

test('a server that never comments, or only to begin with, may be silent for ever', async () => {
  const { clock, seen, watch } = startWatch()
  watch.received()
  watch.comment()
  await clock.advance(5_000)
  watch.received()

  await clock.advance(24 * 3_600_000)

  expect(seen.givenUp).toBe(0)
})

test('who does not read hears nothing, and that is no silence', async () => {
  const { clock, seen, watch } = startWatch()
  let resume = (): void => {}
  watch.received()
  watch.received()
  watch.comment()
  watch.hold(new Promise((resolve) => (resume = resolve)))

  await clock.advance(3_600_000)
  resume()
  await untilIdle()
  await clock.advance(59_999)
  expect(seen.givenUp).toBe(0)
  await clock.advance(60_000)
  expect(seen.givenUp).toBe(1)
})

test('a stream that has ended is watched no more', async () => {
  const { clock, watch } = startWatch()
  watch.received()
  watch.received()
  watch.comment()

  watch.end()

  expect(clock.pending).toBe(0)
})

interface Line {
  write(text: string): void
  readonly isClosed: boolean
  readonly lastEventId: string | null
}

/** A server in this process: each request that asks for a stream gets one, which stays open. */
function createStreaming() {
  const lines: Line[] = []
  const fetch = async (_: unknown, init: RequestInit = {}): Promise<Response> => {
    const { method, body, headers, signal } = init
    if (method === 'DELETE') return new Response(null, { status: 405 })
    const message = JSON.parse(typeof body === 'string' ? body : '{}') as {
      id?: number
      method?: string
    } // ours
    if (method === 'GET' || message.method === 'subscriptions/listen') {
      const lastEventId = new Headers(headers).get('last-event-id')
      return new Response(openLine(lastEventId, signal), { headers: eventStream })
    }
    if (message.id === undefined) return new Response(null, { status: 202 })
    return new Response(JSON.stringify(result(message.id, serverInfo)), { headers: json })
  }

  function openLine(lastEventId: string | null, signal?: AbortSignal | null): ReadableStream {
    return new ReadableStream({
      start(controller) {
        let isClosed = false
        const encoder = new TextEncoder()
        lines.push({
          write: (text) => controller.enqueue(encoder.encode(text)),
          get isClosed() {
            return isClosed
          },
          lastEventId,
        })
        signal?.addEventListener('abort', () => {
          isClosed = true
          controller.error(signal.reason)
        })
      },
    })
  }
  return { fetch, lines }
}

const eventStream = { 'content-type': 'text/event-stream' }
const json = { 'content-type': 'application/json', 'mcp-session-id': 's' }

test('a stream of changes that has gone dead is noticed, and taken up where it was [HRES-03]', async () => {
  const clock = createVirtualClock()
  const { fetch, lines } = createStreaming()
  const statuses: ClientStatus['state'][] = []
  const connecting = connect(url, {
    protocolVersion: 'legacy',
    fetch,
    clock,
    onLog: () => undefined,
    onStatus: ({ state }) => statuses.push(state),
  })
  await clock.advance(0)
  await using client = await connecting
  await expect.poll(() => lines.length).toBe(1)
  lines[0]?.write('id: e1\ndata: \n\n')
  for (let comment = 0; comment < 3; comment += 1) {
    await clock.advance(10_000)
    lines[0]?.write(': there\n\n')
  }

  await clock.advance(59_000)
  expect(lines).toHaveLength(1)
  await clock.advance(2_000)

  expect(lines.map(({ isClosed, lastEventId }) => [isClosed, lastEventId])).toEqual([
    [true, null],
    [false, 'e1'],
  ])
  expect(statuses).toEqual(['ready', 'degraded', 'ready'])
  expect(client.status.state).toBe('ready')
})

test('a listening request that has gone dead ends, so that it is made again', async () => {
  const clock = createVirtualClock()
  const { fetch, lines } = createStreaming()
  await using client = openStandalone({ url }, { fetch, clock })
  const listening = client.request('subscriptions/listen').catch((error: unknown) => error)
  await expect.poll(() => lines.length).toBe(1)
  for (let comment = 0; comment < 3; comment += 1) {
    await clock.advance(10_000)
    lines[0]?.write(': there\n\n')
  }

  await clock.advance(61_000)

  expect(await listening).toMatchObject({ code: 'connection_lost', details: { sent: true } })
  expect(lines[0]?.isClosed).toBe(true)
})

import { connect, type ClientStatus } from '@parley/mcp/client'
import { createVirtualClock } from '@parley/mcp/testing'
import { expect, test } from 'vitest'

import {
  openScriptedServer,
  progress,
  result,
  said,
  serverInfo,
  type Reply,
} from './scripted-server.ts'

const reconnect = { minDelayMs: 1, maxDelayMs: 2 }

/** The stream of one call: three steps of progress, then the answer; every event has an id. */
function eventsOf(id: number | undefined): readonly string[] {
  return [progress(id, 1), progress(id, 2), progress(id, 3), result(id, said('done'))].map(
    (message, index) => `id: e${index + 1}\ndata: ${JSON.stringify(message)}\n\n`,
  )
}

/** A server whose call is cut after so many bytes of its stream, and that replays what follows an event. */
async function openCutting(cutAt: number, isClean = false) {
  let call: Reply | undefined
  const server = await openScriptedServer({
    initialize: (reply) => reply.json(serverInfo, { 'mcp-session-id': 's' }),
    'tools/call'(reply) {
      call = reply
      const events = reply.stream()
      events.raw(eventsOf(reply.message.id).join('').slice(0, cutAt))
      setTimeout(() => (isClean ? events.end() : events.cut()), 2)
    },
    GET(reply) {
      const last = Number(reply.headers['last-event-id']?.toString().slice(1))
      const events = reply.stream()
      for (const event of eventsOf(call?.message.id).slice(last)) events.raw(event)
      events.end()
    },
  })
  return server
}

const whole = eventsOf(3)
const boundaries = whole.map((_, index) => whole.slice(0, index + 1).join('').length)
const inside = boundaries.map((end, index) => end - Math.ceil((whole[index]?.length ?? 0) / 2))
const edges = boundaries.flatMap((end) => [end - 1, end + 1])
const cuts = [...new Set([...boundaries, ...inside, ...edges, 1, 5])]
  .filter((at) => at <= whole.join('').length)
  .toSorted((a, b) => a - b)

test.each(cuts)(
  'a call whose stream is cut after %i bytes loses and doubles nothing [HRES-03]',
  async (at) => {
    await using server = await openCutting(at)
    const received: number[] = []
    await using client = await connect(server.url, { reconnect, onError: () => undefined })

    const calling = client.callTool(
      'do',
      {},
      { onProgress: ({ progress: step }) => received.push(step) },
    )
    const complete = boundaries.filter((end) => end <= at).length

    if (complete === 0) {
      await expect(calling).rejects.toMatchObject({
        code: 'connection_lost',
        details: { sent: true },
      })
      return
    }
    expect(await calling).toEqual(said('done'))
    expect(received).toEqual([1, 2, 3])
    expect(server.sent('tools/call')).toHaveLength(1)
    expect(server.sent('GET').map(({ headers }) => headers['last-event-id'])).toEqual(
      complete === 4 ? [] : [`e${complete}`],
    )
  },
)

test('a stream that the server ends early is taken up too, with the headers of the session [HRES-03] [HSESS-04] [N11-HTTP-06]', async () => {
  await using server = await openCutting(boundaries[1] ?? 0, true)
  await using client = await connect(server.url, { reconnect })

  expect(await client.callTool('do')).toEqual(said('done'))

  expect(server.sent('GET')[0]?.headers).toMatchObject({
    accept: 'text/event-stream',
    'last-event-id': 'e2',
    'mcp-session-id': 's',
    'mcp-protocol-version': '2025-06-18',
  })
})

test('an event with an id and no data is enough to come back to', async () => {
  await using server = await openScriptedServer({
    'tools/call'(reply) {
      server.scripts['GET'] = (again) => {
        const events = again.stream()
        events.event(
          result(reply.message.id, said(`after ${String(again.headers['last-event-id'])}`)),
        )
        events.end()
      }
      const events = reply.stream()
      events.raw('id: first\nretry: 1\ndata: \n\n')
      events.end()
    },
  })
  await using client = await connect(server.url, { reconnect })

  expect(await client.callTool('do')).toEqual(said('after first'))
})

test('goes on trying while the server is away, without losing the call', async () => {
  await using server = await openScriptedServer({
    initialize: (reply) => reply.json(serverInfo, { 'mcp-session-id': 's' }),
    'tools/call'(reply) {
      const events = reply.stream()
      events.event(progress(reply.message.id, 1), 'e1')
      server.scripts['GET'] = (again) => {
        const resumed = again.stream()
        resumed.event(result(reply.message.id, said('late')), 'e2')
        resumed.end()
      }
      setTimeout(() => void server.stop(), 5)
      setTimeout(() => void server.start(), 100)
    },
  })
  await using client = await connect(server.url, { reconnect: { minDelayMs: 20, maxDelayMs: 20 } })

  expect(await client.callTool('do')).toEqual(said('late'))
  expect(server.sent('tools/call')).toHaveLength(1)
})

/** A server that knows no more than to say that the answer is not there yet, as often as it is asked. */
function createPolling(hint: string) {
  const asked = { GET: 0 }
  const json = { 'content-type': 'application/json', 'mcp-session-id': 's' }
  const notYet = (): Response =>
    new Response(`id: e${asked.GET}\n${hint}data: \n\n`, {
      headers: { 'content-type': 'text/event-stream' },
    })
  const fetch = async (_: unknown, { method, body }: RequestInit = {}): Promise<Response> => {
    if (method === 'DELETE') return new Response(null, { status: 405 })
    if (method === 'GET') {
      asked.GET += 1
      return notYet()
    }
    const message = JSON.parse(typeof body === 'string' ? body : '') as {
      id?: number
      method: string
    } // ours
    if (message.id === undefined) return new Response(null, { status: 202 })
    if (message.method === 'tools/call') return notYet()
    return new Response(JSON.stringify(result(message.id, serverInfo)), { headers: json })
  }
  return { fetch, asked }
}

test.each(['retry: 0\n', 'retry: 10\n', ''])(
  'a server that ends the stream of a call again and again is not stormed, whatever it wishes (%j)',
  async (hint) => {
    const clock = createVirtualClock()
    const { fetch, asked } = createPolling(hint)
    const connecting = connect('http://scripted.example/mcp', {
      protocolVersion: 'legacy',
      fetch,
      clock,
    })
    await clock.advance(0)
    await using client = await connecting
    const call = client.callTool('do', {}, { timeouts: { idleMs: 300_000, totalMs: 300_000 } })
    call.catch(() => undefined) // it is closed with the client

    const perMinute: number[] = []
    for (let minute = 0; minute < 3; minute += 1) {
      const before = asked.GET
      for (let second = 0; second < 60; second += 1) await clock.advance(1_000)
      perMinute.push(asked.GET - before)
    }

    expect(Math.max(...perMinute)).toBeLessThanOrEqual(20)
    expect(Math.min(...perMinute)).toBeGreaterThan(5)
  },
)

/** A call whose stream breaks with the server, which is gone for good. */
async function openVanishing() {
  const server = await openScriptedServer({
    initialize: (reply) => reply.json(serverInfo, { 'mcp-session-id': 's' }),
    'tools/call'(reply) {
      reply.stream().event(progress(reply.message.id, 1), 'e1')
      setTimeout(() => void server.stop(), 5)
    },
  })
  return server
}

test('while the stream of a call is down and nobody answers, the client says so', async () => {
  await using server = await openVanishing()
  server.scripts['GET'] = (again) => {
    const events = again.stream()
    events.event(result(server.sent('tools/call')[0]?.message.id, said('late')), 'e2')
    events.end()
  }
  const statuses: ClientStatus[] = []
  await using client = await connect(server.url, {
    reconnect: { minDelayMs: 20, maxDelayMs: 20 },
    onStatus: (status) => statuses.push(status),
  })

  const calling = client.callTool('do')
  await expect.poll(() => client.status.state).toBe('reconnecting')
  await server.start()

  expect(await calling).toEqual(said('late'))
  expect(client.status.state).toBe('ready')
  expect(statuses.find(({ state }) => state === 'reconnecting')).toMatchObject({
    cause: { code: 'unreachable', details: { systemCode: 'ECONNREFUSED' } },
  })
})

test('a server that stays away is given up for the stream of a call too, which may have done its work', async () => {
  await using server = await openVanishing()
  await using client = await connect(server.url, { reconnect: { ...reconnect, maxAttempts: 2 } })

  await expect(client.callTool('do')).rejects.toMatchObject({
    code: 'connection_lost',
    retryable: false,
    details: { sent: true },
  })
  expect(client.status).toMatchObject({ state: 'closed', cause: { code: 'unreachable' } })
})

test('without reconnecting nobody waits for the stream of a call', async () => {
  await using server = await openVanishing()
  await using client = await connect(server.url, { reconnect: false })

  await expect(client.callTool('do')).rejects.toMatchObject({
    code: 'connection_lost',
    retryable: false,
    details: { sent: true },
  })
})

test('a server that refuses to go on for now is asked again when it wishes', async () => {
  const clock = createVirtualClock()
  const { fetch, asked } = createPolling('')
  const connecting = connect('http://scripted.example/mcp', {
    protocolVersion: 'legacy',
    clock,
    fetch: async (url, init) => {
      if (init?.method !== 'GET') return fetch(url, init)
      asked.GET += 1
      return new Response('busy', { status: 503, headers: { 'retry-after': '45' } })
    },
  })
  await clock.advance(0)
  await using client = await connecting
  client.callTool('do').catch(() => undefined) // it is closed with the client

  await clock.advance(1_000)
  await clock.advance(44_000)
  expect(asked.GET).toBe(1)
  await clock.advance(1_000)
  expect(asked.GET).toBe(2)
})

test.each([400, 405, 501])(
  'a stream that cannot be taken up, as %i says, fails its call and no other',
  async (status) => {
    await using server = await openScriptedServer({
      'tools/call'(reply) {
        const events = reply.stream()
        events.event(progress(reply.message.id, 1), 'e1')
        events.end()
      },
      GET: (reply) => reply.status(status === 501 ? 400 : status),
    })
    await using client = await connect(server.url, { reconnect })

    await expect(client.callTool('do')).rejects.toMatchObject({
      code: 'connection_lost',
      details: { sent: true },
    })
    await client.ping()
    expect(client.status.state).toBe('ready')
  },
)

test('a call that is cancelled while its stream is being taken up is left alone', async () => {
  await using server = await openScriptedServer({
    'tools/call'(reply) {
      const events = reply.stream()
      events.event(progress(reply.message.id, 1), 'e1')
      events.end()
    },
    GET: (reply) => reply.status(503),
  })
  const controller = new AbortController()
  await using client = await connect(server.url, { reconnect: { minDelayMs: 5, maxDelayMs: 5 } })
  const outcome = client
    .callTool('do', {}, { signal: controller.signal })
    .catch((error: unknown) => error)
  await server.until('GET', 2)

  controller.abort('enough')

  expect(await outcome).toBe('enough')
  await server.until('notifications/cancelled')
  await client.ping()
  const tries = server.sent('GET').length
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(server.sent('GET').length).toBeLessThanOrEqual(tries + 1)
})

test('a call that may be repeated is, when its stream breaks without a way back', async () => {
  let calls = 0
  await using server = await openScriptedServer({
    'resources/read'(reply) {
      const events = reply.stream()
      if ((calls += 1) === 1) return setTimeout(() => events.cut(), 2)
      events.event(result(reply.message.id, { contents: [] }))
      return events.end()
    },
  })
  await using client = await connect(server.url, { reconnect })

  expect(await client.readResource('a:b')).toEqual({ contents: [] })
  expect(calls).toBe(2)
})

import { connect } from '@parley/mcp/client'
import { serveHttp } from '@parley/mcp/node'
import { expect, test, vi } from 'vitest'

import { eventsOf, messagesOf, openEndpoint, ping } from '../../support/http-endpoint.ts'
import { head, openSocket } from '../../support/raw-socket.ts'
import { createSampleServer } from '../../support/sample-server.ts'
import { openRelay } from './relay.ts'

const timeouts = { idleMs: 150, totalMs: 150 }

test.each([
  ['legacy', 1],
  ['modern', 0],
] as const)(
  'a %s call whose connection falls silent ends at its limit, and the next takes another one',
  async (protocolVersion, sessions) => {
    const { server, aborted, calls, release } = createSampleServer()
    await using service = await serveHttp(server, { port: 0, ownsProcess: false })
    await using relay = await openRelay(service.url)
    await using client = await connect(relay.through(service.url), { protocolVersion })
    const hanging = client.callTool('hang', {}, { timeouts: { totalMs: 1_000 } })
    const failure = expect(hanging).rejects.toMatchObject({ code: 'timeout' })
    await vi.waitFor(() => expect(calls.hang).toBe(1))

    relay.freeze()
    release()
    await failure

    // A cancellation came by another connection, as did this.
    await client.callTool('count')
    expect(calls.count).toBe(1)
    expect(aborted).toHaveLength(0) // its result was on its way to nobody
    expect(service.health()).toMatchObject({ sessions, inFlight: 0 })
  },
)

test('connections that fell silent while nobody used them are given up together', async () => {
  const { server } = createSampleServer()
  await using service = await serveHttp(server, { port: 0, ownsProcess: false })
  await using relay = await openRelay(service.url)
  await using client = await connect(relay.through(service.url))
  await Promise.all(Array.from({ length: 40 }, () => client.listTools().toArray()))
  expect(relay.connections.size).toBeGreaterThan(20)

  relay.freeze()
  const first = client.callTool('count', {}, { timeouts })

  await expect(first).rejects.toMatchObject({ code: 'timeout' })
  let failures = 0
  await vi.waitFor(
    () =>
      client.callTool('count', {}, { timeouts }).catch((error: unknown) => {
        failures += 1
        throw error
      }),
    { interval: 500 },
  )
  expect(failures).toBeLessThan(10)
})

test('a listener that vanished is resumed on a new connection with what it missed, each once [HRES-04]', async () => {
  const { server } = createSampleServer()
  await using endpoint = await openEndpoint('node', server)
  await using relay = await openRelay(endpoint)
  const session = await endpoint.open()
  const url = relay.through(new URL('http://127.0.0.1/mcp'))
  const headers = { accept: 'text/event-stream', 'mcp-session-id': session }
  const old = eventsOf(await fetch(url, { headers }))
  server.tool('one', {}, () => '1')
  expect(await old.message()).toMatchObject({ method: 'notifications/tools/list_changed' })
  const last = old.seen.findLast(({ id }) => id !== undefined)?.id ?? ''

  relay.freeze()
  server.prompt('two', {}, () => '2')
  await vi.waitFor(() => expect(endpoint.service.health().streams).toBe(1))
  const resumed = await endpoint.listen(session, { headers: { 'last-event-id': last } })

  expect(await resumed.message()).toMatchObject({ method: 'notifications/prompts/list_changed' })
  server.resource('three:', {}, () => '3')
  expect(await resumed.message()).toMatchObject({ method: 'notifications/resources/list_changed' })
  expect(endpoint.service.health().streams).toBe(1)
})

test('a caller that vanished in the middle of its call gets the rest on a new connection, each once', async () => {
  const { server } = createSampleServer()
  let resume = (): void => undefined
  const isBack = new Promise<void>((resolve) => (resume = resolve))
  server.tool('work', {}, async (_, context) => {
    await context.progress({ progress: 1 })
    await isBack
    await context.progress({ progress: 2 })
    return 'done'
  })
  await using endpoint = await openEndpoint('node', server)
  await using relay = await openRelay(endpoint)
  const session = await endpoint.open()
  const port = Number(new URL(relay.through(new URL('http://127.0.0.1/mcp'))).port)
  using socket = await openSocket(port)
  const params = { name: 'work', _meta: { progressToken: 'p' } }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  socket.write(head({ 'content-length': body.length, 'mcp-session-id': session }) + body)
  const text = await socket.until('"progress":1')
  const last = [...text.matchAll(/id: (\S+)/g)].at(-1)?.[1] ?? ''

  relay.freeze()
  const resumed = await endpoint.listen(session, { headers: { 'last-event-id': last } })
  resume()

  expect(messagesOf(await resumed.rest())).toMatchObject([
    { params: { progress: 2 } },
    { id: 1, result: { content: [{ text: 'done' }] } },
  ])
  expect(endpoint.service.health()).toMatchObject({ streams: 0, inFlight: 0 })
})

test("three hundred callers that vanished are in nobody else's way, nor in that of draining", async () => {
  const { server } = createSampleServer()
  const service = await serveHttp(server, { port: 0, ownsProcess: false })
  await using relay = await openRelay(service.url)
  const { port } = new URL(relay.through(service.url))
  await using other = await connect(service.url)
  const body = JSON.stringify(ping(1))
  const sockets = await Promise.all(
    Array.from({ length: 300 }, async (_, index) => {
      const socket = await openSocket(Number(port))
      const whole = head({ 'content-length': body.length }) + body
      socket.write(whole.slice(0, (whole.length * (index % 11)) / 10)) // from nothing to more than all
      return socket
    }),
  )

  relay.freeze()

  await other.callTool('count')
  await service.drain({ deadlineMs: 100 })
  expect(service.health()).toMatchObject({ inFlight: 0, streams: 0 })
  for (const socket of sockets) socket[Symbol.dispose]()
})

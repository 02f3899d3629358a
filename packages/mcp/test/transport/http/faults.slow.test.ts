import { serveHttp } from '@parley/mcp/node'
import { expect, test, vi } from 'vitest'

import { askByHand, eventsOf, messagesOf, openEndpoint, ping } from '../../support/http-endpoint.ts'
import { head, openSocket } from '../../support/raw-socket.ts'
import { createSampleServer } from '../../support/sample-server.ts'

test('two hundred sockets that hardly speak do not keep anybody else waiting', async () => {
  await using service = await serveHttp(createSampleServer().server, {
    port: 0,
    ownsProcess: false,
    healthRoutes: true,
  })
  const port = Number(service.url.port)
  const slow = await Promise.all(Array.from({ length: 200 }, () => openSocket(port)))
  slow.forEach((socket, index) => {
    const start = head({ 'content-length': 100_000 })
    socket.write(index % 2 === 0 ? start.slice(0, 20) : `${start}{"json`)
  })

  const answers = await Promise.all(
    Array.from({ length: 20 }, () => askByHand(port, { path: '/readyz' })),
  )

  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
  expect(service.health()).toMatchObject({ sessions: 0, inFlight: 0 })
  for (const socket of slow) socket[Symbol.dispose]()
})

test('three hundred streams at once each get their own, and others are served meanwhile', async () => {
  const { server } = createSampleServer()
  let release = (): void => undefined
  const released = new Promise<void>((resolve) => (release = resolve))
  server.tool('wait', {}, async (_, context) => {
    await context.progress({ progress: 1 })
    await released
    return String(context.meta['progressToken'])
  })
  await using endpoint = await openEndpoint('node', server)
  const session = await endpoint.open()
  const other = await endpoint.open()

  const calls = Array.from({ length: 300 }, async (_, id) => {
    const response = await endpoint.call('wait', {
      session,
      id,
      meta: { progressToken: `of ${id}` },
    })
    return messagesOf(await eventsOf(response).rest())
  })
  await vi.waitFor(() => expect(endpoint.service.health().streams).toBe(300), 90_000)
  const meanwhile = await endpoint.post(ping(1), { session: other })
  release()
  const all = await Promise.all(calls)

  expect(meanwhile.status).toBe(200)
  all.forEach((messages, id) => {
    expect(messages).toMatchObject([
      { params: { progressToken: `of ${id}` } },
      { id, result: { content: [{ text: `of ${id}` }] } },
    ])
  })
  await vi.waitFor(() =>
    expect(endpoint.service.health()).toMatchObject({ streams: 0, inFlight: 0 }),
  )
})

test('a stream cut at any byte is resumed with nothing lost and nothing doubled', async () => {
  const { server } = createSampleServer()
  server.tool('work', {}, async (_, context) => {
    for (const progress of [1, 2, 3]) await context.progress({ progress })
    return 'done'
  })
  await using endpoint = await openEndpoint('node', server)
  const session = await endpoint.open()
  const whole = await (await endpoint.call('work', { session, meta: { progressToken: 1 } })).text()

  let compared = 0
  for (let at = 1; at < whole.length; at += 13) {
    const id = `cut at ${at}`
    const params = { name: 'work', _meta: { progressToken: 1 } }
    const body = JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })
    const socket = await openSocket(endpoint.port)
    socket.write(head({ 'content-length': body.length, 'mcp-session-id': session }) + body)
    const text = (await socket.until('"done"')).replace(/^[0-9a-f]+\r\n|\r\n/gm, '')
    socket[Symbol.dispose]()
    // What a reader has of it that lost the connection there: whole events only.
    const received = text.slice(text.indexOf('id: '), text.indexOf('id: ') + at)
    const events = received.split('\n\n').slice(0, -1)
    const last = events.map((event) => /id: (\S+)/.exec(event)?.[1]).findLast(Boolean)
    if (last === undefined) continue

    const resumed = await endpoint.listen(session, { headers: { 'last-event-id': last } })
    const rest = messagesOf(await resumed.rest())

    const before = events.filter((event) => event.includes('data: ')).length
    compared += 1
    expect(before + rest.length).toBe(4)
    expect(rest.at(-1) ?? { id }).toMatchObject({ id })
  }
  expect(compared).toBeGreaterThan(20)
})

test('streams that are opened and cut, over and over, leave nothing behind', async () => {
  const { server } = createSampleServer()
  await using endpoint = await openEndpoint('node', server)
  const session = await endpoint.open()

  for (let round = 0; round < 5; round += 1) {
    const cuts = Array.from({ length: 50 }, async () => {
      const leave = new AbortController()
      const events = await endpoint.listen(session, { signal: leave.signal })
      leave.abort()
      await events.rest().catch(() => undefined) // cut by us
    })
    await Promise.all(cuts)
    await vi.waitFor(() => expect(endpoint.service.health().streams).toBe(0))
  }

  expect((await endpoint.post(ping(1), { session })).status).toBe(200)
})

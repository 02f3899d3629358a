import { expect, test, vi } from 'vitest'

import { describeEntries, initialize, openEndpoint, ping } from '../../support/http-endpoint.ts'
import { head, openSocket } from '../../support/raw-socket.ts'
import { createSampleServer } from '../../support/sample-server.ts'

describeEntries('a body', (entry) => {
  test('over limits.messageBytes is refused by 413, which names the limit', async () => {
    await using endpoint = await openEndpoint(entry, createSampleServer().server, {
      limits: { messageBytes: 10_000 },
    })

    const response = await endpoint.post(`"${'x'.repeat(20_000)}"`)

    expect(response.status).toBe(413)
    expect(await response.json()).toMatchObject({
      error: { code: 413, data: { limit: 'messageBytes', allowed: 10_000 } },
    })
  })

  test.each([
    ['10 000 levels of arrays', '['.repeat(10_000) + ']'.repeat(10_000)],
    ['10 000 levels of objects', '{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000)],
    ['200 000 members', `[${'1,'.repeat(200_000)}1]`],
  ])('of %s is refused by 400', async (_, body) => {
    await using endpoint = await openEndpoint(entry, createSampleServer().server)

    const response = await endpoint.post(body)

    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { data: { reason: 'limit_exceeded' } } })
  })

  test('may be a hundred other things that are no message, and the next one is served', async () => {
    await using endpoint = await openEndpoint(entry, createSampleServer().server)
    const bodies = [
      '',
      'null',
      '1',
      '"x"',
      '{}',
      '\u0000',
      '{"__proto__":1}',
      '[[[]]]',
      '{"id":{}}',
    ]

    for (const body of bodies) expect((await endpoint.post(body)).status).toBe(400)

    expect((await endpoint.post(initialize())).status).toBe(200)
  })
})

describeEntries('requests at once', (entry) => {
  test('beyond limits.inFlight are refused by 429; a cancel still gets through', async () => {
    const { server, calls, release } = createSampleServer()
    await using endpoint = await openEndpoint(entry, server, { limits: { inFlight: 2 } })
    const session = await endpoint.open()
    const calling = ['a', 'b'].map((id) => endpoint.call('hang', { session, id }))
    await vi.waitFor(() => expect(calls.hang).toBe(2))

    const third = await endpoint.call('count', { session, id: 'c' })
    const params = { requestId: 'a' }
    await endpoint.post({ jsonrpc: '2.0', method: 'notifications/cancelled', params }, { session })

    expect(third.status).toBe(429)
    expect(third.headers.get('retry-after')).toBe('1')
    expect(await third.json()).toMatchObject({ id: 'c', error: { data: { reason: 'overloaded' } } })
    expect((await calling[0])?.status).toBe(202)
    release()
    expect((await calling[1])?.status).toBe(200)
  })

  test('with an id that is in use are refused, and the first keeps its answer [BASE-07]', async () => {
    const { server, calls, release } = createSampleServer()
    await using endpoint = await openEndpoint(entry, server)
    const session = await endpoint.open()
    const first = endpoint.call('hang', { session })
    await vi.waitFor(() => expect(calls.hang).toBe(1))

    const second = await endpoint.call('count', { session })
    release()

    expect(second.status).toBe(400)
    expect(await second.json()).not.toHaveProperty('id')
    expect(await (await first).json()).toMatchObject({ id: 1, result: {} })
  })
})

test('a body that never ends is answered, then the connection is closed', async () => {
  await using endpoint = await openEndpoint('node', createSampleServer().server, {
    limits: { messageBytes: 10_000 },
  })
  using socket = await openSocket(endpoint.port)
  socket.write(head({ 'transfer-encoding': 'chunked' }))
  const chunk = `3e8\r\n${'x'.repeat(1_000)}\r\n`
  const sending = setInterval(() => socket.write(chunk), 1)

  const text = await socket.closed
  clearInterval(sending)

  expect(text).toMatch(/^HTTP\/1\.1 413 /)
  expect(text).toContain('"limit":"messageBytes"')
})

test('a body that was promised too large is answered without reading it', async () => {
  await using endpoint = await openEndpoint('node', createSampleServer().server)
  using socket = await openSocket(endpoint.port)

  socket.write(head({ 'content-length': 5 * 1024 * 1024 }))

  expect(await socket.closed).toMatch(/^HTTP\/1\.1 413 /)
})

test('a body that does not come is answered by 408 after bodyMs', async () => {
  await using endpoint = await openEndpoint('node', createSampleServer().server, { bodyMs: 30 })
  using socket = await openSocket(endpoint.port)

  socket.write(`${head({ 'content-length': 100_000 })}{"jsonrpc"`)

  expect(await socket.closed).toMatch(/^HTTP\/1\.1 408 /)
})

test('a body that is cut off does nothing', async () => {
  const { server, calls } = createSampleServer()
  await using endpoint = await openEndpoint('node', server)
  const body = JSON.stringify(initialize())
  for (let length = 0; length < body.length; length += 7) {
    const socket = await openSocket(endpoint.port)
    socket.write(head({ 'content-length': body.length }) + body.slice(0, length))
    socket[Symbol.dispose]()
  }

  expect((await endpoint.post(initialize())).status).toBe(200)
  expect(endpoint.service.health().sessions).toBe(1)
  expect(calls.count).toBe(0)
})

test('a connection is kept after refusals, and serves the next request', async () => {
  await using endpoint = await openEndpoint('node', createSampleServer().server)
  using socket = await openSocket(endpoint.port)
  const body = JSON.stringify(ping(1))
  const length = { 'content-length': body.length }

  for (const headers of [
    { ...length, 'content-type': 'text/plain' },
    { ...length, host: 'evil.example' },
    { ...length, 'mcp-session-id': 'unknown' },
  ]) {
    socket.write(head(headers) + body)
  }
  const serverInfo = JSON.stringify(initialize())
  socket.write(head({ 'content-length': Buffer.byteLength(serverInfo) }) + serverInfo)
  const text = await socket.until('"serverInfo"')

  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(
    [415, 403, 404, 200].map((code) => `HTTP/1.1 ${code}`),
  )
})

test('a caller that went away while the guard was asked leaves nothing behind', async () => {
  let allow = (): void => undefined
  const asked = new Promise<void>((resolve) => (allow = resolve))
  let isFirst = true
  await using endpoint = await openEndpoint('node', createSampleServer().server, {
    auth: {
      async authenticate({ method }) {
        if (method === 'GET' && isFirst) {
          isFirst = false
          await asked
        }
        return { kind: 'allow' }
      },
    },
  })
  const session = await endpoint.open()
  const leave = new AbortController()
  const listening = endpoint.listen(session, { signal: leave.signal }).catch(() => 'gone')
  await vi.waitFor(() => expect(isFirst).toBe(false))
  leave.abort()
  await listening
  await new Promise((resolve) => setTimeout(resolve, 20)) // until the server's side of the socket is closed
  allow()

  await endpoint.listen(session)

  expect(endpoint.service.health().streams).toBe(1)
})

test('what was parsed before us is measured too', async () => {
  const { createMcpHandler } = await import('../../../src/transport/http/runtime/fetch.ts')
  const handler = createMcpHandler(createSampleServer().server)
  let nested: object = {}
  for (let level = 0; level < 10_000; level += 1) nested = { nested }
  const request = () =>
    new Request('http://localhost/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: 'read already',
    })

  const deep = await handler.fetch(request(), { parsedBody: nested })
  const fine = await handler.fetch(request(), { parsedBody: initialize() })

  expect([deep.status, fine.status]).toEqual([400, 200])
})

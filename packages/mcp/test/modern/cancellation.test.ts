import { createServer, type Server } from '@parley/mcp/server'
import { expect, test } from 'vitest'

import { describeEntries, eventsOf } from '../support/http-endpoint.ts'
import { everyChannel } from '../support/matrix.ts'
import { describeStandalone, envelope } from '../support/modern-client.ts'
import { openStandaloneEndpoint } from '../support/modern-http.ts'
import { eventually } from '../support/network.ts'

interface Waiting {
  readonly server: Server
  /** How each call that was given up was told. */
  readonly aborted: unknown[]
  /** How many have begun. */
  begun(): number
}

/** A tool that waits until it is given up, and then tries to go on all the same. */
function createWaiting(): Waiting {
  const server = createServer({ name: 'waits', version: '1', onError: () => undefined })
  const aborted: unknown[] = []
  let begun = 0
  server.tool('wait', {}, async (_, context) => {
    await context.progress({ progress: 1 })
    begun += 1
    await new Promise((resolve) => context.signal.addEventListener('abort', resolve))
    aborted.push(context.signal.reason)
    context.log('emergency', 'too late')
    await context.progress({ progress: 2 })
    return 'too late'
  })
  server.tool('progress', {}, async (_, context) => {
    for (const progress of [1, 3, 2, 3, NaN, Infinity, 4]) await context.progress({ progress })
    setTimeout(() => void context.progress({ progress: 5 }), 1)
    return 'done'
  })
  return { server, aborted, begun: () => begun }
}

describeStandalone(
  'a call on a channel',
  ({ open }) => {
    test('is given up when the client says so, and nothing more is sent for it [N07-CANC-03, N07-CANC-01]', async () => {
      const { server, aborted, begun } = createWaiting()
      const client = await open(server)
      const meta = { progressToken: 1, 'io.modelcontextprotocol/logLevel': 'debug' }
      const params = { name: 'wait', _meta: envelope({}, meta) }
      client.send({ jsonrpc: '2.0', id: 'W', method: 'tools/call', params })
      await eventually(() => expect(begun()).toBe(1))
      await client.quiet()

      client.notify('notifications/cancelled', { requestId: 'W', reason: 'enough' })
      await eventually(() => expect(aborted).toHaveLength(1))

      expect(await client.quiet()).toEqual([])
      expect(aborted).toMatchObject([{ code: 'cancelled', details: { by: 'caller' } }])
      expect((await client.request('tools/list', {}, { id: 'W' })).result).toBeDefined()
    })

    test.each([
      ['one that is not there', { requestId: 'none' }],
      ['one that is over', { requestId: 'over' }],
      ['none', {}],
      ['what is no id', { requestId: null }],
      ['what is no id either', { requestId: { a: 1 } }],
      ['nothing', undefined],
    ])('giving up %s is ignored [N07-CANC-05, N07-CANC-04]', async (_, params) => {
      const { server, begun } = createWaiting()
      const client = await open(server)
      await client.request('tools/list', {}, { id: 'over' })
      const call = { name: 'wait', _meta: envelope() }
      client.send({ jsonrpc: '2.0', id: 'W', method: 'tools/call', params: call })
      await eventually(() => expect(begun()).toBe(1))

      client.notify('notifications/cancelled', params)

      expect(await client.quiet()).toEqual([])
      expect((await client.request('tools/list')).result).toBeDefined()
    })
  },
  everyChannel,
)

describeStandalone('progress', ({ open }) => {
  test('rises, names its token and stops with the result [N07-PROG-03]', async () => {
    const { server } = createWaiting()
    const client = await open(server)

    for (const progressToken of ['a', 7]) {
      await client.request('tools/call', { name: 'progress' }, { meta: { progressToken } })
    }
    await client.quiet()

    const told = client.received.filter(({ method }) => method === 'notifications/progress')
    expect(told.map(({ params }) => [params?.['progressToken'], params?.['progress']])).toEqual([
      ['a', 1],
      ['a', 3],
      ['a', 4],
      [7, 1],
      [7, 3],
      [7, 4],
    ])
    expect(client.received.at(-1)).toHaveProperty('result')
  })

  test('is not sent without a token [N07-PROG-03]', async () => {
    const { server } = createWaiting()
    const client = await open(server)

    await client.request('tools/call', { name: 'progress' })
    await client.quiet()

    expect(client.received).toHaveLength(1)
  })
})

describeEntries('a call over HTTP', (entry) => {
  test.each([
    ['before its first byte', {}],
    ['in the middle of its stream', { progressToken: 1 }],
  ])('is given up by closing it %s [N07-CANC-02]', async (_, meta) => {
    const { server, aborted, begun } = createWaiting()
    await using endpoint = await openStandaloneEndpoint(entry, server)
    const hangUp = new AbortController()
    const { signal } = hangUp
    const response = endpoint.send('tools/call', { name: 'wait' }, { meta, signal })
    response.catch(() => undefined) // hung up on
    await eventually(() => expect(begun()).toBe(1))
    if ('progressToken' in meta) await eventsOf(await response).message()

    hangUp.abort()

    await eventually(() => expect(aborted).toHaveLength(1))
    expect(aborted).toMatchObject([{ code: 'cancelled', details: { by: 'disconnect' } }])
    await eventually(() =>
      expect(endpoint.service.health()).toMatchObject({ inFlight: 0, streams: 0 }),
    )
  })

  test('is not given up by a notification: a caller could not name its own [N07-CANC-02, N07-CANC-05]', async () => {
    const { server, aborted, begun } = createWaiting()
    await using endpoint = await openStandaloneEndpoint(entry, server)
    const hangUp = new AbortController()
    const waiting = endpoint.send(
      'tools/call',
      { name: 'wait' },
      { id: 'W', signal: hangUp.signal },
    )
    waiting.catch(() => undefined) // hung up on
    await eventually(() => expect(begun()).toBe(1))

    const { status } = await endpoint.post(
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'W' } },
      { headers: { 'mcp-protocol-version': '2026-07-28' } },
    )

    expect(status).toBe(202)
    expect(endpoint.service.health().inFlight).toBe(1)
    expect(aborted).toEqual([])
    hangUp.abort()
    await eventually(() => expect(aborted).toHaveLength(1))
  })
})

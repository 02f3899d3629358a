import type { ServerChange, Subscription } from '@parley/mcp/client'
import { createVirtualClock } from '@parley/mcp/testing'
import { describe, expect, test } from 'vitest'

import { untilIdle } from '../../src/testing/virtual-clock.ts'
import type { Raw } from '../support/raw-channel.ts'
import {
  openStandalone,
  type RawStandaloneOptions,
  type RawStandaloneServer,
} from '../support/raw-modern-server.ts'

const toolsOnly = { toolsListChanged: true }
const acknowledged = 'notifications/subscriptions/acknowledged'

describe('listening', () => {
  test('is a request that names what to be told, and resolves when the server agrees [N07-SUB-01] [N07-SUB-06]', async () => {
    const server = openStandalone()
    const client = await server.discovered()
    const filter = {
      toolsListChanged: true,
      promptsListChanged: true,
      resourceSubscriptions: ['a:b'],
    }
    let isOpen = false
    const listening = client.listen(filter).then((opened) => ((isOpen = true), opened))
    const listen = await server.expect('subscriptions/listen')
    await untilIdle()
    expect(isOpen).toBe(false)
    server.notify(listen, acknowledged, {
      notifications: { toolsListChanged: true, resourceSubscriptions: ['a:b'] },
    })
    const subscription = await listening

    expect(listen.params).toMatchObject({ notifications: filter })
    expect(listen.params).toHaveProperty('_meta')
    expect(subscription.accepted).toEqual({
      toolsListChanged: true,
      resourceSubscriptions: ['a:b'],
    })
    await client.close()
  })

  test('tells changes, and nothing that was not asked for [N07-SUB-04]', async () => {
    const { server, client, listen, subscription } = await listenTo({
      toolsListChanged: true,
      resourceSubscriptions: ['a:b'],
    })
    server.notify(listen, 'notifications/prompts/list_changed')
    server.notify(listen, 'notifications/tools/list_changed')
    server.notify(listen, 'notifications/resources/updated', { uri: 'a:b' })

    expect(await take(subscription, 2)).toEqual([
      { type: 'tools' },
      { type: 'resource', uri: 'a:b' },
    ])
    await client.close()
  })

  test('is told of a part of a resource that was asked for [N07-SUB-17]', async () => {
    const { server, client, listen, subscription } = await listenTo({
      resourceSubscriptions: ['file:///a'],
    })
    server.notify(listen, 'notifications/resources/updated', { uri: 'file:///a/b' })

    expect(await take(subscription, 1)).toEqual([{ type: 'resource', uri: 'file:///a/b' }])
    await client.close()
  })

  test('is told of a part, and what was kept of the whole is asked for anew [N07-CACHE-06]', async () => {
    const { server, client, listen, subscription } = await listenTo({
      resourceSubscriptions: ['file:///a'],
    })
    for (const text of ['old', 'new']) {
      const reading = client.readResource('file:///a')
      const contents = [{ uri: 'file:///a', text }]
      await server.answer('resources/read', { contents, ttlMs: 60_000 })
      expect((await reading).contents).toEqual(contents)
      server.notify(listen, 'notifications/resources/updated', { uri: 'file:///a/b' })
      await take(subscription, 1)
    }
    await client.close()
  })

  test('hears nothing before it is acknowledged [N07-SUB-02]', async () => {
    const server = openStandalone()
    const client = await server.discovered()
    const listening = client.listen(toolsOnly)
    const listen = await server.expect('subscriptions/listen')
    server.notify(listen, 'notifications/tools/list_changed')
    server.notify(listen, acknowledged, { notifications: toolsOnly })
    const subscription = await listening
    const reading = take(subscription, 1)
    await untilIdle()
    await subscription[Symbol.asyncDispose]()

    expect(await reading).toEqual([])
    await client.close()
  })

  test('goes to whom it belongs, by its id [N07-SUB-03] [N07-SUB-07] [N07-SUB-08]', async () => {
    const { server, client, listen, subscription } = await listenTo(toolsOnly)
    const second = await listenMore(server, client.listen(toolsOnly))
    server.notify(second.listen, 'notifications/tools/list_changed')
    const foreign = { ...listen, id: 'foreign' }
    server.notify(foreign, 'notifications/tools/list_changed')
    server.send({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })

    expect(await take(second.subscription, 1)).toEqual([{ type: 'tools' }])
    const reading = take(subscription, 1)
    await untilIdle()
    await subscription[Symbol.asyncDispose]()
    expect(await reading).toEqual([])
    await client.close()
  })

  test('is ended by cancelling the request [N07-SUB-11] [N07-CANC-01]', async () => {
    const { server, client, listen, subscription } = await listenTo(toolsOnly)
    await subscription[Symbol.asyncDispose]()

    const cancelled = await server.expect('notifications/cancelled')
    expect(cancelled.params).toMatchObject({ requestId: listen.id })
    await client.close()
  })

  test('that the server refuses fails with its reason', async () => {
    const server = openStandalone()
    const client = await server.discovered()
    const listening = client.listen(toolsOnly)
    listening.catch(() => undefined)
    await server.reject('subscriptions/listen', { code: -32602, message: 'no' })

    await expect(listening).rejects.toMatchObject({ code: 'invalid_params' })
    await client.close()
  })

  test('that is answered without being acknowledged breaks the protocol [N07-SUB-02]', async () => {
    const server = openStandalone()
    const client = await server.discovered()
    const listening = client.listen(toolsOnly)
    listening.catch(() => undefined)
    await server.answer('subscriptions/listen', { resultType: 'complete' })

    await expect(listening).rejects.toMatchObject({ code: 'invalid_message' })
    await client.close()
  })

  test('that is not acknowledged in time is given up, and the server told', async () => {
    const clock = createVirtualClock()
    const server = openStandalone({ clock })
    const client = await server.discovered()
    const listening = client.listen(toolsOnly, { timeouts: { idleMs: 1_000 } })
    listening.catch(() => undefined)
    const listen = await server.expect('subscriptions/listen')
    await clock.advance(1_000)

    await expect(listening).rejects.toMatchObject({ code: 'timeout' })
    const cancelled = await server.expect('notifications/cancelled')
    expect(cancelled.params).toMatchObject({ requestId: listen.id })
    await client.close()
  })

  test('can be given up before it is acknowledged', async () => {
    const server = openStandalone()
    const client = await server.discovered()
    const controller = new AbortController()
    const listening = client.listen(toolsOnly, { signal: controller.signal })
    listening.catch(() => undefined)
    await server.expect('subscriptions/listen')
    controller.abort(new Error('enough'))

    await expect(listening).rejects.toThrow('enough')
    await client.close()
  })

  test('has no time limit once it is open', async () => {
    const clock = createVirtualClock()
    const { server, client, listen, subscription } = await listenTo(toolsOnly, { clock })
    await clock.advance(10 * 3_600_000)
    server.notify(listen, 'notifications/tools/list_changed')

    expect(await take(subscription, 1)).toEqual([{ type: 'tools' }])
    await client.close()
  })

  test('ends with the client', async () => {
    const { client, subscription } = await listenTo(toolsOnly)
    const reading = take(subscription, 1)
    await client.close()

    expect(await reading).toEqual([])
  })
})

describe('listening that broke', () => {
  test('by the loss of the process begins anew with the next one, after a gap [N07-SUB-15] [N07-SUB-14]', async () => {
    const clock = createVirtualClock()
    const servers: RawStandaloneServer[] = []
    const { server, client, subscription } = await listenTo(toolsOnly, {
      clock,
      kind: 'stdio',
      reconnect: true,
      onReopened: (next) => servers.push(next),
    })
    await server.close()
    await clock.advance(500)
    await servers[0]?.discovered()
    const listen = await servers[0]?.expect('subscriptions/listen')
    servers[0]?.notify(listen as Raw, acknowledged, { notifications: toolsOnly })
    servers[0]?.notify(listen as Raw, 'notifications/tools/list_changed')

    expect(listen?.params).toMatchObject({ notifications: toolsOnly })
    expect(await take(subscription, 2)).toEqual([{ type: 'gap' }, { type: 'tools' }])
    await client.close()
  })

  test('although the channel lives begins anew after a while [N07-SUB-14]', async () => {
    const clock = createVirtualClock()
    const { server, client, listen, subscription } = await listenTo(toolsOnly, { clock })
    server.send({ jsonrpc: '2.0', id: listen.id, result: 'no result at all' })
    await untilIdle()
    expect(await server.quiet()).toEqual([])
    expect(client.status).toMatchObject({ state: 'degraded', missing: 'notifications' })
    await clock.advance(500)
    const again = await server.expect('subscriptions/listen')
    server.notify(again, acknowledged, { notifications: {} })
    await untilIdle()
    expect(client.status).toEqual({ state: 'ready' })

    expect(again.id).not.toBe(listen.id)
    expect(await take(subscription, 1)).toEqual([{ type: 'gap' }])
    expect(subscription.accepted).toEqual({})
    await client.close()
  })

  test('because the server ended it, as before a restart, begins anew after a while [N07-SUB-12]', async () => {
    const clock = createVirtualClock()
    const { server, client, listen, subscription } = await listenTo(toolsOnly, { clock })
    server.send({ jsonrpc: '2.0', id: listen.id, result: { resultType: 'complete' } })
    await untilIdle()
    await clock.advance(499)
    expect(await server.quiet()).toEqual([])
    await clock.advance(1)
    const again = await server.expect('subscriptions/listen')
    server.notify(again, acknowledged, { notifications: toolsOnly })

    expect(await take(subscription, 1)).toEqual([{ type: 'gap' }])
    await client.close()
  })

  test.each(['before', 'after', 'without'])(
    'because the server cancelled it begins anew once: %s an answer [N07-SUB-13] [N07-T-01]',
    async (order) => {
      const clock = createVirtualClock()
      const errors: unknown[] = []
      const { server, client, listen, subscription } = await listenTo(toolsOnly, {
        clock,
        onError: (error) => errors.push(error),
      })
      const answer = { jsonrpc: '2.0', id: listen.id, result: { resultType: 'complete' } }
      if (order === 'after') server.send(answer)
      const params = { requestId: listen.id }
      server.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params })
      if (order === 'before') server.send(answer)
      await untilIdle()
      await clock.advance(500)
      const again = await server.expect('subscriptions/listen')
      server.notify(again, acknowledged, { notifications: toolsOnly })

      expect(await take(subscription, 1)).toEqual([{ type: 'gap' }])
      expect(await server.quiet()).toEqual([])
      expect(errors).toEqual([])
      await client.close()
    },
  )

  test('again and again is begun anew more and more slowly [N07-SUB-14]', async () => {
    const clock = createVirtualClock()
    const { server, client, listen } = await listenTo(toolsOnly, { clock })
    server.send({ jsonrpc: '2.0', id: listen.id, result: { resultType: 'complete' } })
    let count = 0
    for (let second = 0; second < 120; second += 1) {
      for (const { id } of await server.quiet()) {
        count += 1
        server.send({ jsonrpc: '2.0', id, result: { resultType: 'complete' } })
      }
      await clock.advance(1_000)
    }

    expect(count).toBeGreaterThan(1)
    expect(count).toBeLessThanOrEqual(40)
    await client.close()
  })

  test('is told and ends if the server refuses to begin anew', async () => {
    const clock = createVirtualClock()
    const errors: unknown[] = []
    const { server, client, listen, subscription } = await listenTo(toolsOnly, {
      clock,
      onError: (error) => errors.push(error),
    })
    server.send({ jsonrpc: '2.0', id: listen.id, result: 'no result at all' })
    await untilIdle()
    await clock.advance(500)
    await server.reject('subscriptions/listen', { code: -32601, message: 'gone' })

    expect(await take(subscription, 1)).toEqual([])
    expect(errors.at(-1)).toMatchObject({ code: 'method_not_found' })
    await client.close()
  })

  test('goes on by subscribing when the next server is an old one', async () => {
    const clock = createVirtualClock()
    const servers: RawStandaloneServer[] = []
    const filter = { toolsListChanged: true, resourceSubscriptions: ['a:b'] }
    const { server, client, subscription } = await listenTo(filter, {
      clock,
      reconnect: true,
      onReopened: (next) => servers.push(next),
    })
    await server.close()
    await clock.advance(500)
    const old = servers[0] as RawStandaloneServer
    await old.reject('server/discover', { code: -32601, message: 'no' })
    await old.accept()
    const subscribe = await old.answer('resources/subscribe', {})
    await old.answer('resources/subscribe', {}) // after the gap
    expect(await take(subscription, 1)).toEqual([{ type: 'gap' }])
    const params = { uri: 'a:b' }
    old.send({ jsonrpc: '2.0', method: 'notifications/resources/updated', params })

    expect(subscribe.params).toMatchObject({ uri: 'a:b' })
    expect(await take(subscription, 1)).toEqual([{ type: 'resource', uri: 'a:b' }])
    await client.close()
  })

  test('goes on by a request when the next server is a new one', async () => {
    const clock = createVirtualClock()
    const servers: RawStandaloneServer[] = []
    const server = openStandalone({
      clock,
      reconnect: true,
      onReopened: (next) => servers.push(next),
    })
    await server.reject('server/discover', { code: -32601, message: 'no' })
    const client = await server.accept()
    const listening = client.listen({ resourceSubscriptions: ['a:b'] })
    await server.answer('resources/subscribe', {})
    const subscription = await listening
    await server.close()
    await clock.advance(500)
    const next = servers[0] as RawStandaloneServer
    await next.reject('initialize', { code: -32601, message: 'no' })
    await next.discovered()
    const listen = await next.expect('subscriptions/listen')
    next.notify(listen, acknowledged, { notifications: { resourceSubscriptions: ['a:b'] } })

    expect(await take(subscription, 1)).toEqual([{ type: 'gap' }])
    await subscription[Symbol.asyncDispose]()
    const cancelled = await next.expect('notifications/cancelled')
    expect(cancelled.params).toMatchObject({ requestId: listen.id })
    await client.close()
  })
})

test('a watched list is fetched again after each change', async () => {
  const clock = createVirtualClock()
  const server = openStandalone({ clock })
  const client = await server.discovered()
  const lists = client.watch('tools')[Symbol.asyncIterator]()
  const first = lists.next()
  const listen = await server.expect('subscriptions/listen')
  server.notify(listen, acknowledged, { notifications: toolsOnly })
  await server.answer('tools/list', { tools: [] })
  expect(await first).toMatchObject({ value: [] })
  const second = lists.next()
  server.notify(listen, 'notifications/tools/list_changed')
  await untilIdle()
  await clock.advance(100)
  await server.answer('tools/list', { tools: [{ name: 't', inputSchema: { type: 'object' } }] })

  expect(await second).toMatchObject({ value: [{ name: 't' }] })
  await client.close()
})

async function listenTo(
  filter: Parameters<RawStandaloneServer['notify']>[2] & object,
  options: RawStandaloneOptions = {},
) {
  const server = openStandalone(options)
  const client = await server.discovered()
  return { server, client, ...(await listenMore(server, client.listen(filter), filter)) }
}

async function listenMore(
  server: RawStandaloneServer,
  listening: Promise<Subscription>,
  notifications: object = toolsOnly,
) {
  const listen = await server.expect('subscriptions/listen')
  server.notify(listen, acknowledged, { notifications })
  return { listen, subscription: await listening }
}

/** The next changes; fewer if it ends before. */
async function take(subscription: Subscription, count: number): Promise<ServerChange[]> {
  const changes: ServerChange[] = []
  const reader = subscription[Symbol.asyncIterator]()
  while (changes.length < count) {
    const next = await reader.next()
    if (next.done) break
    changes.push(next.value)
  }
  return changes
}

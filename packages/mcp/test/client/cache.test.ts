import {
  type CacheKey,
  type Client,
  type ClientAuth,
  type ClientCache,
  createMemoryClientCache,
} from '@parley/mcp/client'
import { createVirtualClock } from '@parley/mcp/testing'
import { describe, expect, test } from 'vitest'

import { untilIdle } from '../../src/testing/virtual-clock.ts'
import {
  openStandalone,
  type RawStandaloneOptions,
  type RawStandaloneServer,
} from '../support/raw-modern-server.ts'

const inputSchema = { type: 'object' }
const tool = (name: string): object => ({ name, inputSchema })
const acknowledged = 'notifications/subscriptions/acknowledged'

describe('an answer', () => {
  test('is kept as long as the server allows [N07-CACHE-02]', async () => {
    const { server, client, clock } = await open()
    await list(server, client, { tools: [tool('a')], ttlMs: 1_000, cacheScope: 'private' })
    await clock.advance(999)
    expect(await names(client)).toEqual(['a'])
    expect(asked(server, 'tools/list')).toBe(1)
    await clock.advance(1)

    expect(await list(server, client, { tools: [tool('b')] })).toEqual(['b'])
    await client.close()
  })

  test.each([{}, { ttlMs: 0 }, { ttlMs: -5 }])(
    'is not kept without leave: %j [N07-CACHE-02]',
    async (hints) => {
      const { server, client } = await open()
      await list(server, client, { tools: [tool('a')], ...hints })

      expect(await list(server, client, { tools: [tool('b')] })).toEqual(['b'])
      await client.close()
    },
  )

  test('is only for the same operation and the same params [N07-CACHE-03]', async () => {
    const { server, client } = await open()
    const read = async (uri: string, text: string): Promise<unknown> => {
      const reading = client.readResource(uri)
      if (text !== '')
        await server.answer('resources/read', { contents: [{ uri, text }], ttlMs: 1_000 })
      return (await reading).contents[0]
    }
    await read('a:1', 'one')
    await read('a:2', 'two')

    expect(await read('a:1', '')).toEqual({ uri: 'a:1', text: 'one' })
    expect(await read('a:2', '')).toEqual({ uri: 'a:2', text: 'two' })
    await client.close()
  })

  test('is asked for again with fresh, and the new one kept [N07-CACHE-08]', async () => {
    const { server, client } = await open()
    await list(server, client, { tools: [tool('a')], ttlMs: 1_000 })
    const listing = client.listTools({ fresh: true }).toArray()
    await server.answer('tools/list', { tools: [tool('b')], ttlMs: 1_000 })
    await listing

    expect(await names(client)).toEqual(['b'])
    await client.close()
  })

  test('that came after questions is not kept [N07-CACHE-03]', async () => {
    const { server, client } = await open({ roots: [] })
    const reading = client.readResource('a:1')
    const inputRequests = { r: { method: 'roots/list' } }
    await server.answer('resources/read', { resultType: 'input_required', inputRequests })
    await server.answer('resources/read', { contents: [], ttlMs: 1_000 })
    await reading
    client.readResource('a:1').catch(() => undefined)

    expect(await server.expect('resources/read')).toBeDefined()
    await client.close()
  })

  test('to a request that carries answers is not kept [N07-CACHE-03]', async () => {
    const { server, client } = await open()
    const params = { uri: 'a:1', requestState: 's' }
    for (const _ of [1, 2]) {
      const reading = client.request('resources/read', params)
      await server.answer('resources/read', { contents: [], ttlMs: 1_000 })
      await reading
    }

    expect(asked(server, 'resources/read')).toBe(2)
    await client.close()
  })

  test('to a request with something of the caller’s own is not kept; trace context does not count', async () => {
    const { server, client } = await open()
    const own = { _meta: { 'com.example/tenant': 'a' } }
    for (const _ of [1, 2]) {
      const listing = client.listTools(own).toArray()
      await server.answer('tools/list', { tools: [], ttlMs: 1_000 })
      await listing
    }
    await list(server, client, { tools: [tool('a')], ttlMs: 1_000 })
    const traced = {
      _meta: { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' },
    }

    expect(await client.listTools(traced).toArray()).toHaveLength(1)
    await client.close()
  })

  test('belongs to whoever gets it: changing it changes no other', async () => {
    const { server, client } = await open()
    await list(server, client, { tools: [tool('a')], ttlMs: 1_000 })
    const [first] = await client.listTools().toArray()
    Object.assign(first ?? {}, { name: 'spoilt' })

    expect(await names(client)).toEqual(['a'])
    await client.close()
  })

  test('is not kept at all with cache: false', async () => {
    const { server, client } = await open({ cache: false })
    await list(server, client, { tools: [tool('a')], ttlMs: 1_000 })

    expect(await list(server, client, { tools: [tool('b')] })).toEqual(['b'])
    await client.close()
  })

  test('of an older server is never kept', async () => {
    const server = openStandalone({ protocolVersion: 'legacy' })
    const client = await server.accept()
    await list(server, client, { tools: [tool('a')], ttlMs: 1_000 })

    expect(await list(server, client, { tools: [tool('b')] })).toEqual(['b'])
    await client.close()
  })

  test('causes no request by itself when it gets old [N07-CACHE-07]', async () => {
    const { server, client, clock } = await open()
    await list(server, client, { tools: [tool('a')], ttlMs: 1_000 })
    await clock.advance(100_000)

    expect(asked(server, 'tools/list')).toBe(1)
    await client.close()
  })
})

describe('a change', () => {
  test.each([
    ['notifications/tools/list_changed', {}, 'tools/list'],
    ['notifications/prompts/list_changed', {}, 'prompts/list'],
    ['notifications/resources/list_changed', {}, 'resources/list'],
    ['notifications/resources/list_changed', {}, 'resources/templates/list'],
    ['notifications/resources/updated', { uri: 'a:1' }, 'resources/read'],
  ])(
    'makes what it is about stale at once: %s, %s [N07-CACHE-06]',
    async (notification, params, operation) => {
      const { server, client } = await open()
      const listen = await follow(server, client)
      await fill(server, client)
      server.notify(listen, notification, params)
      await untilIdle()
      await server.quiet()
      void ask(client, operation).catch(() => undefined)

      expect(await server.expect(operation)).toBeDefined()
      const others = Object.keys(answers).filter(
        (other) =>
          other !== operation &&
          !(operation.startsWith('resources/') && other.startsWith('resources/')),
      )
      for (const other of others) await ask(client, other)
      await client.close()
    },
  )

  test('while an answer is on its way keeps that from being kept [N07-CACHE-06]', async () => {
    const { server, client } = await open()
    const listen = await follow(server, client)
    const listing = client.listTools().toArray()
    const request = await server.expect('tools/list')
    server.notify(listen, 'notifications/tools/list_changed')
    const result = { tools: [tool('old')], ttlMs: 1_000 }
    server.send({ jsonrpc: '2.0', id: request.id, result })
    await listing

    expect(await list(server, client, { tools: [tool('new')] })).toEqual(['new'])
    await client.close()
  })

  test('that may have been missed makes everything stale', async () => {
    const clock = createVirtualClock()
    const servers: RawStandaloneServer[] = []
    const { server, client } = await open({
      clock,
      reconnect: true,
      onReopened: (next) => servers.push(next),
    })
    await list(server, client, { tools: [tool('old')], ttlMs: 100_000 })
    await server.close()
    await clock.advance(500)
    await servers[0]?.discovered()
    await expect.poll(() => client.status.state).toBe('ready')
    const listing = client.listTools().toArray()
    await servers[0]?.answer('tools/list', { tools: [tool('new')] })

    expect(await listing).toMatchObject([{ name: 'new' }])
    await client.close()
  })
})

describe('pages', () => {
  test('age each by itself [N07-CACHE-09]', async () => {
    const { server, client, clock } = await open()
    const listing = client.listTools().toArray()
    await server.answer('tools/list', { tools: [tool('a')], nextCursor: '2', ttlMs: 1_000 })
    await server.answer('tools/list', { tools: [tool('b')], ttlMs: 5_000 })
    await listing
    await clock.advance(2_000)
    const again = client.listTools().toArray()
    await server.answer('tools/list', { tools: [tool('c')], nextCursor: '2' })

    expect(await again).toMatchObject([{ name: 'c' }, { name: 'b' }])
    await client.close()
  })

  test('are all dropped when a cursor is no longer good, and the list begun anew [N07-CACHE-09]', async () => {
    const { server, client } = await open()
    const page = client.listTools().page()
    await server.answer('tools/list', { tools: [tool('old')], nextCursor: 'stale', ttlMs: 9_000 })
    await page
    const listing = client.listTools().toArray()
    await server.reject('tools/list', { code: -32602, message: 'bad cursor' })
    const anew = await server.answer('tools/list', { tools: [tool('new')] })

    expect(anew.params).not.toHaveProperty('cursor')
    expect(await listing).toMatchObject([{ name: 'new' }])
    await client.close()
  })

  test('are begun anew once only', async () => {
    const { server, client } = await open()
    const listing = client.listTools().toArray()
    listing.catch(() => undefined)
    for (const _ of [1, 2]) {
      await server.answer('tools/list', { tools: [tool('a')], nextCursor: 'x' })
      await server.reject('tools/list', { code: -32602, message: 'bad cursor' })
    }

    await expect(listing).rejects.toMatchObject({ code: 'invalid_params' })
    await client.close()
  })
})

describe('a cache that clients share', () => {
  const target = { cacheName: 'https://example.com/mcp' }

  test.each([
    ['private', 'alice', 'bob', false],
    ['private', 'alice', 'alice', true],
    ['public', 'alice', 'bob', true],
    ['private', undefined, undefined, false],
  ])(
    'gives %s answers of %s to %s: %s [N07-CACHE-04]',
    async (cacheScope, first, second, isShared) => {
      const cache = createMemoryClientCache()
      const one = await open({ cache, target, auth: as(first) })
      const two = await open({ cache, target, auth: as(second) })
      await list(one.server, one.client, { tools: [tool('a')], ttlMs: 1_000, cacheScope })
      const listing = two.client.listTools().toArray()
      if (!isShared) await two.server.answer('tools/list', { tools: [] })

      expect(await listing).toHaveLength(isShared ? 1 : 0)
      await one.client.close()
      await two.client.close()
    },
  )

  test('keeps servers apart; one that has no address is nobody else’s', async () => {
    const cache = createMemoryClientCache()
    const one = await open({ cache })
    const two = await open({ cache })
    await list(one.server, one.client, { tools: [tool('a')], ttlMs: 1_000, cacheScope: 'public' })

    expect(await list(two.server, two.client, { tools: [] })).toEqual([])
    await one.client.close()
    await two.client.close()
  })

  test('may answer later, or fail: then it has nothing, and somebody is told', async () => {
    const inner = createMemoryClientCache()
    const errors: unknown[] = []
    let isBroken = false
    const slow = async <T>(work: () => Promise<T> | T): Promise<T> =>
      isBroken ? Promise.reject(new Error('disk')) : work()
    const cache: ClientCache = {
      get: (key) => slow(() => inner.get(key)),
      set: (key, entry) => slow(() => inner.set(key, entry)),
      delete: (match) => slow(() => inner.delete(match)),
    }
    const { server, client } = await open({ cache, onError: (error) => errors.push(error) })
    await list(server, client, { tools: [tool('a')], ttlMs: 1_000 })
    await untilIdle()
    expect(await names(client)).toEqual(['a'])
    isBroken = true

    expect(await list(server, client, { tools: [tool('b')], ttlMs: 1_000 })).toEqual(['b'])
    await untilIdle()
    expect(errors).toMatchObject([{ message: 'disk' }, { message: 'disk' }, { message: 'disk' }])
    await client.close()
  })

  test('is not believed if what it has is no answer', async () => {
    const cache: ClientCache = {
      get: () => ({ result: { tools: 'none' }, expiresAt: Infinity }),
      set: () => undefined,
      delete: () => undefined,
    }
    const { server, client } = await open({ cache })

    expect(await list(server, client, { tools: [tool('a')] })).toEqual(['a'])
    await client.close()
  })
})

describe('a cache in memory', () => {
  const key: CacheKey = { server: 's', partition: '', operation: 'o', params: '{}' }

  test('holds no more than it may, and lets go of what was not used', async () => {
    const cache = createMemoryClientCache({ maxBytes: 30 })
    const entry = { result: { a: '12345' }, expiresAt: Infinity } // 13 characters
    await cache.set({ ...key, params: '1' }, entry)
    await cache.set({ ...key, params: '2' }, entry)
    expect(cache.get({ ...key, params: '1' })).toBeDefined()
    await cache.set({ ...key, params: '3' }, entry)

    expect(cache.get({ ...key, params: '2' })).toBeUndefined()
    expect(cache.get({ ...key, params: '1' })).toMatchObject({ result: entry.result })
    expect(cache.get({ ...key, params: '3' })).toMatchObject({ result: entry.result })
  })

  test('does not take what is larger than all of it, nor keep what that replaces', async () => {
    const cache = createMemoryClientCache({ maxBytes: 20 })
    await cache.set(key, { result: { a: 1 }, expiresAt: Infinity })
    await cache.set(key, { result: { a: 'x'.repeat(30) }, expiresAt: Infinity })

    expect(cache.get(key)).toBeUndefined()
  })

  test('keeps nothing longer than maxAgeMs', async () => {
    let now = 0
    const cache = createMemoryClientCache({ maxAgeMs: 100, now: () => now })
    await cache.set(key, { result: {}, expiresAt: 1_000 })

    now = 99
    expect(cache.get(key)).toBeDefined()
    now = 100
    expect(cache.get(key)).toBeUndefined()
  })

  test('removes what fits, in all partitions unless one is named', async () => {
    const cache = createMemoryClientCache()
    const entry = { result: {}, expiresAt: Infinity }
    for (const partition of ['', 'alice']) await cache.set({ ...key, partition }, entry)
    await cache.set({ ...key, server: 'other' }, entry)
    await cache.delete({ server: 's', operation: 'o' })

    expect(cache.get(key)).toBeUndefined()
    expect(cache.get({ ...key, partition: 'alice' })).toBeUndefined()
    expect(cache.get({ ...key, server: 'other' })).toBeDefined()
  })
})

/** An answer for each operation that may be kept. */
const answers: Record<string, object> = {
  'tools/list': { tools: [] },
  'prompts/list': { prompts: [] },
  'resources/list': { resources: [] },
  'resources/templates/list': { resourceTemplates: [] },
  'resources/read': { contents: [] },
}

function ask(client: Client, operation: string): Promise<unknown> {
  const methods: Record<string, () => Promise<unknown>> = {
    'tools/list': () => client.listTools().toArray(),
    'prompts/list': () => client.listPrompts().toArray(),
    'resources/list': () => client.listResources().toArray(),
    'resources/templates/list': () => client.listResourceTemplates().toArray(),
    'resources/read': () => client.readResource('a:1'),
  }
  return methods[operation]?.() ?? Promise.reject(new TypeError(operation))
}

async function fill(server: RawStandaloneServer, client: Client): Promise<void> {
  for (const [operation, result] of Object.entries(answers)) {
    const requesting = ask(client, operation)
    await server.answer(operation, { ...result, ttlMs: 100_000 })
    await requesting
  }
}

async function follow(server: RawStandaloneServer, client: Client) {
  const filter = {
    toolsListChanged: true,
    promptsListChanged: true,
    resourcesListChanged: true,
    resourceSubscriptions: ['a:1'],
  }
  const listening = client.listen(filter)
  const listen = await server.expect('subscriptions/listen')
  server.notify(listen, acknowledged, { notifications: filter })
  await listening
  return listen
}

async function open(options: RawStandaloneOptions = {}) {
  const clock = createVirtualClock()
  const server = openStandalone({ clock, ...options })
  return { server, client: await server.discovered(), clock }
}

/** Lists tools, has the request answered, and gives their names. */
async function list(
  server: RawStandaloneServer,
  client: Client,
  result: object,
): Promise<readonly string[]> {
  const listing = names(client)
  await server.answer('tools/list', result)
  return listing
}

async function names(client: Client): Promise<readonly string[]> {
  return (await client.listTools().toArray()).map(({ name }) => name)
}

function asked({ received }: RawStandaloneServer, method: string): number {
  return received.filter((message) => message.method === method).length
}

function as(partition: string | undefined): ClientAuth {
  return {
    authorize: async () => ({}),
    challenged: async () => false,
    ...(partition !== undefined && { partition }),
  }
}

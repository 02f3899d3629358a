import { createServer } from '@parley/mcp/server'
import { createTestClient, testAuth } from '@parley/mcp/testing'
import { describe, expect, test } from 'vitest'

import { untilIdle } from '../../src/testing/virtual-clock.ts'
import { describeServer } from '../support/matrix.ts'

describeServer('a subscription', ({ rawClient }) => {
  test('is answered with an empty result, and so is its end [RES-07]', async () => {
    const server = createServer({ name: 'notes', version: '1' })
    server.resource('note://{id}', {}, ({ id }) => id)
    const client = await rawClient(server)

    const answers = [
      await client.request('resources/subscribe', { uri: 'note://1' }),
      await client.request('resources/subscribe', { uri: 'note://1' }),
      await client.request('resources/unsubscribe', { uri: 'note://1' }),
      await client.request('resources/unsubscribe', { uri: 'note://1' }),
    ]

    expect(answers.map(({ result }) => result)).toEqual([{}, {}, {}, {}])
    await client.close()
  })

  test('tells of changes to its own resource, until it ends [RES-08]', async () => {
    const server = createServer({ name: 'notes', version: '1' })
    server.resource('note://{id}', {}, ({ id }) => id)
    const client = await rawClient(server)

    server.notifyChanged({ uri: 'note://1' })
    await client.request('resources/subscribe', { uri: 'note://1' })
    server.notifyChanged({ uri: 'note://2' })
    server.notifyChanged({ uri: 'note://1' })
    await client.request('resources/unsubscribe', { uri: 'note://1' })
    server.notifyChanged({ uri: 'note://1' })

    expect(await client.quiet()).toEqual([
      {
        jsonrpc: '2.0',
        method: 'notifications/resources/updated',
        params: { uri: 'note://1' },
      },
    ])
    await client.close()
  })

  test('to what does not exist is refused [RES-17, RES-19]', async () => {
    const server = createServer({ name: 'notes', version: '1' })
    server.resource('note://{id}', {}, ({ id }) => id)
    const client = await rawClient(server)

    const answers = [
      await client.request('resources/subscribe', { uri: 'other://1' }),
      await client.request('resources/subscribe', { uri: 'note://..' }),
      await client.request('resources/subscribe', {}),
    ]

    expect(answers.map(({ error }) => error?.code)).toEqual([-32002, -32002, -32602])
    await client.close()
  })
})

describe('a subscription', () => {
  test('is refused to those who may not see or read the resource [RES-20, RES-22]', async () => {
    const server = createServer({ name: 'notes', version: '1' })
    server.resource('hidden://1', { visible: () => false }, () => '')
    server.resource('scoped://1', { scopes: ['notes'] }, () => '')
    await using client = await createTestClient(server, {
      revision: '2025-11-25',
      caller: testAuth(),
    })
    const subscribe = (uri: string): Promise<unknown> =>
      client.request('resources/subscribe', { uri })

    await expect(subscribe('hidden://1')).rejects.toMatchObject({ code: 'resource_not_found' })
    await expect(subscribe('scoped://1')).rejects.toMatchObject({ code: 'insufficient_scope' })
  })

  test('is one of ten thousand at most', async () => {
    const server = createServer({ name: 'notes', version: '1' })
    server.resource('note://{id}', {}, ({ id }) => id)
    await using client = await createTestClient(server, { revision: '2025-11-25' })
    const subscribe = (id: number): Promise<unknown> =>
      client.request('resources/subscribe', { uri: `note://${id}` })
    for (let start = 0; start < 10_000; start += 500) {
      await Promise.all(Array.from({ length: 500 }, (_, index) => subscribe(start + index)))
    }

    await expect(subscribe(10_000)).rejects.toMatchObject({
      code: 'limit_exceeded',
      data: { limit: 'subscriptions', allowed: 10_000 },
    })
    await client.request('resources/unsubscribe', { uri: 'note://5' })
    await expect(subscribe(10_000)).resolves.toEqual({})
  })

  test('watches from the first subscriber of a URI to the last', async () => {
    const events: string[] = []
    let change = (): void => undefined
    const server = createServer({ name: 'notes', version: '1' })
    server.resource(
      'note://{id}',
      {
        watch({ id }, changed, signal) {
          events.push(`start ${id}`)
          change = changed
          signal.addEventListener('abort', () => void events.push(`stop ${id}`))
        },
      },
      ({ id }) => id,
    )
    const updates: string[] = []
    const open = (name: string) =>
      createTestClient(server, {
        revision: '2025-11-25',
        onMessage({ message }) {
          if (JSON.stringify(message).includes('resources/updated')) updates.push(name)
        },
      })
    const [one, two] = [await open('one'), await open('two')]

    await one.request('resources/subscribe', { uri: 'note://1' })
    await two.request('resources/subscribe', { uri: 'note://1' })
    await one.request('resources/subscribe', { uri: 'note://1' })
    change()
    await untilIdle()
    expect(updates.toSorted()).toEqual(['one', 'two'])
    await one.request('resources/unsubscribe', { uri: 'note://1' })
    expect(events).toEqual(['start 1'])
    await two.close()
    await untilIdle()
    expect(events).toEqual(['start 1', 'stop 1'])
    change()
    await one.request('resources/subscribe', { uri: 'note://1' })

    expect(events).toEqual(['start 1', 'stop 1', 'start 1'])
    expect(updates).toHaveLength(2)
    await one.close()
  })

  test('survives a watch that fails, which is reported', async () => {
    const reports: unknown[] = []
    const server = createServer({
      name: 'notes',
      version: '1',
      onError: (error, { operation }) => void reports.push([operation, (error as Error).message]),
    })
    server.resource(
      'note://1',
      { watch: () => Promise.reject(new Error('no inotify')) },
      () => 'one',
    )
    await using client = await createTestClient(server, { revision: '2025-11-25' })

    await client.request('resources/subscribe', { uri: 'note://1' })
    await untilIdle()

    expect(reports).toEqual([['watch note://1', 'no inotify']])
  })

  test('reaches a mounted resource, and hears its own server', async () => {
    const received: unknown[] = []
    const inner = createServer({ name: 'inner', version: '1' })
    inner.resource('note://{id}', {}, ({ id }) => id)
    const outer = createServer({ name: 'outer', version: '1' })
    outer.mount('inner', inner)
    await using client = await createTestClient(outer, {
      revision: '2025-11-25',
      onMessage: ({ message }) => void received.push(message),
    })

    await client.request('resources/subscribe', { uri: 'note://1' })
    inner.notifyChanged({ uri: 'note://1' })
    await untilIdle()

    expect(received.at(-1)).toMatchObject({
      method: 'notifications/resources/updated',
      params: { uri: 'note://1' },
    })
  })
})

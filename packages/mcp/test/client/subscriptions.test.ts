import type { ServerChange, Subscription } from '@parley/mcp/client'
import { createServer } from '@parley/mcp/server'
import { expect, test } from 'vitest'

import { untilIdle } from '../../src/testing/virtual-clock.ts'
import { describeMatrix } from '../support/matrix.ts'
import type { RawServer } from '../support/raw-server.ts'

const all = {
  toolsListChanged: true,
  promptsListChanged: true,
  resourcesListChanged: true,
  resourceSubscriptions: ['notes://1'],
}
const everything = {
  capabilities: {
    tools: { listChanged: true },
    prompts: { listChanged: true },
    resources: { listChanged: true, subscribe: true },
  },
}

describeMatrix('a subscription', ({ connect, rawServer }) => {
  test('hears each kind of change [SCH-31, RES-09]', async () => {
    const server = rawServer()
    const client = await server.accept(everything)
    const subscription = await listen(server, client.listen(all))

    for (const kind of ['tools', 'prompts', 'resources']) notify(server, kind)
    update(server, 'notes://1')
    update(server, 'notes://other')

    expect(await take(subscription, 4)).toEqual([
      { type: 'tools' },
      { type: 'prompts' },
      { type: 'resources' },
      { type: 'resource', uri: 'notes://1' },
    ])
    await client.close()
  })

  test('hears of a part of what it follows, whatever that is called [RES-08]', async () => {
    const server = rawServer()
    const client = await server.accept(everything)
    const notes = await listen(server, client.listen({ resourceSubscriptions: ['notes://1'] }))
    const files = await listen(server, client.listen({ resourceSubscriptions: ['file:///a'] }))

    for (const uri of ['notes://1/title', 'file:///a/b', 'file:///ab', 'other://1', 'file:///a']) {
      update(server, uri)
    }

    const uris = async (subscription: Subscription, count: number): Promise<string[]> =>
      (await take(subscription, count)).map((change) => ('uri' in change ? change.uri : ''))
    expect(await uris(notes, 3)).toEqual(['notes://1/title', 'file:///ab', 'other://1'])
    expect(await uris(files, 4)).toEqual(['file:///a/b', 'file:///ab', 'other://1', 'file:///a'])
    await client.close()
  })

  test('hears only what it asked for', async () => {
    const server = rawServer()
    const client = await server.accept(everything)
    const subscription = await client.listen({ promptsListChanged: true })

    notify(server, 'tools')
    update(server, 'notes://1')
    notify(server, 'prompts')

    expect(await take(subscription, 1)).toEqual([{ type: 'prompts' }])
    await client.close()
  })

  test('keeps one change of a kind and URI for a reader that is slow', async () => {
    const server = rawServer()
    const client = await server.accept(everything)
    const subscription = await listen(server, client.listen(all))

    for (let count = 0; count < 100; count += 1) {
      notify(server, 'tools')
      update(server, 'notes://1')
    }
    await server.quiet()
    await untilIdle()
    const [changes] = await Promise.all([readAll(subscription), client.close()])

    expect(changes).toEqual([{ type: 'tools' }, { type: 'resource', uri: 'notes://1' }])
  })

  test('says what the server agreed to, and asks for no more [RES-09]', async () => {
    const server = rawServer()
    const client = await server.accept({
      capabilities: { tools: {}, resources: { listChanged: true }, prompts: { listChanged: true } },
    })

    const { accepted } = await client.listen(all)

    expect(accepted).toEqual({ promptsListChanged: true, resourcesListChanged: true })
    expect((await server.quiet()).map(({ method }) => method)).not.toContain('resources/subscribe')
    await client.close()
  })

  test('follows a URI once for everybody who does, and leaves it with the last [RES-09]', async () => {
    const server = rawServer()
    const client = await server.accept(everything)
    const only = { resourceSubscriptions: ['notes://1'] }

    const first = await listen(server, client.listen(only))
    const second = await client.listen(only)
    await first[Symbol.asyncDispose]()
    const early = await server.quiet()
    const leaving = second[Symbol.asyncDispose]()
    const { params } = await server.answer('resources/unsubscribe', {})
    await leaving

    expect(early.filter(({ id }) => id !== undefined)).toEqual([])
    expect(params).toEqual({ uri: 'notes://1' })
    await client.close()
  })

  test('is there when the server has agreed, also for who came second', async () => {
    const server = rawServer()
    const client = await server.accept(everything)
    const only = { resourceSubscriptions: ['notes://1'] }

    const opening = [client.listen(only), client.listen(only)]
    const outcomes = Promise.all(opening.map((one) => one.catch((error: unknown) => error)))
    await server.reject('resources/subscribe', { code: -32002, message: 'not yet' })
    for (const outcome of await outcomes) {
      expect(outcome).toMatchObject({ code: 'resource_not_found' })
    }
    const again = client.listen(only)
    await server.answer('resources/subscribe', {})

    expect((await again).accepted).toEqual(only)
    await client.close()
  })

  test('ends for its reader when it is disposed, once', async () => {
    const server = rawServer()
    const client = await server.accept(everything)
    const subscription = await client.listen({ toolsListChanged: true })

    const reading = readAll(subscription)
    await subscription[Symbol.asyncDispose]()
    await subscription[Symbol.asyncDispose]()

    expect(await reading).toEqual([])
    await client.close()
  })

  test('ends normally when the client closes, and asks nothing more of the server', async () => {
    const server = rawServer()
    const client = await server.accept(everything)
    const subscription = await listen(server, client.listen(all))

    const reading = readAll(subscription)
    await client.close()
    await subscription[Symbol.asyncDispose]()

    expect(await reading).toEqual([])
    expect(server.received.map(({ method }) => method)).not.toContain('resources/unsubscribe')
  })

  test('that the server refuses rejects, and leaves what it followed and nothing else [RES-09]', async () => {
    const server = rawServer()
    const client = await server.accept(everything)

    const opening = client.listen({ resourceSubscriptions: ['notes://1', 'notes://none'] })
    opening.catch(() => undefined)
    await server.answer('resources/subscribe', {})
    await server.reject('resources/subscribe', { code: -32002, message: 'none such' })
    const left = await server.answer('resources/unsubscribe', {})

    await expect(opening).rejects.toMatchObject({ code: 'resource_not_found' })
    expect(left.params).toEqual({ uri: 'notes://1' })
    expect(await server.quiet()).not.toContainEqual(
      expect.objectContaining({ method: 'resources/unsubscribe' }),
    )
    await client.close()
  })

  test('brings the new contents by reading again [RES-09]', async () => {
    let text = 'old'
    const server = createServer({ name: 'notes', version: '1.0.0' })
    server.resource('notes://1', {}, () => text)
    await using client = await connect(server)
    const subscription = await client.listen({ resourceSubscriptions: ['notes://1'] })

    text = 'new'
    server.notifyChanged({ uri: 'notes://1' })
    const [change] = await take(subscription, 1)
    const { contents } = await client.readResource('notes://1')

    expect(change).toEqual({ type: 'resource', uri: 'notes://1' })
    expect(contents).toMatchObject([{ text: 'new' }])
  })

  test('takes no harm from what is no change at all [DEC-09]', async () => {
    const server = rawServer()
    const client = await server.accept(everything)
    const subscription = await listen(server, client.listen(all))

    for (const params of [{}, { uri: 7 }]) {
      server.send({ jsonrpc: '2.0', method: 'notifications/resources/updated', params })
    }
    const params = { uri: 'notes://1', title: 'as first published' }
    server.send({ jsonrpc: '2.0', method: 'notifications/resources/updated', params })

    expect(await take(subscription, 1)).toEqual([{ type: 'resource', uri: 'notes://1' }])
    await client.close()
  })
})

function notify(server: RawServer, kind: string): void {
  server.send({ jsonrpc: '2.0', method: `notifications/${kind}/list_changed` })
}

function update(server: RawServer, uri: string): void {
  server.send({ jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri } })
}

/** Answers the one `resources/subscribe` a listener needs. */
async function listen(server: RawServer, opening: Promise<Subscription>): Promise<Subscription> {
  await server.answer('resources/subscribe', {})
  return opening
}

async function take(subscription: Subscription, count: number): Promise<readonly ServerChange[]> {
  const changes: ServerChange[] = []
  for await (const change of subscription) {
    changes.push(change)
    if (changes.length === count) break
  }
  return changes
}

async function readAll(subscription: Subscription): Promise<readonly ServerChange[]> {
  const changes: ServerChange[] = []
  for await (const change of subscription) changes.push(change)
  return changes
}

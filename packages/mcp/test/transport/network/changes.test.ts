import type { ServerChange, Subscription } from '@parley/mcp/client'
import { createServer, type Server } from '@parley/mcp/server'
import { expect, test } from 'vitest'
import { z } from 'zod'

import { describeNetwork, eventually } from '../../support/network.ts'

const cities: Record<string, readonly string[]> = { norway: ['Oslo'], france: ['Paris', 'Pau'] }

function createLibrary(): Server {
  const server = createServer({ name: 'library', version: '1.0.0' })
  server.tool('lend', {}, () => 'lent')
  server.resource('book://index', { name: 'index', mimeType: 'text/markdown' }, () => '# Books')
  server.resource('book://cover', { name: 'cover', mimeType: 'image/png' }, () =>
    Uint8Array.of(0, 255, 128),
  )
  server.resource(
    'book://{country}/{city}',
    {
      name: 'guide',
      complete: {
        city: (value, { country = '' }) =>
          (cities[country] ?? []).filter((name) => name.startsWith(value)),
      },
    },
    ({ country, city }) => `${city} in ${country}`,
  )
  server.prompt(
    'plan',
    {
      argumentsSchema: z.object({ country: z.string() }),
      complete: { country: (value) => Object.keys(cities).filter((name) => name.includes(value)) },
    },
    ({ country }) => country,
  )
  return server
}

describeNetwork('resources', ({ revision, serve }) => {
  test('are listed and read, as text, as bytes and by template', async () => {
    await using network = await serve(createLibrary())
    const client = await network.connect()

    const resources = await client.listResources().toArray()
    const templates = await client.listResourceTemplates().toArray()
    const read = await Promise.all(
      ['book://index', 'book://cover', 'book://norway/Troms%C3%B8'].map((uri) =>
        client.readResource(uri),
      ),
    )

    expect(resources.map(({ uri }) => uri)).toEqual(['book://index', 'book://cover'])
    expect(templates).toMatchObject([{ name: 'guide', uriTemplate: 'book://{country}/{city}' }])
    expect(read.map(({ contents }) => contents[0])).toEqual([
      { uri: 'book://index', mimeType: 'text/markdown', text: '# Books' },
      { uri: 'book://cover', mimeType: 'image/png', blob: 'AP+A' },
      { uri: 'book://norway/Troms%C3%B8', mimeType: 'text/plain', text: 'Tromsø in norway' },
    ])
  })

  test('and prompts complete their arguments, with what is known where the revision can say it', async () => {
    await using network = await serve(createLibrary())
    const client = await network.connect()
    const guide = { type: 'ref/resource', uri: 'book://{country}/{city}' } as const
    const city = { name: 'city', value: 'P' }

    const country = await client.complete(
      { type: 'ref/prompt', name: 'plan' },
      { name: 'country', value: 'an' },
    )
    const found = await client.complete(guide, city, { known: { country: 'france' } })

    expect(country.values).toEqual(['france'])
    expect(found.values).toEqual(revision >= '2025-06-18' ? ['Paris', 'Pau'] : [])
  })
})

describeNetwork(
  'changes',
  ({ serve }) => {
    test('of a resource are told to those who follow it, until they no longer do', async () => {
      const server = createLibrary()
      const watching = new Map<string, () => void>()
      server.resource(
        'news://{topic}',
        {
          watch({ topic }, changed, signal) {
            watching.set(topic, changed)
            signal.addEventListener('abort', () => watching.delete(topic))
          },
        },
        ({ topic }) => topic,
      )
      await using network = await serve(server)
      const updated: unknown[] = []
      const ada = await network.connect()
      const bob = await network.connect({
        onMessage({ direction, message }) {
          const { method, params } = message as { method?: string; params?: { uri?: string } } // no batches here
          if (direction === 'in' && method?.endsWith('/updated')) updated.push(params?.uri)
        },
      })
      const news = await ada.listen({ resourceSubscriptions: ['news://sport', 'book://index'] })
      await using other = await bob.listen({ resourceSubscriptions: ['news://art'] })
      const [received, otherHeard] = [listenTo(news), listenTo(other)]

      watching.get('sport')?.()
      server.notifyChanged({ uri: 'book://index' })
      server.notifyChanged({ uri: 'book://cover' })
      watching.get('art')?.()

      const sport = { type: 'resource', uri: 'news://sport' }
      await eventually(() =>
        expect(received).toEqual([sport, { type: 'resource', uri: 'book://index' }]),
      )
      await eventually(() => expect(otherHeard).toEqual([{ type: 'resource', uri: 'news://art' }]))
      expect(updated).toEqual(['news://art']) // the server sent nothing else
      await news[Symbol.asyncDispose]()
      await eventually(() => expect([...watching.keys()]).toEqual(['art']))
      server.notifyChanged({ uri: 'book://index' })
      watching.get('art')?.()
      await eventually(() => expect(otherHeard).toHaveLength(2))
      expect(received).toHaveLength(2)
      expect(news.accepted).toEqual({ resourceSubscriptions: ['news://sport', 'book://index'] })
    })

    test('of lists are told to whoever listens, by kind', async () => {
      const server = createLibrary()
      await using network = await serve(server)
      const [ada, bob] = [await network.connect(), await network.connect()]
      await using all = await ada.listen({
        toolsListChanged: true,
        promptsListChanged: true,
        resourcesListChanged: true,
      })
      await using prompts = await bob.listen({ promptsListChanged: true })
      const [received, promptsHeard] = [listenTo(all), listenTo(prompts)]

      server.tool('buy', {}, () => 'bought')
      server.prompt('ask', {}, () => 'asked')
      server.resource('book://new', {}, () => 'new')

      const kinds = () => received.map(({ type }) => type).toSorted()
      await eventually(() => expect(kinds()).toEqual(['prompts', 'resources', 'tools']))
      await eventually(() => expect(promptsHeard).toEqual([{ type: 'prompts' }]))
    })

    test('of a list that is watched give it anew', async () => {
      const server = createLibrary()
      await using network = await serve(server)
      const client = await network.connect()
      const lists: string[][] = []

      for await (const tools of client.watch('tools', { debounceMs: 5 })) {
        lists.push(tools.map(({ name }) => name))
        if (lists.length === 2) break
        server.tool('buy', {}, () => 'bought')
      }

      expect(lists).toEqual([['lend'], ['lend', 'buy']])
      expect(await client.callTool('buy')).toMatchObject({ content: [{ text: 'bought' }] })
    })
  },
  { wayBack: true },
)

/** Everything a subscription says, as it comes. */
function listenTo(subscription: Subscription): readonly ServerChange[] {
  const received: ServerChange[] = []
  void (async () => {
    for await (const change of subscription) received.push(change)
  })()
  return received
}

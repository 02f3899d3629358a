import { createServer, type Server } from '@parley/mcp/server'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'

import { officialEverything } from '../programs.ts'
import { openV1, openV2 } from './official-clients.ts'
import { serveTest, startTestGateway } from './running.ts'

function notes(): Server {
  const server = createServer({ name: 'notes', version: '1.0.0', onDeprecated: () => undefined })
  server.tool('ask', {}, async (_, { elicit, sample, listRoots }) => {
    const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } } as const
    const named = await elicit({ message: 'Who?', requestedSchema })
    const sampled = await sample({ messages: [], maxTokens: 5 })
    const [root] = await listRoots()
    return JSON.stringify([named, sampled.content, root])
  })
  server.resource('note://{id}', { name: 'note', complete: { id: () => ['1', '2'] } }, () => 'text')
  server.resource('note://list', { name: 'all' }, () => 'all')
  server.prompt(
    'write',
    { argumentsSchema: z.object({ style: z.string() }), complete: { style: () => ['short'] } },
    ({ style }) => `Write ${style}.`,
  )
  return server
}

test.each([
  ['v1', openV1],
  ['v2, legacy', (url: URL) => openV2(url, 'legacy')],
  ['v2, auto', (url: URL) => openV2(url, 'auto')],
] as const)(
  'the official client (%s) uses two servers as one',
  async (_, openClient) => {
    const definition = notes()
    await using service = await serveTest(definition)
    await using gateway = await startTestGateway({
      servers: { notes: { url: service.url.href }, theirs: officialEverything },
    })
    if (gateway.url === undefined) throw new TypeError('it listens')
    await using client = await openClient(gateway.url)
    const { received } = client

    const names = await client.toolNames()
    expect(names).toEqual(expect.arrayContaining(['notes__ask', 'theirs__echo']))
    expect(await client.callTool('theirs__echo', { message: 'hello' })).toContain('hello')
    const asked = await client.callTool('notes__ask')
    expect(asked).toMatch(/Ada.*Forty-two.*file:\/\/\/home\/ada/)
    expect(received).toEqual(
      expect.arrayContaining(['elicitation/create', 'sampling/createMessage', 'roots/list']),
    )
    const styles = await client.complete({
      ref: { type: 'ref/prompt', name: 'notes__write' },
      argument: { name: 'style', value: '' },
    })
    expect(styles).toEqual(['short'])
    const ids = await client.complete({
      ref: { type: 'ref/resource', uri: 'note://{id}' },
      argument: { name: 'id', value: '' },
    })
    expect(ids).toEqual(['1', '2'])
    await client.follow('note://list')
    definition.notifyChanged({ uri: 'note://list' })
    await vi.waitFor(() => expect(received).toContain('note://list'))
  },
  120_000,
)

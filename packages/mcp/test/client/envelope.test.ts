import type { Client } from '@parley/mcp/client'
import { describe, expect, test } from 'vitest'

import { metaKeys } from '../../src/wire/request-meta.ts'
import type { Raw } from '../support/raw-channel.ts'
import {
  openStandalone,
  standalone,
  serverInfo,
  type RawStandaloneOptions,
} from '../support/raw-modern-server.ts'

const inputSchema = { type: 'object' }

/** What each method of a client sends, and an answer to it. */
const methods: readonly [string, (client: Client) => Promise<unknown>, object][] = [
  ['tools/list', (client) => client.listTools().toArray(), { tools: [] }],
  ['tools/call', (client) => client.callTool('t', { a: 1 }), { content: [] }],
  ['resources/list', (client) => client.listResources().toArray(), { resources: [] }],
  [
    'resources/templates/list',
    (client) => client.listResourceTemplates().toArray(),
    { resourceTemplates: [] },
  ],
  ['resources/read', (client) => client.readResource('a:b'), { contents: [] }],
  ['prompts/list', (client) => client.listPrompts().toArray(), { prompts: [] }],
  ['prompts/get', (client) => client.getPrompt('p'), { messages: [] }],
  [
    'completion/complete',
    (client) => client.complete({ type: 'ref/prompt', name: 'p' }, { name: 'a', value: 'b' }),
    { completion: { values: [] } },
  ],
  ['server/discover', (client) => client.ping(), serverInfo()],
  ['com.example/own', (client) => client.request('com.example/own'), {}],
]

describe('every request of 2026-07-28', () => {
  test.each(methods)(
    'says revision, capabilities and client: %s [N07-ENV-01] [N07-ENV-02]',
    async (method, call, result) => {
      const server = openStandalone({ info: { name: 'c', version: '2' } })
      const client = await server.discovered()
      const calling = call(client)
      const request = await server.answer(method, { resultType: 'complete', ...result })
      await calling

      expect(request.params?.['_meta']).toEqual({
        [metaKeys.version]: standalone,
        [metaKeys.capabilities]: {},
        [metaKeys.client]: { name: 'c', version: '2' },
      })
      await client.close()
    },
  )

  test('leaves the client out if told to, but not in a handshake [N07-ENV-02]', async () => {
    expect(await metaOf({ info: false })).not.toHaveProperty([metaKeys.client])

    const old = openStandalone({ info: false, protocolVersion: 'legacy' })
    expect((await old.expect('initialize')).params).toHaveProperty('clientInfo.name')
    await old.close()
  })

  test('declares what the client can be asked; roots announce nothing [N07-ENV-07]', async () => {
    const meta = await metaOf({
      elicit: () => ({ action: 'decline' }),
      sample: () => Promise.reject(new Error('no')),
      roots: [],
    })

    expect(meta).toMatchObject({
      [metaKeys.capabilities]: { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} },
    })
    expect(meta).not.toHaveProperty([metaKeys.capabilities, 'roots', 'listChanged'])
  })

  test('declares extensions with their settings, and none by default [N07-EXT-01] [N07-EXT-03]', async () => {
    const extensions = [{ id: 'com.example/a' }, { id: 'com.example/b', settings: { deep: true } }]

    expect(await metaOf({ extensions })).toHaveProperty([metaKeys.capabilities], {
      extensions: { 'com.example/a': {}, 'com.example/b': { deep: true } },
    })
    expect(await metaOf({})).toHaveProperty([metaKeys.capabilities], {})
  })

  test('passes trace context through as it is [N07-ENV-09]', async () => {
    const server = openStandalone()
    const client = await server.discovered()
    const _meta = {
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      tracestate: 'congo=t61rcWkgMzE',
      baggage: 'userId=alice',
      'com.example/own': [1],
    }
    const calling = client.callTool('t', {}, { _meta })
    const request = await server.answer('tools/call', { content: [] })
    await calling

    expect(request.params?.['_meta']).toMatchObject(_meta)
    await client.close()
  })

  test('lets nobody write its own keys over it [N07-ENV-08]', async () => {
    const server = openStandalone()
    const client = await server.discovered()
    const calling = client.callTool('t', {}, { _meta: { [metaKeys.version]: '1900-01-01' } })
    const request = await server.answer('tools/call', { content: [] })
    await calling

    expect(request.params?.['_meta']).toMatchObject({ [metaKeys.version]: standalone })
    await client.close()
  })

  test('keeps its progress token beside the rest, one for each request [N07-PROG-02]', async () => {
    const server = openStandalone()
    const client = await server.discovered()
    const seen: unknown[] = []
    const first = client.callTool('a', {}, { onProgress: (progress) => seen.push(progress) })
    const second = client.callTool('b', {}, { onProgress: () => undefined })
    const requests = [await server.expect('tools/call'), await server.expect('tools/call')]
    const tokens = requests.map((request) => metaIn(request)['progressToken'])
    const params = { progressToken: tokens[0], progress: 1 }
    server.send({ jsonrpc: '2.0', method: 'notifications/progress', params })
    for (const { id } of requests) server.send({ jsonrpc: '2.0', id, result: { content: [] } })
    await Promise.all([first, second])

    expect(new Set(tokens).size).toBe(2)
    expect(seen).toEqual([{ progress: 1 }])
    expect(metaIn(requests[0])).toHaveProperty([metaKeys.version])
    await client.close()
  })
})

describe('the logging level', () => {
  test('travels with later requests and sends nothing by itself [N07-LOG-02]', async () => {
    const server = openStandalone()
    const client = await server.discovered()
    await client.setLoggingLevel('warning')
    expect(server.received).toHaveLength(1)
    const calling = client.callTool('t')
    const request = await server.answer('tools/call', { content: [] })
    await calling

    expect(metaIn(request)).toMatchObject({ [metaKeys.logLevel]: 'warning' })
    await client.close()
  })

  test('cannot be set where the server does not log [N07-LOG-03]', async () => {
    const server = openStandalone()
    const client = await server.discovered({ capabilities: {} })

    await expect(client.setLoggingLevel('info')).rejects.toMatchObject({ code: 'unsupported' })
    await client.close()
  })
})

test('what the server does not offer is not asked of it [N07-DISC-03]', async () => {
  const server = openStandalone()
  const client = await server.discovered({ capabilities: { prompts: {} } })

  await expect(client.callTool('t')).rejects.toMatchObject({ code: 'unsupported' })
  expect(server.received).toHaveLength(1)
  await client.close()
})

test('tools keep schema words nobody here knows [N07-TOOL-07] [N07-TOOL-02]', async () => {
  const server = openStandalone()
  const client = await server.discovered()
  const strange = { ...inputSchema, $defs: { a: {} }, $anchor: 'x', oneOf: [{}], 'x-own': 1 }
  const tool = { name: 't', inputSchema: strange, outputSchema: { type: 'array' } }
  const listing = client.listTools().toArray()
  await server.answer('tools/list', { tools: [tool] })

  expect(await listing).toEqual([tool])
  await client.close()
})

test('an empty cursor leads to another page [N07-PAGE-01]', async () => {
  const server = openStandalone()
  const client = await server.discovered()
  const listing = client.listTools().toArray()
  await server.answer('tools/list', { tools: [], nextCursor: '' })
  const second = await server.answer('tools/list', { tools: [] })

  expect(await listing).toEqual([])
  expect(second.params).toMatchObject({ cursor: '' })
  await client.close()
})

test.each([
  ['-32602 with the URI', -32602, { uri: 'a:b' }, 'resource_not_found'],
  ['-32002', -32002, undefined, 'resource_not_found'],
  ['-32602 alone', -32602, undefined, 'invalid_params'],
  ['-32001, which means nothing', -32001, undefined, 'other'],
])('a resource that is not there: %s [N07-RSC-02] [N07-ERR-03]', async (_, code, data, name) => {
  const server = openStandalone()
  const client = await server.discovered()
  const reading = client.readResource('a:b')
  reading.catch(() => undefined)
  await server.reject('resources/read', { code, message: 'no', ...(data && { data }) })

  await expect(reading).rejects.toMatchObject({ code: name })
  await client.close()
})

async function metaOf(options: RawStandaloneOptions): Promise<Record<string, unknown>> {
  const server = openStandalone(options)
  const client = await server.discovered()
  const calling = client.callTool('t')
  const request = await server.answer('tools/call', { content: [] })
  await calling
  await client.close()
  return metaIn(request)
}

function metaIn(request: Raw | undefined): Record<string, unknown> {
  return request?.params?.['_meta'] as Record<string, unknown>
}

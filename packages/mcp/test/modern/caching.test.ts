import { createServer, type Server, type ServerOptions } from '@parley/mcp/server'
import { expect, test } from 'vitest'

import { describeStandalone } from '../support/modern-client.ts'

const hinted = [
  ['server/discover', {}],
  ['tools/list', {}],
  ['prompts/list', {}],
  ['resources/list', {}],
  ['resources/templates/list', {}],
  ['resources/read', { uri: 'notes://plain' }],
] as const
const unhinted = [
  ['tools/call', { name: 'tool-1' }],
  ['prompts/get', { name: 'prompt' }],
  [
    'completion/complete',
    { ref: { type: 'ref/prompt', name: 'prompt' }, argument: { name: 'a', value: '' } },
  ],
] as const

function createSample(options: Partial<ServerOptions> = {}): Server {
  const server = createServer({ name: 'sample', version: '1', ...options, app: undefined })
  for (let index = 1; index <= 5; index += 1) server.tool(`tool-${index}`, {}, () => 'x')
  const argumentsSchema = { type: 'object', properties: { a: { type: 'string' } } } as const
  server.prompt('prompt', { argumentsSchema, complete: { a: () => ['b'] } }, () => 'p')
  server.resource('notes://plain', {}, () => 'plain')
  server.resource('notes://hinted', { cache: { ttlMs: 5_000, scope: 'public' } }, () => 'hinted')
  server.resource('notes://{id}', {}, async (_, context) =>
    JSON.stringify(await context.listRoots()),
  )
  return server
}

describeStandalone('a hint for caches', ({ open }) => {
  test('is on every result that may be kept: for no time at all, unless the author says more [N07-CACHE-01, N07-T-06]', async () => {
    const client = await open(createSample())

    for (const [method, params] of hinted) {
      const { result } = await client.request(method, params)
      expect([method, result]).toMatchObject([method, { ttlMs: 0, cacheScope: 'private' }])
    }
  })

  test('is what the author says [N07-CACHE-01]', async () => {
    const client = await open(createSample({ cache: { ttlMs: 60_000, scope: 'public' } }))

    for (const [method, params] of hinted.slice(0, -1)) {
      const { result } = await client.request(method, params)
      expect([method, result]).toMatchObject([method, { ttlMs: 60_000, cacheScope: 'public' }])
    }
    const { result } = await client.request('resources/read', { uri: 'notes://hinted' })
    expect(result).toMatchObject({ ttlMs: 5_000, cacheScope: 'public' })
  })

  test('is on nothing else, nor on a question [N07-CACHE-01]', async () => {
    const client = await open(createSample({ cache: { ttlMs: 60_000, scope: 'public' } }))

    for (const [method, params] of unhinted) {
      const { result } = await client.request(method, params)
      expect(result).toMatchObject({ resultType: 'complete' })
      expect(result).not.toHaveProperty('ttlMs')
      expect(result).not.toHaveProperty('cacheScope')
    }
    const capabilities = { roots: {} }
    const asked = await client.request('resources/read', { uri: 'notes://1' }, { capabilities })
    expect(asked.result).toMatchObject({ resultType: 'input_required' })
    expect(asked.result).not.toHaveProperty('ttlMs')
    expect(asked.result).not.toHaveProperty('cacheScope')
  })

  test.each([
    ['prepared', false],
    ['made for each caller', true],
  ])('is the same on all pages of a list that is %s [N07-CACHE-05]', async (_, isOwn) => {
    const server = createSample({ pageSize: 2, cache: { ttlMs: 1_000, scope: 'public' } })
    if (isOwn) server.use('tools/list', (__, next) => next())
    const client = await open(server)

    const pages = []
    let cursor: unknown
    do {
      const { result } = await client.request('tools/list', cursor === undefined ? {} : { cursor })
      pages.push(result)
      cursor = result?.['nextCursor']
    } while (cursor !== undefined)

    expect(pages).toHaveLength(3)
    for (const page of pages) expect(page).toMatchObject({ ttlMs: 1_000, cacheScope: 'public' })
  })

  test('guards nothing: what is public is still refused to who may not see it [N07-CACHE-10]', async () => {
    const server = createSample({ cache: { ttlMs: 1_000, scope: 'public' } })
    server.tool('hidden', { visible: () => false }, () => 'x')
    const client = await open(server)

    const list = await client.request('tools/list')
    const call = await client.request('tools/call', { name: 'hidden' })

    expect(JSON.stringify(list.result)).not.toContain('hidden')
    expect(call.error).toMatchObject({ code: -32602 })
  })
})

test.each([-1, 0.5, NaN, Infinity])(
  'a time of %d is refused when it is defined [N07-CACHE-01]',
  (ttlMs) => {
    const rejection = expect.objectContaining({ code: 'invalid_definition' }) as Error

    expect(() => createSample({ cache: { ttlMs } })).toThrow(rejection)
    expect(() => createSample().resource('a://b', { cache: { ttlMs } }, () => 'x')).toThrow(
      rejection,
    )
  },
)

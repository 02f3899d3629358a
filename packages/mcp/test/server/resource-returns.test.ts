import { json } from '@parley/mcp'
import { createServer } from '@parley/mcp/server'
import { createTestClient } from '@parley/mcp/testing'
import { describe, expect, test } from 'vitest'

const uri = 'thing://1'
const bytes = Uint8Array.of(0, 127, 255)

interface Case {
  readonly name: string
  readonly returned: () => unknown
  readonly mimeType?: string
  readonly contents: readonly object[]
}

const cases: readonly Case[] = [
  {
    name: 'a string',
    returned: () => 'hello',
    contents: [{ uri, mimeType: 'text/plain', text: 'hello' }],
  },
  {
    name: 'a string of the declared type',
    returned: () => '# Hello',
    mimeType: 'text/markdown',
    contents: [{ uri, mimeType: 'text/markdown', text: '# Hello' }],
  },
  {
    name: 'bytes',
    returned: () => bytes,
    contents: [{ uri, mimeType: 'application/octet-stream', blob: 'AH//' }],
  },
  {
    name: 'bytes of the declared type',
    returned: () => bytes,
    mimeType: 'image/png',
    contents: [{ uri, mimeType: 'image/png', blob: 'AH//' }],
  },
  {
    name: 'json()',
    returned: () => json([1, { a: null }]),
    contents: [{ uri, mimeType: 'application/json', text: '[1,{"a":null}]' }],
  },
  {
    name: 'a text blob',
    returned: () => new Blob(['é'], { type: 'text/html;charset=utf-8' }),
    contents: [{ uri, mimeType: 'text/html', text: 'é' }],
  },
  {
    name: 'a blob that only claims to be text',
    returned: () => new Blob([Uint8Array.of(0xff, 0xfe)], { type: 'text/plain' }),
    contents: [{ uri, mimeType: 'text/plain', blob: '//4=' }],
  },
  {
    name: 'a binary response',
    returned: () => new Response(bytes, { headers: { 'content-type': 'image/png' } }),
    contents: [{ uri, mimeType: 'image/png', blob: 'AH//' }],
  },
  {
    name: 'a JSON response',
    returned: () => Response.json({ a: 1 }),
    contents: [{ uri, mimeType: 'application/json', text: '{"a":1}' }],
  },
  {
    name: 'contents without a URI',
    returned: () => ({ text: 'hello', mimeType: 'text/x-hello' }),
    contents: [{ uri, mimeType: 'text/x-hello', text: 'hello' }],
  },
  {
    name: 'contents whose URI is not known',
    returned: () => ({ contents: [{ uri: undefined, text: 'hello' }] }),
    contents: [{ uri, text: 'hello' }],
  },
  {
    name: 'several contents',
    returned: () => [{ text: 'one' }, { uri: 'thing://2', blob: 'AH//' }],
    contents: [
      { uri, text: 'one' },
      { uri: 'thing://2', blob: 'AH//' },
    ],
  },
  {
    name: 'a full result',
    returned: () => ({ contents: [{ uri, text: 'one', _meta: { 'example.com/a': 1 } }] }),
    contents: [{ uri, text: 'one', _meta: { 'example.com/a': 1 } }],
  },
  {
    name: 'another object',
    returned: () => ({ rows: [1] }),
    contents: [{ uri, mimeType: 'application/json', text: '{"rows":[1]}' }],
  },
]

async function read(returned: () => unknown, mimeType?: string): Promise<ReadCase> {
  const reports: string[] = []
  const server = createServer({
    name: 'returns',
    version: '1',
    onError: (error) => void reports.push((error as Error).message),
  })
  server.resource(uri, { mimeType }, returned as () => string)
  await using client = await createTestClient(server, { revision: '2025-11-25' })
  const outcome: unknown = await client.readResource(uri).catch((error: unknown) => error)
  return { outcome, reports }
}
interface ReadCase {
  readonly outcome: unknown
  readonly reports: readonly string[]
}

describe('a resource may return', () => {
  test.each(cases)('$name [RES-10]', async ({ returned, mimeType, contents }) => {
    const { outcome } = await read(returned, mimeType)

    expect(outcome).toEqual({ contents })
  })

  test.each([
    ['nothing', () => undefined],
    ['null', () => null],
    ['a response 404', () => new Response('', { status: 404 })],
    ['a response 410', () => new Response('', { status: 410 })],
  ])('%s, which is "not found" [RES-17]', async (_, returned) => {
    const { outcome, reports } = await read(returned)

    expect(outcome).toMatchObject({ code: 'resource_not_found', data: { uri } })
    expect(reports).toEqual([])
  })
})

describe('a resource cannot return', () => {
  test.each([
    ['a number', () => 1, /number/],
    ['a boolean', () => true, /boolean/],
    [
      'contents without any',
      () => ({ text: undefined }),
      /contents\.0: an object with text or blob/,
    ],
    ['contents that are no text', () => [{ text: 5 }], /^resource thing:\/\/1 .*contents\.0\.text/],
    ['nothing among its contents', () => ({ contents: [null] }), /contents\.0: an object/],
    ['a response that failed', () => new Response('', { status: 500 }), /500/],
  ])('%s', async (_, returned, why) => {
    const { outcome, reports } = await read(returned)

    expect(outcome).toMatchObject({ code: 'internal_error' })
    expect(reports).toHaveLength(1)
    expect(reports[0]).toMatch(why)
  })

  test('a body larger than limits.messageBytes', async () => {
    const server = createServer({ name: 'returns', version: '1', onError: () => undefined })
    server.resource(uri, {}, () => new Blob(['x'.repeat(2_000)], { type: 'text/plain' }))
    await using client = await createTestClient(server, { limits: { messageBytes: 1_000 } })

    await expect(client.readResource(uri)).rejects.toMatchObject({
      code: 'limit_exceeded',
      data: { limit: 'messageBytes', allowed: 1_000 },
    })
  })
})

describe('_meta of a resource', () => {
  const _meta = { 'example.com/frame': { border: true } }

  test('comes with what is read, and in lists', async () => {
    const server = createServer({ name: 'described', version: '1' })
    server.resource(uri, { _meta }, () => '<p>hello</p>')
    server.resource('thing://pages/{id}', { _meta }, ({ id }) => ({ text: id }))
    await using client = await createTestClient(server)

    const [listed] = await client.listResources().toArray()
    expect(listed?._meta).toEqual(_meta)
    const { contents } = await client.readResource(uri)
    expect(contents).toEqual([{ uri, mimeType: 'text/plain', text: '<p>hello</p>', _meta }])
    const page = await client.readResource('thing://pages/7')
    expect(page.contents).toEqual([{ uri: 'thing://pages/7', text: '7', _meta }])
  })

  test('does not replace what the handler says, and is not said of other resources', async () => {
    const server = createServer({ name: 'described', version: '1' })
    const own = { 'example.com/own': 1 }
    const other = 'thing://2'
    server.resource(uri, { _meta }, () => [
      { text: 'one', _meta: own },
      { uri: other, text: 'two' },
    ])
    await using client = await createTestClient(server)

    const { contents } = await client.readResource(uri)

    expect(contents).toEqual([
      { uri, text: 'one', _meta: own },
      { uri: other, text: 'two' },
    ])
  })
})

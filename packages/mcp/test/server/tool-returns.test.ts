import { audio, embed, image, json, resourceLink, text } from '@parley/mcp'
import { createServer, toolResult } from '@parley/mcp/server'
import { createTestClient } from '@parley/mcp/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

import { describeServer } from '../support/matrix.ts'

const bytes = Uint8Array.of(0, 127, 255)

/** What a tool without `outputSchema` may return, and the result it makes. */
const returns: readonly [name: string, returned: unknown, result: object][] = [
  ['a string', 'hello', { content: [{ type: 'text', text: 'hello' }] }],
  ['an empty string', '', { content: [{ type: 'text', text: '' }] }],
  ['a number', 0.5, { content: [{ type: 'text', text: '0.5' }] }],
  ['a boolean', false, { content: [{ type: 'text', text: 'false' }] }],
  ['nothing', undefined, { content: [] }],
  ['null', null, { content: [] }],
  ['a block', text('hello'), { content: [{ type: 'text', text: 'hello' }] }],
  ['an image', image(bytes, 'image/png'), { content: [imageBlock()] }],
  [
    'strings and blocks',
    ['one', image(bytes, 'image/png'), text('two')],
    { content: [{ type: 'text', text: 'one' }, imageBlock(), { type: 'text', text: 'two' }] },
  ],
  ['json()', json({ rows: [1, null] }), { content: [{ type: 'text', text: '{"rows":[1,null]}' }] }],
  [
    'a full result',
    { content: [{ type: 'text', text: 'no' }], isError: true, _meta: { 'example.com/a': 1 } },
    { content: [{ type: 'text', text: 'no' }], isError: true, _meta: { 'example.com/a': 1 } },
  ],
  [
    'toolResult()',
    toolResult({ content: ['a', text('b')] }),
    {
      content: [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
    },
  ],
  ['an image blob', new Blob([bytes], { type: 'image/png' }), { content: [imageBlock()] }],
  [
    'an audio response',
    () => new Response(bytes, { headers: { 'content-type': 'audio/wav; rate=8000' } }),
    { content: [{ type: 'audio', mimeType: 'audio/wav', data: 'AH//' }] },
  ],
  [
    'a JSON response',
    () => Response.json({ a: 1 }),
    { content: [{ type: 'text', text: '{"a":1}' }] },
  ],
  [
    'a response that is not ok',
    () => new Response('gone', { status: 503, statusText: 'Service Unavailable' }),
    {
      content: [{ type: 'text', text: 'The request failed with status 503 Service Unavailable' }],
      isError: true,
    },
  ],
  ['a list of anything else', [1, null], { content: [{ type: 'text', text: '[1,null]' }] }],
  [
    'a plain object',
    { rows: [1] },
    { content: [{ type: 'text', text: '{"rows":[1]}' }], structuredContent: { rows: [1] } },
  ],
  [
    'an object of a class',
    new (class Reading {
      celsius = 21
    })(),
    { content: [{ type: 'text', text: '{"celsius":21}' }], structuredContent: { celsius: 21 } },
  ],
  ['a map', new Map([[1, 2]]), { content: [{ type: 'text', text: '{}' }] }],
  ['a date', new Date(0), { content: [{ type: 'text', text: '"1970-01-01T00:00:00.000Z"' }] }],
]

function imageBlock(): object {
  return { type: 'image', mimeType: 'image/png', data: 'AH//' }
}

async function callTool(returned: unknown, config: object = {}): Promise<Called> {
  const reports: Called['reports'] = []
  const server = createServer({
    name: 'returns',
    version: '1',
    onError: (error, { severity, correlationId }) =>
      void reports.push({ severity, correlationId, message: (error as Error).message }),
  })
  const value = (): unknown => (typeof returned === 'function' ? returned() : returned)
  server.tool('it', config, value as () => string)
  await using client = await createTestClient(server, { revision: '2025-11-25' })
  const result = await client.callTool('it')
  return { result, reports, again: await client.callTool('it') }
}
interface Called {
  readonly result: object
  readonly again: object
  readonly reports: { severity: string; correlationId: string | undefined; message: string }[]
}

describe('a tool may return', () => {
  test.each(returns)('%s', async (_, returned, expected) => {
    const { result } = await callTool(returned)

    expect(result).toEqual(expected)
  })

  test.each(returns)('a promise of %s', async (_, returned, expected) => {
    const value = async (): Promise<unknown> =>
      typeof returned === 'function' ? returned() : returned
    const { result } = await callTool(value)

    expect(result).toEqual(expected)
  })

  test('a plain object, without a word', async () => {
    expect((await callTool({ rows: [1] })).reports).toEqual([])
  })

  test('a list of anything else, which is reported once', async () => {
    const { reports } = await callTool([{ row: 1 }])

    expect(reports).toHaveLength(1)
    expect(reports[0]).toMatchObject({
      severity: 'warning',
      message: expect.stringContaining('json(') as string,
    })
  })
})

describe('a tool cannot return', () => {
  test.each([
    ['bytes without saying what they are', bytes, /image\(\).*embed\(\)/],
    ['a blob of an unknown type', new Blob([bytes], { type: 'application/zip' }), /embed\(/],
    ['a function', () => () => 'hello', /function/],
    ['a symbol', () => Symbol('hello'), /symbol/],
    [
      'a block without text',
      () => ({ type: 'text' }),
      /^tool it returned an invalid result: text: a string$/,
    ],
    [
      'blocks of which one has no text',
      () => ['one', text(null as unknown as string)],
      /^tool it returned .*: 1\.text: a string$/,
    ],
    [
      'a full result with a block of no type',
      () => ({ content: ['one', { text: 'two' }] }),
      /^tool it returned .*: content\.1\.type: "text" or/,
    ],
    [
      'a full result with an image of no type',
      () => ({ content: [{ type: 'image', data: '' }] }),
      /content\.0\.mimeType: a string$/,
    ],
    [
      'a full result with nothing for a block',
      () => ({ content: [null] }),
      /content\.0: an object$/,
    ],
    [
      'toolResult() with a block without text',
      () => toolResult({ content: [text(undefined as unknown as string)] }),
      /^tool it returned .*: content\.0\.text: a string$/,
    ],
  ])('%s', async (_, returned, advice) => {
    const { result, reports } = await callTool(returned)

    expect(result).toMatchObject({ isError: true })
    expect(reports[0]?.message).toMatch(advice)
    expect(JSON.stringify(result)).toContain(reports[0]?.correlationId)
  })
})

describe('a tool with an output schema may return', () => {
  const outputSchema = z.object({ n: z.string().transform(Number), unit: z.string().default('m') })

  test('a value, which is sent as the schema read it', async () => {
    const { result } = await callTool(
      { n: '3' },
      { outputSchema: outputSchema.pipe(z.object({ n: z.number(), unit: z.string() })) },
    )

    expect(result).toEqual({
      content: [{ type: 'text', text: '{"n":3,"unit":"m"}' }],
      structuredContent: { n: 3, unit: 'm' },
    })
  })

  test('a value that the schema reads as null', async () => {
    const hiding = z
      .string()
      .transform(() => null)
      .pipe(z.null())
    const { result } = await callTool('secret', { outputSchema: hiding })

    expect(result).toEqual({ content: [{ type: 'text', text: 'null' }] })
  })

  test('toolResult() with content of its own', async () => {
    const returned = toolResult({
      structuredContent: { n: 1 },
      content: ['One.'],
      _meta: { 'example.com/a': 1 },
    })
    const { result } = await callTool(returned, { outputSchema: z.object({ n: z.number() }) })

    expect(result).toEqual({
      content: [{ type: 'text', text: 'One.' }],
      structuredContent: { n: 1 },
      _meta: { 'example.com/a': 1 },
    })
  })

  test('a value with a member named content', async () => {
    const value = { content: [{ type: 'text', text: 'a page' }] }
    const page = z.object({ content: z.array(z.object({ type: z.string(), text: z.string() })) })
    const { result } = await callTool(value, { outputSchema: page })

    expect(result).toEqual({
      content: [{ type: 'text', text: JSON.stringify(value) }],
      structuredContent: value,
    })
  })

  test('an error result without a value', async () => {
    const { result, reports } = await callTool(
      toolResult({ isError: true, content: ['Not today.'] }),
      { outputSchema: z.object({ n: z.number() }) },
    )

    expect(result).toEqual({ content: [{ type: 'text', text: 'Not today.' }], isError: true })
    expect(reports).toEqual([])
  })

  test('toolResult() only with content that can be read', async () => {
    const { result, reports } = await callTool(
      toolResult({ structuredContent: { n: 1 }, content: [text(undefined as unknown as string)] }),
      { outputSchema: z.object({ n: z.number() }) },
    )

    expect(result).toMatchObject({ isError: true })
    expect(reports[0]?.message).toContain('content.0.text: a string')
  })

  test('no full result that does not fit, and is told of toolResult()', async () => {
    const content = [text('Three.')]
    const config = { outputSchema: z.object({ n: z.number() }) }

    const value = await callTool({ content, structuredContent: { n: 3 } }, config)
    const failure = await callTool({ content, isError: true }, config)
    const other = await callTool({ m: 3 }, config)

    for (const { result, reports } of [value, failure]) {
      expect(result).toMatchObject({ isError: true })
      expect(reports[0]?.message).toContain('n: Invalid input')
      expect(reports[0]?.message).toContain('; return toolResult({ … }) for a full result')
    }
    expect(other.reports[0]?.message).toContain('outputSchema')
    expect(other.reports[0]?.message).not.toContain('toolResult')
  })

  test.each([
    ['a schema that drops what it does not know', z.object({ n: z.number().optional() })],
    ['a schema that lets everything pass', { type: 'object', properties: {} }],
  ])('a full result that fits by chance, with a warning: %s', async (_, lenient) => {
    const returned = { content: [text('Three.')], structuredContent: { n: 3 } }
    const { result, reports } = await callTool(returned, { outputSchema: lenient })

    expect(result).not.toHaveProperty('isError')
    expect(reports).toEqual([
      {
        severity: 'warning',
        correlationId: undefined,
        message: expect.stringContaining('return toolResult({ … })') as string,
      },
    ])
  })

  test('a value with members named as those of a result, which its schema has', async () => {
    const value = { content: [text('a page')], isError: false }
    const page = z.object({ content: z.array(z.unknown()), isError: z.boolean() })
    const { result, reports } = await callTool(value, { outputSchema: page })

    expect(result).toMatchObject({ structuredContent: value })
    expect(reports).toEqual([])
  })

  test('nothing only if the schema allows it', async () => {
    const { result, reports } = await callTool(undefined, {
      outputSchema: z.object({ n: z.number() }),
    })

    expect(result).toMatchObject({ isError: true })
    expect(reports[0]?.message).toContain('outputSchema')
  })
})

describeServer('content', ({ connect, revision }) => {
  test('of every kind carries annotations [TOOL-29]', async () => {
    const annotations = {
      audience: ['user', 'assistant'] as const,
      priority: 0.5,
      lastModified: '2025-01-12T15:00:58Z',
    }
    const server = createServer({ name: 'annotated', version: '1' })
    server.tool('all', {}, () => [
      text('text', { annotations }),
      image(bytes, 'image/png', { annotations }),
      audio(bytes, 'audio/wav', { annotations }),
      resourceLink({ uri: 'a://b', name: 'b', annotations }),
      embed('a://c', 'c', { annotations }),
    ])
    await using client = await connect(server)

    const { content } = await client.callTool('all')

    const { lastModified, ...older } = annotations
    const expected = revision >= '2025-06-18' ? { ...older, lastModified } : older
    const annotated = content.filter(({ type }) => type !== 'text' || revision >= '2025-06-18')
    expect(content).toHaveLength(5)
    expect(content[0]).toMatchObject({ type: 'text', annotations: expected })
    for (const block of annotated) expect(block).toHaveProperty('annotations', expected)
  })
})

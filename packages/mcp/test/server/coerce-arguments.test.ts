import { jsonSchema, type Schema } from '@parley/mcp'
import { createServer } from '@parley/mcp/server'
import { createTestClient } from '@parley/mcp/testing'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

interface Called {
  /** What the handler got, if it ran. */
  readonly args: unknown
  readonly coerced: unknown
  readonly isError: boolean
  readonly text: string
}

async function call(
  inputSchema: Schema,
  args: object,
  options: { readonly server?: boolean; readonly tool?: boolean } = { server: true },
): Promise<Called> {
  const server = createServer({
    name: 'coercing',
    version: '1.0.0',
    coerceArguments: options.server,
  })
  let given: unknown
  server.tool('take', { inputSchema, coerceArguments: options.tool }, (received) => {
    given = received
    return 'taken'
  })
  let coerced: unknown
  server.use('tools/call', async (_, next) => {
    const outcome = await next()
    if (outcome.resultType === 'complete') coerced = outcome.coerced
    return outcome
  })
  await using client = await createTestClient(server)
  const { isError = false, content } = await client.callTool('take', args)
  return { args: given, coerced, isError, text: JSON.stringify(content) }
}

const wanted = { count: 3, isOn: true, tags: ['a'], at: { x: 1.5 } }
const asText = { count: '3', isOn: 'true', tags: '["a"]', at: '{"x":"1.5"}' }

describe('text becomes what the schema asks for', () => {
  const point = { type: 'object', properties: { x: { type: 'number' } } }
  const plain = {
    type: 'object',
    properties: {
      count: { type: 'integer' },
      isOn: { type: 'boolean' },
      tags: { type: 'array', items: { type: 'string' } },
      at: { $ref: '#/$defs/point' },
    },
    required: ['count'],
    $defs: { point },
  }
  const cases: readonly (readonly [string, Schema])[] = [
    [
      'Zod',
      z.object({
        count: z.int(),
        isOn: z.boolean(),
        tags: z.array(z.string()),
        at: z.object({ x: z.number() }),
      }),
    ],
    [
      'Valibot',
      toStandardJsonSchema(
        v.object({
          count: v.number(),
          isOn: v.boolean(),
          tags: v.array(v.string()),
          at: v.object({ x: v.number() }),
        }),
      ),
    ],
    ['ArkType', type({ count: 'number', isOn: 'boolean', tags: 'string[]', at: { x: 'number' } })],
    ['JSON Schema', plain],
    ['typed JSON Schema', jsonSchema(plain)],
  ]

  test.each(cases)('in a schema of %s, and middleware is told', async (_, schema) => {
    const { args, coerced } = await call(schema, asText)

    expect(args).toEqual(wanted)
    expect(coerced).toEqual([
      { path: ['count'], from: '3', to: 3 },
      { path: ['isOn'], from: 'true', to: true },
      { path: ['tags'], from: '["a"]', to: ['a'] },
      { path: ['at'], from: '{"x":"1.5"}', to: { x: '1.5' } },
      { path: ['at', 'x'], from: '1.5', to: 1.5 },
    ])
  })

  test.each(cases)('not in one of %s whose arguments fit', async (_, schema) => {
    const { args, coerced } = await call(schema, wanted)

    expect(args).toEqual(wanted)
    expect(coerced).toBeUndefined()
  })
})

test('it is off unless the server or the tool says so', async () => {
  const schema = z.object({ count: z.number() })

  expect(await call(schema, { count: '3' }, {})).toMatchObject({ isError: true })
  expect(await call(schema, { count: '3' }, { tool: true })).toMatchObject({ args: { count: 3 } })
  expect(await call(schema, { count: '3' }, { server: true, tool: false })).toMatchObject({
    isError: true,
  })
})

test.each([
  ['a word', { n: 'three' }],
  ['nothing', { n: '' }],
  ['another notation', { n: '0x10' }],
  ['more than a number', { n: '3 apples' }],
  ['an infinite one', { n: '1e999' }],
  ['an id that would lose digits', { n: '9007199254740993' }],
  ['a fraction where whole numbers are', { whole: '1.5' }],
  ['a word for true', { isOn: 'yes' }],
  ['a list for an object', { at: '["x"]' }],
  ['broken JSON', { at: '{"x":1' }],
  ['JSON nested without end', { at: `{"x":${'['.repeat(100_000)}` }],
])('%s is refused as it came', async (_, args) => {
  const schema = z.object({
    n: z.number().optional(),
    whole: z.int().optional(),
    isOn: z.boolean().optional(),
    at: z.object({ x: z.number() }).optional(),
  })

  const { args: given, isError, text } = await call(schema, args)

  expect(given).toBeUndefined()
  expect(isError).toBe(true)
  expect(text).toContain('Invalid arguments for tool take')
})

test('text stays text where that is allowed, also beside something that is not', async () => {
  const schema = z.object({
    either: z.union([z.string(), z.number()]),
    anything: z.unknown(),
    count: z.number(),
    kind: z.enum(['1', '2']),
  })

  const { args } = await call(schema, { either: '3', anything: '4', count: '5', kind: '1' })

  expect(args).toEqual({ either: '3', anything: '4', count: 5, kind: '1' })
})

test('members of unions, numbers that are named and null are read', async () => {
  const schema = z.object({
    shape: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('circle'), radius: z.number() }),
      z.object({ kind: z.literal('square'), side: z.number() }),
    ]),
    level: z.literal([1, 2]),
    parent: z.number().nullable(),
    byName: z.record(z.string(), z.number()),
  })

  const { args } = await call(schema, {
    shape: { kind: 'circle', radius: '2' },
    level: '2',
    parent: 'null',
    byName: { a: '1' },
  })

  expect(args).toEqual({
    shape: { kind: 'circle', radius: 2 },
    level: 2,
    parent: null,
    byName: { a: 1 },
  })
})

test('a schema that refers to itself ends', async () => {
  const tree = {
    type: 'object',
    properties: { size: { type: 'number' }, left: { $ref: '#' }, ring: { $ref: '#/$defs/a' } },
    $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/b2' }, b2: { type: 'number' } },
  }

  const { args } = await call(tree, { size: '1', left: { size: '2', left: '{"size":"3"}' } })

  expect(args).toEqual({ size: 1, left: { size: 2, left: { size: 3 } } })
})

test('a name of every object is an argument like others', async () => {
  const args = JSON.parse('{"__proto__":"1","constructor":"2","count":"3"}') as object

  const { args: given } = await call(
    { type: 'object', properties: { count: { type: 'number' } } },
    args,
  )

  expect(given).toEqual(JSON.parse('{"__proto__":"1","constructor":"2","count":3}'))
  expect(Object.getPrototypeOf(given)).toBe(Object.prototype)
})

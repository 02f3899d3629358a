import {
  isMcpError,
  jsonSchema,
  type JsonSchema,
  type Schema,
  type StandardSchema,
  withJsonSchema,
} from '@parley/mcp'
import { createServer } from '@parley/mcp/server'
import { createTestClient } from '@parley/mcp/testing'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import * as zm from 'zod/mini'

/** The same object in every way we know to write it. */
const city = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'number' } },
  required: ['city'],
} as const

/** A library that cannot write itself as JSON Schema. */
function silentSchema(vendor: string): StandardSchema<{ city: string }> {
  return {
    '~standard': {
      version: 1,
      vendor,
      validate: (value) =>
        typeof (value as { city?: unknown }).city === 'string'
          ? { value: value as { city: string } }
          : { issues: [{ message: 'must be a string', path: [{ key: 'city' }] }] },
    },
  }
}

const mini = zm.object({ city: zm.string(), days: zm.optional(zm.number()) })

const schemas: readonly [name: string, schema: Schema][] = [
  ['Zod', z.object({ city: z.string(), days: z.number().optional() })],
  ['zod/mini', withJsonSchema(mini, { input: zm.toJSONSchema(mini, { io: 'input' }) })],
  ['Valibot', toStandardJsonSchema(v.object({ city: v.string(), days: v.optional(v.number()) }))],
  ['ArkType', type({ city: 'string', 'days?': 'number' })],
  ['JSON Schema 2020-12', city],
  ['JSON Schema draft-07', { $schema: 'http://json-schema.org/draft-07/schema#', ...city }],
  ['jsonSchema()', jsonSchema(city)],
  ['withJsonSchema()', withJsonSchema(silentSchema('home-made'), { input: city })],
  [
    'a schema that takes its time',
    z.object({ city: z.string().refine(async () => true), days: z.number().optional() }),
  ],
]

describe('a tool described with', () => {
  test.each(schemas)('%s is listed as JSON Schema', async (name, inputSchema) => {
    const server = createServer({ name: 'schemas', version: '1' })
    server.tool('it', { inputSchema }, () => 'it')
    await using client = await createTestClient(server)

    const [tool] = await client.listTools().toArray()

    expect(tool?.inputSchema).toMatchObject(city)
    expect(tool?.inputSchema['$schema']).toBe(
      name.includes('draft-07') ? 'http://json-schema.org/draft-07/schema#' : undefined,
    )
  })

  test.each([
    ['as it is', (schema: JsonSchema) => schema],
    ['as jsonSchema()', (schema: JsonSchema) => jsonSchema(schema)],
  ])(
    'JSON Schema %s is listed as it was written, the name of its dialect included [N11-JSCH-02]',
    async (_, write) => {
      const written = { $schema: 'https://json-schema.org/draft/2020-12/schema', ...city }
      const server = createServer({ name: 'schemas', version: '1' })
      server.tool('it', { inputSchema: write(written) }, () => 'it')
      await using client = await createTestClient(server)

      const [tool] = await client.listTools().toArray()

      expect(tool?.inputSchema).toEqual(written)
    },
  )

  test.each(schemas)('%s gets what fits and never what does not', async (_, inputSchema) => {
    const seen: unknown[] = []
    const server = createServer({ name: 'schemas', version: '1' })
    server.tool('it', { inputSchema }, (args) => void seen.push(args))
    await using client = await createTestClient(server)

    const right = await client.callTool('it', { city: 'Oslo' })
    const wrong = await client.callTool('it', { city: 5 })

    expect(right).toEqual({ content: [] })
    expect(wrong).toMatchObject({
      isError: true,
      content: [
        { text: expect.stringMatching(/^Invalid arguments for tool it:\n.*city/) as string },
      ],
    })
    expect(seen).toEqual([{ city: 'Oslo' }])
  })

  test.each(schemas)('%s promises its output and keeps it', async (_, outputSchema) => {
    const reports: unknown[] = []
    const server = createServer({
      name: 'schemas',
      version: '1',
      onError: (error) => void reports.push(error),
    })
    server.tool('right', { outputSchema }, () => ({ city: 'Oslo' }))
    server.tool('wrong', { outputSchema }, () => ({ city: 5 }))
    await using client = await createTestClient(server)

    const [tool] = await client.listTools().toArray()

    expect(tool?.outputSchema).toMatchObject(city)
    expect(await client.callTool('right')).toMatchObject({ structuredContent: { city: 'Oslo' } })
    expect(await client.callTool('wrong')).toMatchObject({ isError: true })
    expect(reports).toMatchObject([{ code: 'invalid_output' }])
  })
})

describe('a prompt described with', () => {
  const texts = {
    ...city,
    properties: { city: { type: 'string' }, days: { type: 'string' } },
  } as const
  const miniTexts = zm.object({ city: zm.string(), days: zm.optional(zm.string()) })
  const optional = (days: z.ZodType): Schema =>
    z.object({ city: z.string(), days: days.optional() })

  test.each<[name: string, schema: Schema]>([
    ['Zod', optional(z.string())],
    ['Zod that converts', optional(z.coerce.number<string>())],
    ['Zod that converts and then refuses', optional(z.coerce.number<string>().int().min(2000))],
    ['Zod that reads a boolean', optional(z.coerce.boolean<string>())],
    ['Zod that transforms', optional(z.string().transform(Number))],
    [
      'Zod that reads JSON',
      optional(z.preprocess((text) => JSON.parse(String(text)), z.array(z.int()))),
    ],
    [
      'Zod that reads a list',
      optional(z.preprocess((text) => String(text).split(',').map(Number), z.array(z.int()))),
    ],
    [
      'Zod that looks closer',
      optional(
        z.preprocess((text) => [(text as string).split('=')[1]?.trim()], z.array(z.string())),
      ),
    ],
    ['Zod that is written down', optional(z.coerce.number<string>().default(1))],
    [
      'Zod with a rule for all',
      z.object({ city: z.string(), days: z.coerce.number().optional() }).refine(() => false),
    ],
    [
      'Zod of another object',
      z.object({ city: z.string(), days: z.number().optional() }).transform((it) => it),
    ],
    ['Zod of some of them', optional(z.union([z.number(), z.string()]))],
    ['zod/mini', withJsonSchema(miniTexts, { input: zm.toJSONSchema(miniTexts, { io: 'input' }) })],
    [
      'Valibot',
      toStandardJsonSchema(
        v.object({ city: v.string(), days: v.optional(v.pipe(v.string(), v.transform(Number))) }),
      ),
    ],
    ['ArkType', type({ city: 'string', 'days?': 'string.numeric.parse' })],
    ['JSON Schema 2020-12', texts],
    ['jsonSchema()', jsonSchema(texts)],
    ['withJsonSchema()', withJsonSchema(silentSchema('home-made'), { input: texts })],
  ])('%s lists its arguments', async (_, argumentsSchema) => {
    const server = createServer({ name: 'schemas', version: '1' })
    server.prompt('it', { argumentsSchema }, () => 'it')
    await using client = await createTestClient(server)

    expect(await client.listPrompts().toArray()).toEqual([
      {
        name: 'it',
        arguments: [
          { name: 'city', required: true },
          { name: 'days', required: false },
        ],
      },
    ])
  })

  test.each<[name: string, schema: Schema]>([
    ...schemas,
    ['Zod with a least number', optional(z.number().min(5))],
    ['Zod with an object', optional(z.object({ a: z.string() }))],
    ['Zod with a list', optional(z.array(z.string()))],
    ['Zod with true and false', optional(z.boolean())],
  ])('%s has to take text, which is all there is', (_, argumentsSchema) => {
    const server = createServer({ name: 'schemas', version: '1' })

    const register = (): unknown => server.prompt('it', { argumentsSchema }, () => 'it')

    expect(register).toThrow(
      'prompt "it", argumentsSchema: days cannot be text: prompt arguments are strings, use z.coerce.number<string>()',
    )
    expect(register).toThrow(expect.objectContaining({ code: 'invalid_schema' }) as Error)
  })
})

describe('a schema', () => {
  test('gives handlers its output and callers its input', async () => {
    const server = createServer({ name: 'schemas', version: '1' })
    const inputSchema = z.object({
      when: z.string().transform((text) => new Date(text)),
      depth: z.coerce.number<string>().default(1),
    })
    server.tool('it', { inputSchema }, ({ when, depth }) => `${when.getUTCFullYear()} ${depth + 1}`)
    await using client = await createTestClient(server)

    expect(await client.callTool('it', { when: '2025-06-18' })).toMatchObject({
      content: [{ text: '2025 2' }],
    })
  })

  test('may be checked by an engine of the server’s own', async () => {
    const compiled: unknown[] = []
    const server = createServer({
      name: 'schemas',
      version: '1',
      compileSchema(schema) {
        compiled.push(schema)
        return () => [{ message: 'nothing is good enough' }]
      },
    })
    server.tool('it', { inputSchema: city }, () => 'it')
    await using client = await createTestClient(server)

    expect(await client.callTool('it', { city: 'Oslo' })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('nothing is good enough') as string }],
    })
    expect(compiled).toEqual([city])
  })

  test.each<[string, () => unknown, RegExp]>([
    ['an object of schemas', () => ({ city: z.string() }), /wrap it, as in z\.object/],
    ['a silent library', () => silentSchema('home-made'), /withJsonSchema\(schema/],
    ['an old Zod', () => silentSchema('zod'), /zod 4\.2 or newer/],
    ['bare zod/mini', () => zm.object({ a: zm.string() }), /zod\/mini needs withJsonSchema\(/],
    ['bare Valibot', () => v.object({ city: v.string() }), /toStandardJsonSchema\(\)/],
    [
      'a member that has no JSON',
      () => z.object({ city: z.string(), when: z.date() }),
      /zod cannot convert when to JSON Schema: Date.*; use what JSON has, such as z\.iso\.datetime\(\)/,
    ],
    [
      'what has no JSON',
      () => z.union([z.date()]),
      /zod cannot convert this schema.*withJsonSchema\(/,
    ],
    ['a root that is no object', () => z.string(), /root must have type "object", got "string"/],
    ['a broken JSON Schema', () => ({ type: 'objekt' }), /objekt/],
    ['a reference to nothing', () => ({ $ref: '#/$defs/nothing' }), /nothing/],
    ['a string', () => 'object', /a schema is an object, got string/],
    ['an unknown dialect [N11-JSCH-04]', () => ({ $schema: 'urn:x' }), /urn:x/],
  ])('that cannot work is refused where it is registered: %s', (_, schema, fix) => {
    const server = createServer({ name: 'schemas', version: '1' })
    let error: unknown

    try {
      server.tool('it', { inputSchema: schema() as Schema }, () => 'it')
    } catch (thrown) {
      error = thrown
    }

    expect(isMcpError(error, 'invalid_schema')).toBe(true)
    expect((error as Error).message).toMatch(/^tool "it", inputSchema: /)
    expect((error as Error).message).toMatch(fix)
  })
})

describe('a name', () => {
  const server = createServer({ name: 'names', version: '1' })

  test.each(['a', 'A-z_0.9/b', 'x'.repeat(128)])('may be %s [N11-TOOL-01]', (name) => {
    expect(() => server.tool(name, {}, () => '')).not.toThrow()
  })

  test('is there once in a server [N11-TOOL-01]', async () => {
    const unique = createServer({ name: 'names', version: '1' })
    unique.tool('same', {}, () => 'first')

    expect(() => unique.tool('same', {}, () => 'second')).toThrow(
      expect.objectContaining({ code: 'duplicate_name' }) as Error,
    )
    await using client = await createTestClient(unique)
    expect((await client.listTools().toArray()).map(({ name }) => name)).toEqual(['same'])
    expect(await client.callTool('same')).toEqual({ content: [{ type: 'text', text: 'first' }] })
  })

  test.each(['', 'with space', 'a,b', 'a!', 'a@b', 'naïve', 'a:b', 'a\n', 'x'.repeat(129)])(
    'cannot be %j [N11-TOOL-01]',
    (name) => {
      expect(() => server.tool(name, {}, () => '')).toThrow(
        expect.objectContaining({ code: 'invalid_definition' }) as Error,
      )
    },
  )

  test('is another in other letters [N11-TOOL-02]', async () => {
    const cased = createServer({ name: 'names', version: '1' })
    cased.tool('Foo', {}, () => 'large')
    cased.tool('foo', {}, () => 'small')
    await using client = await createTestClient(cased)

    expect((await client.listTools().toArray()).map(({ name }) => name)).toEqual(['Foo', 'foo'])
    expect(await client.callTool('foo')).toEqual({ content: [{ type: 'text', text: 'small' }] })
    await expect(client.callTool('FOO')).rejects.toMatchObject({ code: 'invalid_params' })
  })

  test('of a prompt cannot be empty', () => {
    expect(() => server.prompt('', {}, () => '')).toThrow('a prompt needs a name')
  })

  test.each(['no-scheme', '/path', '1a://b', 'a b://c', 'a://b c', 'a://\u0000', ''])(
    'of a resource cannot be %j, which is no URI [RES-16]',
    (uri) => {
      expect(() => server.resource(uri, {}, () => '')).toThrow(
        expect.objectContaining({ code: 'invalid_definition' }) as Error,
      )
    },
  )

  test.each(['x+y-1.0:rest', 'urn:isbn:0451450523', 'my-app://a/b?c#d'])(
    'of a resource may be %s [RES-14, RES-16]',
    (uri) => {
      expect(() => server.resource(uri, {}, () => '')).not.toThrow()
    },
  )

  test.each(['no-scheme/{a}', '/{a}', '1a://{b}', 'a://{', 'a://{b', 'a://{b c}'])(
    'of a template cannot be %j [RES-16]',
    (uri) => {
      expect(() => server.resource(uri, {}, () => '')).toThrow(
        expect.objectContaining({ code: 'invalid_definition' }) as Error,
      )
    },
  )

  test.each(['a://{b}', '{+uri}', '{scheme}://a', 'mailto:{who}'])(
    'of a template may be %s',
    (uri) => {
      expect(() => server.resource(uri, {}, () => '')).not.toThrow()
    },
  )

  test('belongs to one feature of its kind', () => {
    server.tool('twice', {}, () => '')
    server.prompt('twice', {}, () => '')
    server.resource('twice://1', {}, () => '')
    const duplicate = expect.objectContaining({ code: 'duplicate_name' }) as Error

    expect(() => server.tool('twice', {}, () => '')).toThrow(duplicate)
    expect(() => server.prompt('twice', {}, () => '')).toThrow(duplicate)
    expect(() => server.resource('twice://1', {}, () => '')).toThrow(duplicate)
  })
})

test('arguments that fit no alternative say why, for each of them', async () => {
  const server = createServer({ name: 'unions', version: '1' })
  const place = z.union([z.object({ city: z.string() }), z.object({ at: z.tuple([z.number()]) })])
  server.tool('go', { inputSchema: z.object({ place }) }, () => 'there')
  await using client = await createTestClient(server)

  const { content, isError } = await client.callTool('go', { place: { at: ['x'] } })

  const text = /^Invalid arguments for tool go:\nplace: .*city: .*string.* or at\.0: .*number/
  expect(isError).toBe(true)
  expect(content).toMatchObject([{ text: expect.stringMatching(text) as string }])
})

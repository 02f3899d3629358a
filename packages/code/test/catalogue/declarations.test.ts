import { createCodeTools, createDeclarations, type CodeTool } from '@parley/code'
import type { JsonSchema } from '@parley/mcp'
import { parseSync } from 'oxc-parser'
import { describe, expect, test } from 'vitest'

const customer: JsonSchema = {
  type: 'object',
  properties: {
    id: { type: 'string', description: 'never shown' },
    name: { type: 'string' },
    plan: { enum: ['free', 'paid', null] },
  },
  required: ['id', 'name'],
}

const crm: readonly CodeTool[] = [
  {
    name: 'crm__list_customers',
    server: 'crm',
    description: 'Lists customers.\nNewest first.',
    inputSchema: {
      type: 'object',
      properties: {
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: 100,
          default: 20,
          description: 'Page size.',
        },
        since: { type: 'string', format: 'date' },
      },
    },
    outputSchema: {
      type: 'object',
      properties: { items: { type: 'array', items: customer }, nextCursor: { type: 'string' } },
      required: ['items'],
    },
  },
  {
    name: 'crm__get_customer',
    server: 'crm',
    inputSchema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
    outputSchema: customer,
  },
]

const declare = (tools: readonly CodeTool[], names = tools.map(({ name }) => name)) =>
  createDeclarations(tools).write(names)
const result = (outputSchema: JsonSchema) =>
  declare([{ name: 'a__b', server: 'a', outputSchema }])
    .replace(/^[^]*Promise</, '')
    .slice(0, -1)

describe('declarations', () => {
  test('name an object that several tools share, and say what types cannot', () => {
    expect(declare(crm)).toBe(
      `type CrmCustomer = { id: string; name: string; plan?: "free" | "paid" | null }
/** Lists customers. Newest first. */
tools.crm__list_customers(args?: { /** Page size; 1..100; default 20 */ limit?: number; /** date */ since?: string }): Promise<{ items: CrmCustomer[]; nextCursor?: string }>
tools.crm__get_customer(args: { id: string }): Promise<CrmCustomer>`,
    )
  })

  test('leave out types that the model still reads', () => {
    const declarations = createDeclarations(crm)
    const known = new Set<string>()

    expect(declarations.write(['crm__get_customer'], known)).toContain('type CrmCustomer')
    expect(declarations.write(['crm__list_customers'], known)).not.toContain('type CrmCustomer')
  })

  test.each<[string, JsonSchema, string]>([
    ['a choice', { anyOf: [{ type: 'string' }, { type: 'number' }] }, 'string | number'],
    ['a list of types', { type: ['string', 'null'] }, 'string | null'],
    [
      'what stands beside a choice',
      {
        type: 'object',
        properties: { a: { type: 'string' } },
        oneOf: [
          { type: 'object', required: ['b'] },
          { type: 'object', required: ['c'] },
        ],
      },
      '{ a?: string } & ({ b: unknown } | { c: unknown })',
    ],
    ['a list of choices', { type: 'array', items: { enum: [1, 2] } }, '(1 | 2)[]'],
    [
      'a long enumeration',
      { enum: Array.from({ length: 46 }, (_, at) => at) },
      `${Array.from({ length: 16 }, (_, at) => at).join(' | ')} /* 30 more */`,
    ],
    ['what cannot be said', { not: {} }, 'unknown'],
  ])('write %s', (_, schema, expected) => {
    expect(result(schema)).toBe(expected)
  })

  test('write a type that contains itself under a name', () => {
    const node: JsonSchema = {
      $defs: {
        node: {
          type: 'object',
          properties: { children: { type: 'array', items: { $ref: '#/$defs/node' } } },
        },
      },
      $ref: '#/$defs/node',
    }

    expect(declare([{ name: 'a__tree', server: 'a', outputSchema: node }])).toBe(
      'type Node = { children?: Node[] }\ntools.a__tree(): Promise<Node>',
    )
  })

  test('tell the shape that was seen where there is no output schema', () => {
    const declarations = createDeclarations(
      [{ name: 'a__b', server: 'a' }],
      () => '{ items: { id: string }[] }',
    )

    expect(declarations.write(['a__b'])).toBe(
      'tools.a__b(): Promise<unknown> /* seen: { items: { id: string }[] } */',
    )
  })

  test('stay source, whatever a server writes', () => {
    const evil = '*/ }; process.exit() /* \u0001\u0030\u0001 ` \u2028 " \' \n // '
    const tools: readonly CodeTool[] = [1, 2].map((at) => ({
      name: `a__${at}`,
      server: evil,
      description: evil,
      inputSchema: {
        type: 'object',
        properties: { [evil]: { type: 'string', description: evil, default: evil } },
      },
      outputSchema: {
        type: 'object',
        title: evil,
        properties: {
          [evil]: { const: evil },
          b: {
            type: 'object',
            title: evil,
            properties: { c: { enum: [evil] }, d: { type: 'string' } },
          },
        },
      },
    }))

    const lines = declare(tools).split('\n')
    const source = lines
      .map((line) => line.replace(/^tools\.(\w+)/, 'declare function $1'))
      .join('\n')

    expect(parseSync('x.ts', source).errors).toEqual([])
    expect(source.replaceAll(/"(?:[^"\\]|\\.)*"|\/\*\*.*?\*\//g, '')).not.toContain('exit')
  })
})

describe('the tools of code mode', () => {
  test('hold all declarations while they fit', () => {
    const { definitions } = createCodeTools(crm)

    expect(definitions.map(({ name }) => name)).toEqual(['run_code'])
    expect(definitions[0]?.description).toContain('tools.crm__get_customer(args: { id: string })')
  })

  test('name the servers, and find declarations by phrase, none twice', () => {
    const tools = createCodeTools(crm, { declarationTokens: 10 })
    const known = new Set<string>()

    expect(tools.definitions.map(({ name }) => name)).toEqual(['run_code', 'find_tools'])
    expect(tools.definitions[0]?.description).toContain(
      'There are 2 tools of these servers: crm (2)',
    )
    const { text } = tools.find({ phrases: ['list customers', 'send a fax'] }, known)
    expect(text).toMatch(/^\/\/ list customers\ntype CrmCustomer/)
    expect(text).toContain('// send a fax: no tool')
    expect(tools.find({ phrases: ['list customers'] }, known).text).toMatch(
      /^\/\/ list customers \(\d shown before\)$/,
    )
    expect(tools.find({}).isError).toBe(true)
  })
})

import { compileJsonSchema, type JsonSchema } from '@parley/mcp'
import { fromOpenApi, type OpenApiOptions } from '@parley/tools/openapi'
import { describe, expect, test } from 'vitest'

import { documentOf } from './recorded-fetch.ts'

function namesOf(paths: object, options?: OpenApiOptions) {
  return fromOpenApi(documentOf(paths), options).tools.map(({ definition }) => definition.name)
}

describe('names', () => {
  test('are the operationId, or method and path, with characters that models accept', () => {
    const paths = {
      '/pets/{id}': { get: { operationId: 'pets/get-one' }, delete: {} },
      '/': { get: {} },
    }

    expect(namesOf(paths)).toEqual(['pets_get-one', 'delete_pets_id', 'get'])
  })

  test('do not depend on the order of the document', () => {
    const first = { '/a': { get: { operationId: 'x y' } } }
    const second = { '/b': { get: { operationId: 'x.y' } } }
    const third = { [`/${'c'.repeat(80)}`]: { get: {} } }

    const names = namesOf({ ...first, ...second, ...third })

    expect(namesOf({ ...third, ...second, ...first }).toReversed()).toEqual(names)
    expect(new Set(names).size).toBe(3)
    for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
    expect(namesOf(first)).toEqual(['x_y'])
  })

  test('can be given', () => {
    const paths = { '/a': { get: { operationId: 'a' }, post: { operationId: 'b' } } }

    expect(namesOf(paths, { rename: { a: 'read' } })).toEqual(['read', 'b'])
    expect(namesOf(paths, { rename: ({ method }) => `${method}_it` })).toEqual([
      'get_it',
      'post_it',
    ])
    expect(() => namesOf(paths, { rename: { a: 'not this' } })).toThrow(
      'GET /a cannot be called "not this"',
    )
  })
})

describe('selection', () => {
  const paths = {
    '/pets': {
      get: { operationId: 'listPets', tags: ['pets'] },
      post: { operationId: 'addPet', tags: ['pets'] },
    },
    '/pets/{id}/photos': { get: { operationId: 'photos', deprecated: true } },
    '/admin/wipe': { delete: { operationId: 'wipe', tags: ['admin', 'danger'] } },
  }

  test.each<[OpenApiOptions, readonly string[]]>([
    [{ include: { tags: ['pets'] } }, ['listPets', 'addPet']],
    [{ include: { paths: ['/pets*'], methods: ['get'] } }, ['listPets', 'photos']],
    [{ include: { paths: ['/pets/*/photos'] } }, ['photos']],
    [{ include: [{ operationIds: ['*Pet'] }, { tags: ['danger'] }] }, ['addPet', 'wipe']],
    [{ exclude: { tags: ['adm*'] } }, ['listPets', 'addPet', 'photos']],
    [
      { exclude: { deprecated: true }, include: { methods: ['get', 'delete'] } },
      ['listPets', 'wipe'],
    ],
    [{ include: ({ path }) => path.length > 6 }, ['photos', 'wipe']],
  ])('%j', (options, expected) => {
    expect(namesOf(paths, options)).toEqual(expected)
  })
})

describe('schemas', () => {
  function inputOf(operation: object, more: object = {}): JsonSchema {
    const [tool] = fromOpenApi(documentOf({ '/a/{id}': { post: operation } }, more)).tools
    return tool?.definition.inputSchema ?? {}
  }

  test('one argument for each parameter and the body, without clashes', () => {
    const schema = inputOf({
      parameters: [
        { name: 'id', in: 'query', required: true, description: 'of the query' },
        { name: 'id', in: 'path', schema: { type: 'integer' } },
        { name: 'body', in: 'header' },
        { name: 'filter[name]', in: 'query' },
      ],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { type: 'object' } } },
      },
    })

    expect(schema).toEqual({
      type: 'object',
      properties: {
        id: { type: 'integer' },
        id_query: { description: 'of the query' },
        filter_name_: {},
        body: {},
        body_request: { type: 'object' },
      },
      required: ['id', 'id_query', 'body_request'],
      additionalProperties: false,
    })
  })

  test('the dialect of 3.0 becomes JSON Schema', () => {
    const schema = inputOf(
      {
        parameters: [
          {
            name: 'a',
            in: 'query',
            schema: { type: 'string', nullable: true, enum: ['x'], example: 'x' },
          },
          {
            name: 'b',
            in: 'query',
            schema: {
              type: 'integer',
              minimum: 1,
              exclusiveMinimum: true,
              maximum: 9,
              exclusiveMaximum: false,
            },
          },
          {
            name: 'c',
            in: 'query',
            schema: { nullable: true, allOf: [{ type: 'string' }], description: 'C' },
          },
          { name: 'd', in: 'query', schema: { $ref: '#/components/schemas/D', nullable: true } },
          { name: 'e', in: 'query', schema: { type: 'string', pattern: '(?<!broken', 'x-own': 1 } },
        ],
      },
      { openapi: '3.0.3', components: { schemas: { D: { type: 'boolean' } } } },
    )

    expect(schema['properties']).toEqual({
      a: { type: ['string', 'null'], enum: ['x', null] },
      b: { type: 'integer', exclusiveMinimum: 1, maximum: 9 },
      c: { description: 'C', anyOf: [{ allOf: [{ type: 'string' }] }, { type: 'null' }] },
      d: { $ref: '#/$defs/D' },
      e: { type: 'string' },
    })
  })

  test('patterns that cannot be matched in linear time are left out', () => {
    const schema = inputOf({
      parameters: [
        { name: 'a', in: 'query', schema: { type: 'string', pattern: String.raw`^(a+)\1$` } },
        { name: 'b', in: 'query', schema: { type: 'string', pattern: '^[a-z]+$' } },
        {
          name: 'c',
          in: 'query',
          schema: { patternProperties: { '^x-': {}, [String.raw`(a)\1`]: false } },
        },
      ],
    })

    expect(schema['properties']).toMatchObject({
      a: { type: 'string' },
      b: { pattern: '^[a-z]+$' },
      c: { patternProperties: { '^x-': {} } },
    })
    expect(JSON.stringify(schema)).not.toContain(String.raw`\\1`)
  })

  test('what only the server sets is not asked for, and secrets are not described in answers', () => {
    const schemas = {
      Pet: {
        type: 'object',
        properties: {
          id: { type: 'integer', readOnly: true },
          pin: { type: 'string', writeOnly: true },
          name: { type: 'string' },
        },
        required: ['id', 'pin', 'name'],
      },
    }
    const pet = { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } }
    const document = documentOf(
      { '/a': { post: { requestBody: { content: pet }, responses: { 201: { content: pet } } } } },
      { components: { schemas } },
    )
    const { definition } = fromOpenApi(document).tools[0] ?? {}

    expect(definition?.inputSchema['$defs']).toMatchObject({ Pet: { required: ['pin', 'name'] } })
    expect(definition?.outputSchema).toMatchObject({
      properties: { status: { type: 'integer' }, body: { $ref: '#/$defs/Pet' } },
      $defs: { Pet: { required: ['id', 'name'] } },
    })
  })

  test('recursion stays a reference, and what is too large is described as anything', () => {
    const schemas = {
      Node: {
        type: 'object',
        properties: {
          children: { type: 'array', items: { $ref: '#/components/schemas/Node' } },
          big: { $ref: '#/components/schemas/Big' },
        },
      },
      Big: { type: 'string', enum: Array.from({ length: 2_000 }, (_, at) => `value ${at}`) },
    }
    const content = { 'application/json': { schema: { $ref: '#/components/schemas/Node' } } }
    const document = documentOf(
      { '/a': { post: { requestBody: { content } } } },
      { components: { schemas } },
    )
    const schema =
      fromOpenApi(document, { maxSchemaBytes: 1_000 }).tools[0]?.definition.inputSchema ?? {}

    expect(schema['$defs']).toMatchObject({
      Node: { properties: { children: { items: { $ref: '#/$defs/Node' } } } },
      Big: {},
    })
    expect(JSON.stringify(schema).length).toBeLessThan(1_000)
    expect(compileJsonSchema(schema)({ body: { children: [{ children: [] }] } })).toBeUndefined()
    expect(compileJsonSchema(schema)({ body: { children: [{ children: 1 }] } })).toBeDefined()
  })

  test('parameters of the path are overridden by those of the operation, and references are followed', () => {
    const document = documentOf(
      {
        '/a': {
          parameters: [
            { $ref: '#/components/parameters/Page' },
            { name: 'x', in: 'query', schema: { type: 'string' } },
          ],
          get: { parameters: [{ name: 'x', in: 'query', schema: { type: 'boolean' } }] },
        },
      },
      {
        components: {
          parameters: { Page: { name: 'page', in: 'query', schema: { type: 'integer' } } },
        },
      },
    )

    expect(fromOpenApi(document).tools[0]?.definition.inputSchema['properties']).toEqual({
      page: { type: 'integer' },
      x: { type: 'boolean' },
    })
  })
})

test('annotations say what the method promises', () => {
  const paths = { '/a': { get: {}, put: {}, post: {}, delete: {}, patch: {} } }
  const annotations = fromOpenApi(documentOf(paths)).tools.map(({ operation, definition }) => [
    operation.method,
    definition.annotations,
  ])

  expect(Object.fromEntries(annotations)).toEqual({
    get: { readOnlyHint: true, openWorldHint: true },
    put: { readOnlyHint: false, idempotentHint: true, openWorldHint: true },
    post: { readOnlyHint: false, openWorldHint: true },
    delete: {
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: true,
      openWorldHint: true,
    },
    patch: { readOnlyHint: false, openWorldHint: true },
  })
})

describe('documents', () => {
  test('are read from YAML and JSON', () => {
    const yaml =
      'openapi: 3.1.0\ninfo: { title: Pets, version: "1" }\nservers: [{ url: "https://x.example" }]\npaths:\n  /pets: { get: { operationId: list } }\n'

    expect(fromOpenApi(yaml).tools[0]?.definition.name).toBe('list')
    expect(fromOpenApi(JSON.stringify(documentOf({ '/a': { get: {} } }))).tools).toHaveLength(1)
  })

  test.each<[object | string, string]>([
    [{ swagger: '2.0' }, 'the document is Swagger "2.0": convert it to OpenAPI 3 first'],
    [{ openapi: '4.0.0', paths: {} }, '"openapi": "4.0.0": versions 3.0 to 3.2 are understood'],
    [{}, 'the document has no "openapi"'],
    [{ openapi: '3.1.0' }, 'the document has no "paths"'],
    ['{', 'the document is not JSON'],
    ['a: [', 'the document is not YAML'],
    [
      documentOf({ '/a': { get: { parameters: [{ $ref: 'other.yaml#/x' }] } } }),
      '"other.yaml#/x" is in another file: bundle the document first',
    ],
    [
      documentOf({ '/a': { get: { parameters: [{ $ref: '#/nowhere' }] } } }),
      '"#/nowhere" leads nowhere',
    ],
    [documentOf({ '/a': { $ref: '#/paths/~1a' } }), 'a $ref leads to itself'],
  ])('%j is refused', (document, why) => {
    expect(() => fromOpenApi(document)).toThrow(why)
  })

  test('one that contains itself is refused', () => {
    const document: { [name: string]: unknown } = documentOf({})
    document['components'] = document

    expect(() => fromOpenApi(document)).toThrow('nested more than 200 levels deep')
  })
})

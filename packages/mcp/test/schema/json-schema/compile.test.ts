import { describe, expect, test } from 'vitest'

import { compileJsonSchema, type CompileOptions } from '../../../src/schema/json-schema/compile.ts'
import { SchemaError } from '../../../src/schema/json-schema/schema-error.ts'
import type { JsonSchema } from '../../../src/schema/standard-schema.ts'

const draft7 = 'http://json-schema.org/draft-07/schema#'
const draft4 = 'http://json-schema.org/draft-04/schema#'

function problems(schema: JsonSchema | boolean, value: unknown, options?: CompileOptions) {
  const issues = compileJsonSchema(schema, options)(value)
  return issues?.map(({ path = [], message }) => `${path.map(String).join('.')}: ${message}`)
}

function rejection(schema: JsonSchema, options?: CompileOptions): SchemaError {
  try {
    compileJsonSchema(schema, options)
  } catch (error) {
    if (error instanceof SchemaError) return error
    throw error
  }
  throw new Error('the schema was accepted')
}

describe('what a problem says', () => {
  test.each([
    [{ type: 'string' }, 3, ': must be a string, got a number'],
    [{ type: 'integer' }, 1.5, ': must be an integer, got 1.5'],
    [{ type: 'integer' }, '1', ': must be an integer, got a string'],
    [{ type: 'object' }, [], ': must be an object, got an array'],
    [{ type: ['string', 'null'] }, {}, ': must be a string or null, got an object'],
    [{ type: 'number' }, Number.NaN, ': must be a number, got NaN'],
    [{ required: ['city'] }, {}, ': must have property "city"'],
    [{ enum: ['a', 1, null] }, 'b', ': must be one of "a", 1, null'],
    [{ const: { a: 1 } }, {}, ': must be {"a":1}'],
    [{ minLength: 3 }, '😀😀', ': must have at least 3 characters'],
    [{ maxLength: 1 }, 'ab', ': must have at most 1 characters'],
    [{ pattern: '^[a-z]+$' }, 'A', ': must match the pattern ^[a-z]+$'],
    [{ format: 'email' }, 'nobody', ': must be an email address'],
    [{ minimum: 1 }, 0, ': must be at least 1'],
    [{ exclusiveMaximum: 1 }, 1, ': must be less than 1'],
    [{ multipleOf: 0.01 }, 0.015, ': must be a multiple of 0.01'],
    [{ minItems: 2 }, [1], ': must have at least 2 items, has 1'],
    [
      { uniqueItems: true },
      [1, { a: 1, b: 2 }, { b: 2, a: 1 }],
      ': must not have equal items, item 2 repeats an earlier one',
    ],
    [
      { contains: { type: 'null' } },
      [1],
      ': must contain at least 1 items that fit "contains", has 0',
    ],
    [{ dependentRequired: { a: ['b'] } }, { a: 1 }, ': must have property "b" when it has "a"'],
    [{ not: {} }, 1, ': must not fit the schema under "not"'],
    [{ properties: { a: false } }, { a: 1 }, 'a: is not allowed'],
    [{ unevaluatedProperties: false }, { a: 1 }, 'a: is not allowed'],
    [
      { properties: { city: {} }, additionalProperties: false },
      { town: 1 },
      ': must not have property "town"; allowed: "city"',
    ],
    [
      { anyOf: [{ type: 'string' }, { type: 'null' }] },
      1,
      ': must be a string, got a number, or must be null, got a number',
    ],
    [{ oneOf: [{}, true] }, 1, ': must fit only one alternative, fits both 1 and 2'],
  ])('%j refuses %j', (schema, value, expected) => {
    expect(problems(schema, value)).toEqual([expected])
  })

  test('names every problem with its path, not only the first', () => {
    const schema = {
      required: ['name'],
      properties: { tags: { items: { type: 'string' } }, age: { type: 'integer' } },
    }

    expect(problems(schema, { tags: ['a', 1, null], age: 'x' })).toEqual([
      ': must have property "name"',
      'tags.1: must be a string, got a number',
      'tags.2: must be a string, got null',
      'age: must be an integer, got a string',
    ])
  })

  test('stops counting problems at twenty', () => {
    expect(problems({ items: { type: 'string' } }, Array.from({ length: 500 }))).toHaveLength(20)
  })

  test('explains a union by its closest alternative', () => {
    const circle = {
      properties: { kind: { const: 'circle' }, radius: { type: 'number' } },
      required: ['radius'],
    }
    const square = {
      properties: { kind: { const: 'square' }, side: { type: 'number' } },
      required: ['side'],
    }

    expect(problems({ anyOf: [circle, square] }, { kind: 'square', side: '3' })).toEqual([
      ': fits none of 2 alternatives, closest is 2',
      'side: must be a number, got a string',
    ])
  })
})

describe('what is data', () => {
  test('reads properties that every object inherits as data, in schemas and values', () => {
    const schema = JSON.parse(
      '{"properties":{"__proto__":{"type":"string"},"constructor":{"type":"number"}},"required":["hasOwnProperty"]}',
    )

    expect(problems(schema, {})).toEqual([': must have property "hasOwnProperty"'])
    expect(
      problems(schema, JSON.parse('{"__proto__":1,"constructor":2,"hasOwnProperty":3}')),
    ).toEqual(['__proto__: must be a string, got a number'])
  })

  test('takes a property that is undefined as absent, as JSON does', () => {
    const schema = {
      properties: { a: { type: 'string' } },
      additionalProperties: false,
      maxProperties: 0,
    }

    expect(problems(schema, { a: undefined, b: undefined })).toBeUndefined()
    expect(problems({ required: ['a'] }, { a: undefined })).toHaveLength(1)
  })

  test('does not read schemas out of constants', () => {
    expect(problems({ enum: [{ $ref: 'https://example.com/', $id: ':' }] }, 1)).toHaveLength(1)
  })
})

describe('dialects', () => {
  test('a schema without $schema is 2020-12 [N11-JSCH-01]', () => {
    expect(problems({ prefixItems: [{ type: 'string' }] }, [1])).toHaveLength(1)
  })

  test('draft-07 and 2020-12 each keep their own rules [N11-JSCH-03]', () => {
    expect(problems({ $schema: draft7, prefixItems: [false] }, [1])).toBeUndefined()
    expect(problems({ $schema: draft7, items: [{ type: 'string' }] }, [1])).toHaveLength(1)
    expect(rejection({ items: [{ type: 'string' }] }).message).toContain('prefixItems')
  })

  test('draft-07 ignores what stands beside a reference, but finds definitions there', () => {
    const schema = { $ref: '#/definitions/a', definitions: { a: { type: 'string' } }, maxLength: 1 }

    expect(problems({ $schema: draft7, ...schema }, 'long')).toBeUndefined()
    expect(problems(schema, 'long')).toHaveLength(1)
  })

  test('draft-04 has boolean exclusive limits, which later drafts refuse', () => {
    const schema = { minimum: 1, exclusiveMinimum: true }

    expect(problems({ $schema: draft4, ...schema }, 1)).toEqual([': must be more than 1'])
    expect(rejection(schema).issues).toEqual([
      { message: 'must be a number', path: ['exclusiveMinimum'] },
    ])
  })

  test('an unknown dialect is refused by name [N11-JSCH-04]', () => {
    expect(rejection({ $schema: 'urn:x' }).message).toContain('"urn:x"')
  })

  test('a custom meta-schema decides which keywords count', () => {
    const resolve = () => ({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $vocabulary: { 'https://json-schema.org/draft/2020-12/vocab/applicator': true },
    })

    const schema = { $schema: 'urn:plain', properties: { a: { type: 'string' }, b: false } }
    expect(problems(schema, { a: 1 }, { resolve })).toBeUndefined()
    expect(problems(schema, { b: 1 }, { resolve })).toHaveLength(1)
  })
})

describe('references', () => {
  test('an address outside the document is refused, not fetched [N07-JSCH-01, N07-JSCH-02]', () => {
    const error = rejection({ properties: { a: { $ref: 'https://example.com/a.json' } } })

    expect(error.issues).toHaveLength(1)
    expect(error.issues[0]?.path).toEqual(['properties', 'a', '$ref'])
    expect(error.message).toContain('nothing is fetched')
  })

  test('resolve answers for addresses outside the document, with the path as written', () => {
    const asked: string[] = []
    const resolve = (uri: string) => {
      asked.push(uri)
      return { $defs: { name: { type: 'string' } } }
    }

    expect(problems({ $ref: 'names.json#/$defs/name' }, 1, { resolve })).toHaveLength(1)
    expect(asked).toEqual(['names.json'])
  })

  test('a recursive schema checks a recursive value', () => {
    const schema = {
      $defs: { node: { properties: { next: { $ref: '#/$defs/node' }, id: { type: 'integer' } } } },
      $ref: '#/$defs/node',
    }

    expect(problems(schema, { next: { next: { id: 'x' } } })).toEqual([
      'next.next.id: must be an integer, got a string',
    ])
  })
})

describe('schemas that cannot be honoured', () => {
  test.each([
    [{ type: 'strnig' }, 'unknown type "strnig"', ['type']],
    [{ minLength: -1 }, 'must be a non-negative integer', ['minLength']],
    [{ required: 'city' }, 'must be an array of strings', ['required']],
    [{ properties: { a: 1 } }, 'must be a schema: an object or a boolean', ['properties', 'a']],
    [{ properties: [] }, 'must be an object', ['properties']],
    [{ anyOf: {} }, 'must be an array of schemas', ['anyOf']],
    [{ pattern: '(' }, 'is not a regular expression', ['pattern']],
    [{ multipleOf: 0 }, 'must be more than 0', ['multipleOf']],
    [{ enum: 'a' }, 'must be an array', ['enum']],
  ])('%j', (schema, message, path) => {
    expect(rejection(schema).issues).toEqual([{ message, path }])
  })

  test('are reported with everything that is wrong with them', () => {
    expect(rejection({ type: 'x', minItems: 0.5 }).message).toBe(
      'cannot use this JSON Schema: at /type: unknown type "x"; at /minItems: must be a non-negative integer',
    )
  })

  test('include what is no schema at all [N11-JSCH-05]', () => {
    // A caller without types can pass anything.
    expect(() => compileJsonSchema(null as unknown as JsonSchema)).toThrow(SchemaError)
  })

  test('include an object that contains itself', () => {
    const schema: Record<string, unknown> = {}
    schema['not'] = schema

    expect(rejection(schema).message).toContain('contains itself')
  })
})

test('formats can be left as annotations', () => {
  expect(problems({ format: 'date' }, 'soon')).toHaveLength(1)
  expect(problems({ format: 'date' }, 'soon', { assertFormats: false })).toBeUndefined()
  expect(problems({ format: 'mood' }, 'sad')).toBeUndefined()
})

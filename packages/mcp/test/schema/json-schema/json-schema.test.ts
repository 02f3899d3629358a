import { expect, expectTypeOf, test } from 'vitest'

import { jsonSchema } from '../../../src/schema/json-schema/json-schema.ts'
import { SchemaError } from '../../../src/schema/json-schema/schema-error.ts'
import type { InferOutput, StandardSchema } from '../../../src/schema/standard-schema.ts'

interface Forecast {
  city: string
  days?: number
}

test('is a Standard Schema of the type that was stated', () => {
  const schema = jsonSchema<Forecast>({ type: 'object', required: ['city'] })

  expectTypeOf<InferOutput<typeof schema>>().toEqualTypeOf<Forecast>()
  expectTypeOf(schema).toExtend<StandardSchema<Forecast>>()
  expect(schema['~standard'].validate({ city: 'Paris' })).toEqual({ value: { city: 'Paris' } })
  expect(schema['~standard'].validate({})).toEqual({
    issues: [{ message: 'must have property "city"', path: [] }],
  })
})

test('infers the type of a literal', () => {
  const schema = jsonSchema({
    type: 'object',
    properties: {
      city: { type: 'string' },
      days: { type: 'integer' },
      unit: { enum: ['metric', 'imperial'] },
      kind: { const: 'forecast' },
      place: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'number' } }] },
      note: { type: ['string', 'null'] },
      more: { type: 'object', properties: { on: { type: 'boolean' } }, required: ['on'] },
      rest: {},
    },
    required: ['city', 'unit'],
  })

  expectTypeOf<InferOutput<typeof schema>>().toEqualTypeOf<{
    city: string
    unit: 'metric' | 'imperial'
    days?: number
    kind?: 'forecast'
    place?: string | number[]
    note?: string | null
    more?: { on: boolean }
    rest?: unknown
  }>()
  expect(schema['~standard'].vendor).toBe('parley')
})

test('gives its JSON Schema back as it was written', () => {
  const written = { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' }
  const { jsonSchema: converter } = jsonSchema(written)['~standard']

  expect(converter.input({ target: 'draft-2020-12' })).toBe(written)
  expect(converter.output({ target: 'draft-07' })).toBe(written)
})

test('a schema that cannot be honoured throws where it is written', () => {
  expect(() => jsonSchema({ type: 'strnig' })).toThrow(SchemaError)
})

import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'

import { tries } from '../../../../../test-support/thorough.ts'
import { compileJsonSchema } from '../../../src/schema/json-schema/compile.ts'
import type { JsonSchema } from '../../../src/schema/standard-schema.ts'

const names = fc.constantFrom('a', 'b', 'ab', 'c')
const counts = fc.integer({ min: 0, max: 3 })
const scalars = fc.constantFrom<unknown>(
  null,
  true,
  false,
  0,
  1,
  2,
  3.5,
  -1,
  '',
  'a',
  'ab',
  'abc',
  '😀',
)
const { value: values } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    scalars,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(names, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
}))
const types = fc.constantFrom('null', 'boolean', 'integer', 'number', 'string', 'array', 'object')

const { schema: schemas } = fc.letrec<{ schema: JsonSchema | boolean; object: JsonSchema }>(
  (tie) => {
    const schema = tie('schema')
    const list = fc.array(schema, { minLength: 1, maxLength: 3 })
    const named = fc.dictionary(names, schema, { maxKeys: 3, noNullPrototype: true })
    return {
      schema: fc.oneof(
        { maxDepth: 3, withCrossShrink: true },
        fc.boolean(),
        types.map((type) => ({ type })),
        fc.record(
          {
            const: values,
            enum: fc.uniqueArray(values, {
              minLength: 1,
              maxLength: 3,
              selector: (item) => JSON.stringify(item),
            }),
            minimum: counts,
            exclusiveMaximum: counts,
            multipleOf: fc.constantFrom(1, 2, 0.5),
            minLength: counts,
            maxLength: counts,
            pattern: fc.constantFrom('^a', 'b$', '^a?b*$'),
            $ref: fc.constant('#/$defs/shared'),
          },
          { requiredKeys: [], noNullPrototype: true },
        ),
        tie('object'),
      ),
      object: fc
        .record(
          {
            type: fc.uniqueArray(types, { minLength: 1, maxLength: 4 }),
            allOf: list,
            anyOf: list,
            oneOf: list,
            not: schema,
            if: schema,
            // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
            then: schema,
            else: schema,
            prefixItems: list,
            items: schema,
            contains: schema,
            minContains: counts,
            maxContains: counts,
            minItems: counts,
            uniqueItems: fc.boolean(),
            unevaluatedItems: schema,
            properties: named,
            patternProperties: fc.dictionary(fc.constantFrom('^a', 'b'), schema, {
              noNullPrototype: true,
            }),
            additionalProperties: schema,
            propertyNames: fc.constantFrom<JsonSchema | boolean>(
              true,
              { maxLength: 1 },
              { pattern: '^a' },
            ),
            required: fc.uniqueArray(names, { maxLength: 2 }),
            dependentRequired: fc.dictionary(names, fc.uniqueArray(names, { maxLength: 2 }), {
              maxKeys: 2,
              noNullPrototype: true,
            }),
            dependentSchemas: named,
            minProperties: counts,
            maxProperties: counts,
            unevaluatedProperties: schema,
          },
          { requiredKeys: [], noNullPrototype: true },
        )
        // Beside `prefixItems` Ajv lets an empty array pass a `contains` that nothing fits.
        .map(({ contains, ...rest }) =>
          'prefixItems' in rest || contains === undefined ? rest : { ...rest, contains },
        ),
    }
  },
)

test('agrees with Ajv about every schema and value', () => {
  fc.assert(
    fc.property(
      schemas,
      schemas,
      fc.array(values, { minLength: 1, maxLength: 6 }),
      (main, shared, samples) => {
        // Ajv answers a recursive schema of this kind with an endless loop.
        fc.pre(!JSON.stringify(shared).includes('$ref'))
        const schema = typeof main === 'boolean' ? main : { ...main, $defs: { shared } }
        const ajv = new Ajv2020({ strict: false, logger: false, validateSchema: false })
        const theirs = ajv.compile(schema)
        const ours = compileJsonSchema(schema, { untrusted: true })

        for (const value of samples) {
          const issues = ours(value)
          expect([value, issues === undefined]).toEqual([value, theirs(value)])
          expect(issues).not.toEqual([])
        }
      },
    ),
    { numRuns: tries(300) },
  )
})

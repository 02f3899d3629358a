import fc from 'fast-check'
import { expect, test } from 'vitest'

import { tries } from '../../../../../test-support/thorough.ts'
import { compileJsonSchema } from '../../../src/schema/json-schema/compile.ts'
import { readDocument } from '../../../src/schema/json-schema/read-document.ts'
import { SchemaError } from '../../../src/schema/json-schema/schema-error.ts'
import type { JsonSchema } from '../../../src/schema/standard-schema.ts'

const keywords =
  '$ref $defs type enum const minLength maximum exclusiveMinimum multipleOf pattern format required properties ' +
  'patternProperties additionalProperties propertyNames dependencies dependentRequired items prefixItems contains ' +
  'minContains uniqueItems allOf oneOf not if then unevaluatedItems $anchor $dynamicRef $dynamicAnchor $id'

const { schema } = fc.letrec((tie) => ({
  value: fc.oneof(
    fc.constantFrom('#', '#/$defs/a', '#a', 'a', 'string', 'object', '(', '^a+$', 'date'),
    fc.jsonValue({ maxDepth: 1 }),
    fc.array(fc.oneof(tie('schema'), fc.constantFrom('a', 'integer')), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('a', 'b', '['), tie('schema'), { maxKeys: 2 }),
    tie('schema'),
  ),
  schema: fc.oneof(
    { maxDepth: 3 },
    fc.boolean(),
    fc.dictionary(fc.constantFrom(...keywords.split(' ')), tie('value'), { maxKeys: 3 }),
  ),
}))

test('what was read without a fault can be compiled, and checks any value', () => {
  let compiled = 0
  fc.assert(
    fc.property(schema as fc.Arbitrary<JsonSchema>, fc.jsonValue(), (document, value) => {
      if (!canBeRead(document)) return
      compiled += 1
      compileJsonSchema(document)(value)
    }),
    { numRuns: tries(2_000) },
  )

  expect(compiled).toBeGreaterThan(100)
})

function canBeRead(document: JsonSchema): boolean {
  try {
    readDocument(document)
    return true
  } catch (error) {
    expect(error).toBeInstanceOf(SchemaError)
    return false
  }
}

test('what nothing refers to is not read', () => {
  const broken = { type: 'strnig' }

  expect(() => readDocument({ $defs: { broken } })).not.toThrow()
  expect(() => readDocument({ $defs: { broken }, $ref: '#/$defs/broken' })).toThrow('strnig')
})

test('a tuple of an older draft is told how it is written now', () => {
  expect(() => readDocument({ items: [{}] })).toThrow('prefixItems')
})

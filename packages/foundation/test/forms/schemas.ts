// oxlint-disable unicorn/no-thenable -- `then` is a keyword of the schemas here
import type { JsonValue } from '@parley/mcp'
import fc from 'fast-check'

type Schema = { readonly [keyword: string]: unknown } | boolean

const names = fc.constantFrom('a', 'b', 'kind', 'name', '__proto__', 'constructor', 'x/y', 'ü~')
const definitions = ['one', 'two', 'loop']

const leafParts = fc.oneof(
  fc.record({ type: fc.constantFrom('string', 'number', 'integer', 'boolean', 'null') }),
  fc.record({ type: fc.constant(['string', 'null']) }),
  fc.record({ type: fc.constant(['integer', 'object', 'array']) }),
  fc.record({ enum: fc.constant(['red', 1, null]), enumNames: fc.constant(['Red', 'One']) }),
  fc.record({ const: fc.constantFrom<JsonValue>('x', 1, null, { a: 1 }) }),
  fc.constant({ type: 'array', items: { enum: ['red', 'x'] }, uniqueItems: true }),
  fc.constant({ oneOf: [{ const: 'red', title: 'Red' }, { const: 'x' }] }),
  fc.constantFrom(...definitions).map((name) => ({ $ref: `#/$defs/${name}` })),
  fc.constantFrom(
    { $ref: '#' },
    { $ref: '#loop' },
    { $ref: '#/nowhere' },
    { $ref: 'https://example.com/elsewhere' },
    { $dynamicRef: '#loop' },
    { $recursiveRef: '#' },
  ),
  fc.constantFrom({ not: { type: 'string' } }, { unevaluatedProperties: false }),
  fc.constantFrom({ unheardOf: 1 }, { 'x-order': 2 }, { format: 'date' }, { pattern: '^x' }),
  fc.constantFrom({ minLength: 2 }, { minimum: 1, maximum: 5 }, { default: 'd' }),
)

/** Values of every kind, with the names that schemas use and a few that make trouble. */
export const values: fc.Arbitrary<JsonValue> = valueOf(3)

function valueOf(depth: number): fc.Arbitrary<JsonValue> {
  const plain = fc.constantFrom<JsonValue>(null, true, false, '', 'x', 'red', 0, 1, -1.5, 42)
  if (depth === 0) return plain
  const inner = valueOf(depth - 1)
  return fc.oneof(
    { weight: 3, arbitrary: fc.array(fc.tuple(names, inner), { maxLength: 5 }).map(toObject) },
    { weight: 1, arbitrary: fc.array(inner, { maxLength: 3 }) },
    { weight: 1, arbitrary: plain },
  )
}

/** Schemas drawn from every construct forms know, and words they do not. */
export const schemas: fc.Arbitrary<Schema> = fc
  .tuple(schemaOf(4), schemaOf(2), schemaOf(1))
  .map(([root, one, two]) =>
    typeof root === 'boolean'
      ? root
      : { ...root, $defs: { one, two, loop: { $anchor: 'loop', anyOf: [{ $ref: '#' }, one] } } },
  )

function schemaOf(depth: number): fc.Arbitrary<Schema> {
  if (depth === 0) return combine(leafParts)
  const inner = schemaOf(depth - 1)
  const table = fc.array(fc.tuple(names, inner), { maxLength: 4 }).map(toObject)
  return combine(
    fc.oneof(
      { weight: 1, arbitrary: leafParts },
      {
        weight: 2,
        arbitrary: fc.oneof(
          fc.record({ type: fc.constant('object'), properties: table, required: fc.array(names) }),
          fc.record({ properties: table, additionalProperties: inner }),
          fc.record({ patternProperties: inner.map((one) => ({ '^[a-m]': one, '(?<=x)': one })) }),
          fc.record({ type: fc.constant('array'), items: inner }),
          fc.record({ prefixItems: fc.array(inner, { maxLength: 2 }), items: inner }),
          fc.record({ items: fc.array(inner, { maxLength: 2 }), additionalItems: inner }),
          fc.record({ allOf: fc.array(inner, { maxLength: 3 }) }),
          fc.record({ anyOf: fc.array(inner, { maxLength: 3 }) }),
          fc.record({ oneOf: fc.array(inner, { maxLength: 3 }) }),
          fc.record({ if: inner, then: inner, else: inner }),
          fc.record({ dependentSchemas: table, dependentRequired: fc.constant({ a: ['b'] }) }),
        ),
      },
    ),
  )
}

/** Mostly one or two words together: with more, little is left that fits. */
function combine(parts: fc.Arbitrary<object>): fc.Arbitrary<Schema> {
  return fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom<Schema>(true, false, {}) },
    { weight: 8, arbitrary: parts.map((part) => ({ ...part })) },
    {
      weight: 4,
      arbitrary: fc.array(parts, { maxLength: 3 }).map((all) => Object.assign({}, ...all)),
    },
  )
}

function toObject<T>(entries: readonly (readonly [string, T])[]): { [name: string]: T } {
  return Object.fromEntries(entries)
}

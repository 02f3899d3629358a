import type { JsonObject } from '@parley/mcp'
import fc from 'fast-check'

type Pair = readonly [schema: JsonObject, value: unknown]

const names = fc.constantFrom('a', 'b', 'a-b', '0', 'constructor', "it's", '"')
const scalar = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null))

const simple: fc.Arbitrary<Pair> = fc.oneof(
  fc.string().map((value): Pair => [{ type: 'string' }, value]),
  fc.integer().map((value): Pair => [{ type: 'integer', minimum: -10_000 }, value]),
  fc.boolean().map((value): Pair => [{ type: ['boolean', 'null'] }, value]),
  scalar.map((value): Pair => [{ const: value }, value]),
  scalar.map((value): Pair => [{ enum: [value, 'other', [value], { a: value }] }, [value]]),
)

/** Schemas that say types, each with a value that was made to fit; whether it does is for the engine to say. */
export const schemasWithValues: fc.Arbitrary<Pair> = fc.letrec<{ pair: Pair }>((tie) => {
  const inner = tie('pair')
  return {
    pair: fc.oneof(
      { maxDepth: 4, depthIdentifier: 'schema' },
      simple,
      fc.array(inner, { maxLength: 3 }).chain(objectOf),
      inner.map(listOf),
      fc.array(inner, { minLength: 1, maxLength: 3 }).map(tupleOf),
      fc.array(inner, { minLength: 1, maxLength: 3 }).chain(choiceOf),
      inner.map(([schema, value]): Pair => [{ allOf: [schema, {}] }, value]),
      inner.map(([schema, value]): Pair => [
        { type: 'object', additionalProperties: schema },
        { some: value, other: value },
      ]),
    ),
  }
}).pair

function objectOf(pairs: readonly Pair[]): fc.Arbitrary<Pair> {
  const keys = fc.uniqueArray(names, { minLength: pairs.length, maxLength: pairs.length })
  return fc.tuple(keys, fc.boolean()).map(([own, isClosed]): Pair => [
    {
      type: 'object',
      properties: Object.fromEntries(pairs.map(([schema], at) => [own[at], schema])),
      required: own.slice(0, 1),
      ...(isClosed && { additionalProperties: false }),
    },
    Object.fromEntries(pairs.map(([, value], at) => [own[at], value])),
  ])
}

function listOf([items, value]: Pair): Pair {
  return [{ type: 'array', items }, [value, value]]
}

function tupleOf(pairs: readonly Pair[]): Pair {
  const values = pairs.map(([, value]) => value)
  return [{ type: 'array', prefixItems: pairs.map(([schema]) => schema) }, [...values, 1, 'more']]
}

function choiceOf(pairs: readonly Pair[]): fc.Arbitrary<Pair> {
  const schemas = pairs.map(([schema]) => schema)
  return fc
    .tuple(fc.constantFrom('anyOf', 'oneOf'), fc.constantFrom(...pairs))
    .map(([keyword, [, value]]): Pair => [{ [keyword]: schemas }, value])
}

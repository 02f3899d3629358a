import { expect, test } from 'vitest'

import { compileJsonSchema, type CompileOptions } from '../../../src/schema/json-schema/compile.ts'
import type { JsonSchema } from '../../../src/schema/standard-schema.ts'

// Without its limit each of these runs for minutes or ends the process, so the runner's own time limit is the assertion.

const tooDeep = 'follows references more than 256 deep (maxReferenceDepth)'
const tooLong = 'takes too many steps to check (maxSteps)'
/** Fewer than the million of the default, which takes 0.2 s. */
const maxSteps = 50_000

function firstProblem(schema: JsonSchema, value: unknown, options: CompileOptions = {}) {
  return compileJsonSchema(schema, { untrusted: true, ...options })(value)?.[0]?.message
}

function nestedArrays(depth: number): unknown {
  return JSON.parse('['.repeat(depth) + ']'.repeat(depth))
}

function nestedSchema(depth: number, innermost: JsonSchema): JsonSchema {
  let schema = innermost
  for (let level = 0; level < depth; level++) schema = { items: schema }
  return schema
}

test.each([
  ['itself', { $ref: '#' }],
  ['itself in both arms of anyOf', { anyOf: [{ $ref: '#' }, { $ref: '#' }] }],
  ['its own negation', { not: { $ref: '#' } }],
  ['itself dynamically', { $dynamicAnchor: 'a', $dynamicRef: '#a' }],
])('a schema that means %s is given up [N07-JSCH-03]', (_name, schema) => {
  expect(firstProblem(schema, 1)).toBe(tooDeep)
})

test('a value nested 20 000 deep is refused by a recursive schema [N07-JSCH-03]', () => {
  expect(firstProblem({ items: { $ref: '#' } }, nestedArrays(20_000))).toBe(tooDeep)
})

test('deep nesting between references is refused, not a crash', () => {
  const schema = nestedSchema(250, { $ref: '#' })

  expect(firstProblem(schema, nestedArrays(70_000 / 4))).toMatch(/deep/)
})

test('deep values are refused where they are compared whole', () => {
  expect(firstProblem({ uniqueItems: true }, [nestedArrays(50_000), 1])).toMatch(/deep/)
  expect(() => compileJsonSchema({ const: nestedArrays(50_000) })).toThrow(/deep/)
})

test('a schema nested too deep is refused', () => {
  expect(() => compileJsonSchema(nestedSchema(20_000, {}))).toThrow(/nested more than 256 deep/)
})

test('definitions that each use the next twice run out of steps [N07-JSCH-03]', () => {
  const definitions = Array.from({ length: 32 }, (_, index): [string, JsonSchema] => {
    const next = { $ref: `#/$defs/d${index + 1}` }
    return [`d${index}`, { allOf: [next, next] }]
  })
  const $defs = { ...Object.fromEntries(definitions), d32: { type: 'string' } }

  expect(firstProblem({ $defs, $ref: '#/$defs/d0' }, 'x')).toBe(tooLong)
  expect(firstProblem({ $defs, $ref: '#/$defs/d28' }, 'x')).toBeUndefined()
  expect(firstProblem({ $defs, $ref: '#/$defs/d28' }, 'x', { maxSteps: 10 })).toBe(tooLong)
})

test('long lists of names and choices cost steps', () => {
  const names = Array.from({ length: 10_000 }, (_, index) => `p${index}`)
  const full = Object.fromEntries(names.map((name) => [name, 1]))
  const copies = Array.from({ length: 20_000 }, () => full)
  const choices = names.map((name) => ({ [name]: 1 }))

  expect(firstProblem({ items: { required: names } }, copies)).toBe(tooLong)
  expect(firstProblem({ items: { enum: choices } }, copies.slice(0, 2_000))).toBe(tooLong)
})

test.each([
  ['items: true', { items: true }],
  ['contains: true', { contains: true }],
  ['unevaluatedItems: true', { unevaluatedItems: true }],
  ['uniqueItems', { uniqueItems: true }],
  ['oneOf', { oneOf: Array.from({ length: 100_000 }, () => false) }],
  ['allOf', { allOf: Array.from({ length: 50_000 }, () => true) }],
])('%s costs steps however little each one asks', (_name, schema) => {
  const $ref = '#/$defs/often'
  const branches = Array.from({ length: 5_000 }, () => ({ not: { allOf: [{ $ref }, false] } }))
  const value = Array.from({ length: 50_000 }, (_, index) => index)

  expect(firstProblem({ $defs: { often: schema }, allOf: branches }, value, { maxSteps })).toBe(
    tooLong,
  )
})

test('long texts and wide objects cost steps wherever they are looked at', () => {
  const text = 'a'.repeat(50_000)
  const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`p${index}`, 1]))
  const often = (schema: JsonSchema): JsonSchema => ({
    $defs: { often: schema },
    allOf: Array.from({ length: 5_000 }, () => ({ $ref: '#/$defs/often' })),
  })

  expect(firstProblem(often({ enum: [text] }), text, { maxSteps })).toBe(tooLong)
  expect(firstProblem(often({ const: [text] }), [text], { maxSteps })).toBe(tooLong)
  expect(firstProblem(often({ minLength: 30_000 }), text, { maxSteps })).toBe(tooLong)
  expect(firstProblem(often({ uniqueItems: true }), [{ [text]: 1 }], { maxSteps })).toBe(tooLong)
  expect(firstProblem(often({ minProperties: 1 }), wide, { maxSteps })).toBe(tooLong)
  expect(firstProblem(often({ propertyNames: true }), wide, { maxSteps })).toBe(tooLong)
  expect(firstProblem(often({ additionalProperties: true }), wide, { maxSteps })).toBe(tooLong)
  expect(
    firstProblem(
      { items: { required: [text] } },
      Array.from({ length: 10 }, () => ({})),
    ),
  ).toMatch(/must have property "a+…"/)
})

test('a schema of very many schemas, or very many patterns, is refused [N07-JSCH-03]', () => {
  const many = Array.from({ length: 100_001 }, () => ({}))
  const patterns = Array.from({ length: 5_000 }, (_, index) => [`a{1900}${index}`, {}])

  expect(() => compileJsonSchema({ anyOf: many })).toThrow(/more than 100000 schemas/)
  expect(() =>
    compileJsonSchema({ patternProperties: Object.fromEntries(patterns) }, { untrusted: true }),
  ).toThrow(/very large repetition/)
})

test.each(['^(a+)+$', '^(a|a)*$', '^(a*)*b$', '(a|aa)+$', '(.*)*x$', `${'(a|a)'.repeat(60)}b`])(
  'the pattern %s takes linear time',
  (pattern) => {
    expect(firstProblem({ pattern }, `${'a'.repeat(100_000)}!`)).toMatch(/must match the pattern/)
  },
)

test.each(['(?=a)b', '(?<!a)b', '(a)\\1', '\\bword', 'a{5000}', '(a{100}){100}'])(
  'the pattern %s is refused in a schema that is not trusted',
  (pattern) => {
    expect(() => compileJsonSchema({ pattern }, { untrusted: true })).toThrow(/backtracking/)
    expect(() =>
      compileJsonSchema({ patternProperties: { [pattern]: {} } }, { untrusted: true }),
    ).toThrow(/backtracking/)
    expect(() => compileJsonSchema({ pattern })).not.toThrow()
  },
)

test('a pattern with very many combinations of states runs out of steps', () => {
  const text = Array.from({ length: 20_000 }, (_, index) => 'ab'[((index * index) % 7) % 2]).join(
    '',
  )

  expect(firstProblem({ pattern: '(a|b)*a(a|b){300}c' }, text)).toMatch(/maxSteps|must match/)
  expect(firstProblem({ pattern: '(a|b)*a(a|b){300}c' }, text, { maxSteps: 1_000 })).toBe(tooLong)
})

test('repeating nothing very often costs nothing', () => {
  expect(firstProblem({ pattern: '^(?:){1000000000}(((a{0}){1000000})*){3}$' }, '')).toBeUndefined()
})

test('twenty thousand distinct objects are compared in linear time', () => {
  const items = Array.from({ length: 20_000 }, (_, index) => ({ id: index, name: `n${index}` }))

  expect(firstProblem({ uniqueItems: true }, items)).toBeUndefined()
  expect(firstProblem({ uniqueItems: true }, [...items, { name: 'n7', id: 7 }])).toMatch(
    /item 20000 /,
  )
})

test('many dynamic anchors are indexed in linear time', () => {
  const definitions = Array.from({ length: 5_000 }, (_, index) => [
    `r${index}`,
    { $id: `r${index}`, $dynamicAnchor: 'x', $dynamicRef: '#x' },
  ])

  expect(firstProblem({ $defs: Object.fromEntries(definitions), $ref: 'r0' }, 1)).toBe(tooDeep)
})

test.each(['date', 'time', 'date-time', 'email', 'uri', 'uuid', 'ipv4', 'ipv6', 'hostname'])(
  'the format %s takes linear time',
  (format) => {
    for (const start of ['', 'a://', 'a@', '"', '2020-01-01T00:00:00.', 'a://[', '::']) {
      for (const piece of ['a', '1', '.', ':', '@', '%41', '-', '\\"', '[', ']', 'a.', '0:']) {
        expect(firstProblem({ format }, `${start}${piece.repeat(100_000)}!\n`)).toMatch(/must be/)
      }
    }
  },
)

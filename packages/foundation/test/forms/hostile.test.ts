// oxlint-disable unicorn/no-thenable -- `then` is a keyword of the schemas here
import { describeForm, issuesOf, readForm, sampleOf } from '@parley/foundation/forms'
import type { JsonValue } from '@parley/mcp'
import { expect, test } from 'vitest'

const tree = {
  $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } },
  $ref: '#/$defs/node',
}

const schemas: { readonly [name: string]: unknown } = {
  'refers to itself': { $ref: '#' },
  'refers to itself in every arm': { anyOf: [{ $ref: '#' }, { $ref: '#' }, { type: 'string' }] },
  'refers around in a circle': {
    $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } },
    $ref: '#/$defs/a',
  },
  'requires itself': { type: 'object', required: ['self'], properties: { self: { $ref: '#' } } },
  'has itself as items': { type: 'array', minItems: 3, items: { $ref: '#' } },
  'merges itself': { allOf: [{ $ref: '#' }, { $ref: '#/allOf/0' }] },
  'asks itself': { if: { $ref: '#' }, then: { $ref: '#' }, else: { $ref: '#' } },
  'doubles thirty times': {
    $defs: Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [
        `d${index}`,
        { allOf: [{ $ref: `#/$defs/d${index + 1}` }, { $ref: `#/$defs/d${index + 1}` }] },
      ]),
    ),
    $ref: '#/$defs/d0',
  },
  'doubles its members thirty times': {
    $defs: Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => {
        const next = { $ref: `#/$defs/d${index + 1}` }
        return [
          `d${index}`,
          { type: 'object', required: ['l', 'r'], properties: { l: next, r: next } },
        ]
      }),
    ),
    $ref: '#/$defs/d0',
  },
  'has unions of unions': nestUnions(12),
  'is nested ten thousand deep': nest(10_000),
  'has six thousand members': {
    type: 'object',
    properties: Object.fromEntries(
      Array.from({ length: 6_000 }, (_, index) => [`m${index}`, { type: 'string' }]),
    ),
  },
  'has six thousand variants': {
    anyOf: Array.from({ length: 6_000 }, (_, index) => ({ type: 'object', title: `${index}` })),
  },
  'has a pattern that takes forever': {
    type: 'object',
    patternProperties: { '^(a+)+$': {} },
    properties: { text: { type: 'string', pattern: '^(([a-z])+.)+[A-Z]([a-z])+$' } },
  },
  'has groups ten thousand deep in a pattern': {
    type: 'string',
    pattern: '('.repeat(10_000) + ')'.repeat(10_000),
  },
  'refers to names every object has': { $ref: '#/constructor', properties: { toString: {} } },
  'is no schema': 'hello',
  'is a list': [],
  'has keywords of the wrong type': {
    type: 7,
    properties: [],
    required: 'a',
    allOf: {},
    anyOf: 3,
    enum: 'x',
    items: 'y',
    $ref: {},
    patternProperties: null,
    if: 4,
    then: 5,
    $defs: 9,
  },
}

test.each(Object.entries(schemas))(
  'a schema that %s gives a form of bounded size',
  (_, schema) => {
    const values: (JsonValue | undefined)[] = [undefined, null, {}, [], 'text', 7, deepValue(200)]
    for (const value of values) {
      const node = describeForm(schema, value)

      expect(readForm(node)).toEqual(value)
      expect(count(node)).toBeLessThan(5000)
    }
    expect(JSON.stringify(sampleOf(schema)).length).toBeLessThan(5_000_000)
    expect(issuesOf(schema, {}).issues.length).toBeLessThan(100)
  },
  120_000,
)

test('a value deeper than any form ends as JSON, with nothing lost', () => {
  const value = deepValue(2000)

  expect(JSON.stringify(readForm(describeForm(tree, value)))).toBe(JSON.stringify(value))
})

test('a value wider than any form ends as JSON, with nothing lost', () => {
  const value = Array.from({ length: 100_000 }, (_, index) => index)

  const node = describeForm({ type: 'array', items: { type: 'number' } }, value)

  expect(node).toMatchObject({ kind: 'json', reason: 'large' })
  expect(readForm(node)).toEqual(value)
})

test('members called like those of every object are members', () => {
  const value = JSON.parse('{"__proto__":{"a":1},"constructor":"c","toString":2}')

  const read = readForm(describeForm({ type: 'object' }, value))

  expect(JSON.stringify(read)).toBe(JSON.stringify(value))
  expect(Object.getPrototypeOf(read)).toBe(Object.prototype)
})

function nest(depth: number): unknown {
  let schema: unknown = { type: 'string' }
  for (let level = 0; level < depth; level++) {
    schema = { type: 'object', required: ['next'], properties: { next: schema } }
  }
  return schema
}

function nestUnions(depth: number): unknown {
  if (depth === 0) return { type: 'string' }
  const inner = nestUnions(depth - 1)
  return { anyOf: [inner, { allOf: [inner, { title: `${depth}` }] }, { type: 'object' }] }
}

function deepValue(depth: number): JsonValue {
  let value: JsonValue = {}
  for (let level = 0; level < depth; level++) value = { next: value }
  return value
}

function count(node: unknown): number {
  if (typeof node !== 'object' || node === null) return 0
  const { members = [], extras = [], items = [], node: inner } = node as Record<string, unknown[]>
  const children = [...members, ...extras, ...items, ...(inner ? [inner] : [])]
  return 1 + children.reduce<number>((sum, child) => sum + count(child), 0)
}

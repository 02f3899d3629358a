// oxlint-disable unicorn/no-thenable -- `then` is a keyword of the schemas here
import {
  defaultsOf,
  describeForm,
  edit,
  issuesOf,
  readForm,
  sampleOf,
  startOf,
} from '@parley/foundation/forms'
import type { FormNode } from '@parley/foundation/forms'
import type { JsonValue } from '@parley/mcp'
import { describe, expect, test } from 'vitest'

const address = {
  type: 'object',
  title: 'Address',
  properties: { street: { type: 'string' }, city: { type: 'string' } },
  required: ['city'],
}

interface Case {
  readonly schema: unknown
  readonly value?: JsonValue
  /** Kinds by pointer, as an outline of the form. */
  readonly shows: { readonly [pointer: string]: string }
}

const cases: { readonly [name: string]: Case } = {
  'one definition used twice keeps both values': {
    schema: {
      $defs: { address },
      type: 'object',
      properties: { home: { $ref: '#/$defs/address' }, work: { $ref: '#/$defs/address' } },
    },
    value: { home: { city: 'Graz' }, work: { city: 'Linz' } },
    shows: {
      '/home': 'object',
      '/home/street': 'text',
      '/home/city': 'text',
      '/work/city': 'text',
    },
  },
  'a definition of an older draft': {
    schema: {
      $schema: 'http://json-schema.org/draft-07/schema#',
      definitions: { address },
      properties: { home: { $ref: '#/definitions/address', description: 'ignored here' } },
    },
    value: { home: { city: 'Graz' } },
    shows: { '/home': 'object', '/home/city': 'text' },
  },
  'a reference to another member': {
    schema: {
      properties: { from: { type: 'string', format: 'date' }, to: { $ref: '#/properties/from' } },
    },
    value: {},
    shows: { '/from': 'text', '/to': 'text' },
  },
  'a union at the root shows the fields of the matching arm': {
    schema: {
      anyOf: [
        { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
        { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
      ],
    },
    value: { name: 'x' },
    shows: { '': 'union object', '/name': 'text' },
  },
  'a union at the root beside members of its own': {
    schema: {
      type: 'object',
      properties: { query: { type: 'string' } },
      oneOf: [{ required: ['query'] }, { properties: { id: { type: 'number' } } }],
    },
    value: { id: 7 },
    shows: { '': 'union object', '/query': 'text', '/id': 'number' },
  },
  'text or null is one field': {
    schema: { properties: { note: { anyOf: [{ type: 'string' }, { type: 'null' }] } } },
    value: { note: null },
    shows: { '/note': 'text nullable null' },
  },
  'a list of types with null is one field': {
    schema: { properties: { note: { type: ['integer', 'null'], default: null } } },
    value: {},
    shows: { '/note': 'number nullable' },
  },
  'an enum with null': {
    schema: { properties: { color: { enum: ['red', 'green', null] } } },
    value: { color: null },
    shows: { '/color': 'choice nullable null' },
  },
  'a reference or null': {
    schema: {
      $defs: { address },
      properties: { home: { anyOf: [{ $ref: '#/$defs/address' }, { type: 'null' }] } },
    },
    value: { home: { city: 'Graz' } },
    shows: { '/home': 'object nullable', '/home/city': 'text' },
  },
  'several types': {
    schema: { properties: { id: { type: ['string', 'integer'] } } },
    value: { id: 5 },
    shows: { '/id': 'union number' },
  },
  'a tree that contains itself': {
    schema: {
      $defs: {
        node: {
          type: 'object',
          properties: {
            name: { type: 'string' },
            children: { type: 'array', items: { $ref: '#/$defs/node' } },
          },
          required: ['name'],
        },
      },
      $ref: '#/$defs/node',
    },
    value: { name: 'a', children: [{ name: 'b', children: [] }] },
    shows: { '/name': 'text', '/children/0/name': 'text', '/children/0/children': 'array' },
  },
  'all of several objects': {
    schema: {
      allOf: [
        { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
        { type: 'object', properties: { b: { type: 'number' }, a: { minLength: 2 } } },
      ],
    },
    value: { a: 'xy', b: 1 },
    shows: { '': 'object', '/a': 'text', '/b': 'number' },
  },
  'shapes told apart by a constant': {
    schema: {
      properties: {
        shape: {
          oneOf: [
            { properties: { kind: { const: 'circle' }, r: { type: 'number' } } },
            { properties: { kind: { const: 'square' }, side: { type: 'number' } } },
          ],
        },
      },
    },
    value: { shape: { kind: 'square', side: 2 } },
    shows: { '/shape': 'union object', '/shape/kind': 'choice', '/shape/side': 'number' },
  },
  'titled constants are options': {
    schema: {
      properties: {
        size: {
          oneOf: [
            { const: 's', title: 'Small' },
            { const: 'l', title: 'Large' },
          ],
        },
      },
    },
    value: { size: 'l' },
    shows: { '/size': 'choice' },
  },
  'several of given values': {
    schema: {
      properties: {
        tags: { type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }, { const: 'b' }] } },
        days: { type: 'array', uniqueItems: true, items: { enum: ['mo', 'tu'] } },
      },
    },
    value: { tags: ['b'] },
    shows: { '/tags': 'choices', '/days': 'choices' },
  },
  'the branch of a condition': {
    schema: {
      properties: { pay: { enum: ['card', 'cash'] } },
      if: { properties: { pay: { const: 'card' } }, required: ['pay'] },
      then: { properties: { number: { type: 'string' } }, required: ['number'] },
      else: { properties: { tip: { type: 'number' } } },
    },
    value: { pay: 'card' },
    shows: { '/pay': 'choice', '/number': 'text' },
  },
  'what depends on a member': {
    schema: {
      properties: { card: { type: 'string' } },
      dependentSchemas: { card: { properties: { address: { type: 'string' } } } },
      dependentRequired: { card: ['address'] },
    },
    value: { card: '1' },
    shows: { '/card': 'text', '/address': 'text' },
  },
  'items with a place': {
    schema: {
      type: 'array',
      prefixItems: [{ type: 'number' }, { enum: ['N', 'S'] }],
      items: { type: 'boolean' },
    },
    value: [1, 'N', true],
    shows: { '': 'array', '/0': 'number', '/1': 'choice', '/2': 'boolean' },
  },
  'free members of one type': {
    schema: { type: 'object', additionalProperties: { type: 'integer' } },
    value: { one: 1, two: 2 },
    shows: { '': 'object', '/one': 'number', '/two': 'number' },
  },
  'members by pattern': {
    schema: {
      patternProperties: { '^x-': { type: 'string' } },
      additionalProperties: { type: 'number' },
    },
    value: { 'x-a': 'text', n: 1 },
    shows: { '/x-a': 'text', '/n': 'number' },
  },
  'members that should not be there are shown all the same': {
    schema: { type: 'object', properties: {}, additionalProperties: false },
    value: { extra: 1 },
    shows: { '/extra': 'json' },
  },
  'a word nobody knows makes JSON of that field alone': {
    schema: { properties: { a: { type: 'string', 'made-up': 1 }, b: { type: 'string' } } },
    value: { a: 'x', b: 'y' },
    shows: { '': 'object', '/a': 'json', '/b': 'text' },
  },
  'a reference that leads nowhere makes JSON of that field alone': {
    schema: { properties: { a: { $ref: '#/$defs/missing' }, b: { type: 'boolean' } } },
    value: { a: { deep: [1] }, b: true },
    shows: { '/a': 'json', '/b': 'boolean' },
  },
  'a value of another type stays as JSON': {
    schema: { properties: { a: { type: 'string' } } },
    value: { a: { not: 'text' } },
    shows: { '/a': 'json' },
  },
  'anchors and a dynamic reference with one target': {
    schema: {
      $defs: {
        a: { $anchor: 'here', type: 'string' },
        b: { $dynamicAnchor: 'there', type: 'number' },
      },
      properties: { a: { $ref: '#here' }, b: { $dynamicRef: '#there' } },
    },
    value: {},
    shows: { '/a': 'text', '/b': 'number' },
  },
  'a resource inside the document': {
    schema: {
      $id: 'https://example.com/root',
      $defs: { part: { $id: 'part', $defs: { x: { type: 'number' } }, $ref: '#/$defs/x' } },
      properties: { a: { $ref: 'part' }, b: { $ref: 'https://example.com/part#/$defs/x' } },
    },
    value: {},
    shows: { '/a': 'number', '/b': 'number' },
  },
  'objects that must be there are shown before they are': {
    schema: { required: ['home'], properties: { home: address, away: address } },
    value: {},
    shows: { '/home/city': 'text', '/away': 'object' },
  },
}

describe.each(Object.entries(cases))('%s', (_, { schema, value, shows }) => {
  const form = describeForm(schema, value)

  test('shows the fields', () => expect(outline(form)).toMatchObject(shows))
  test('keeps the value', () => expect(readForm(form)).toEqual(value))
})

test('a field that is cleared is absent, which null and empty are not', () => {
  const before = { note: 'x', other: 1 }

  expect(edit(before, ['note'], { kind: 'remove' })).toEqual({ other: 1 })
  expect(edit(before, ['note'], { kind: 'set', value: null })).toEqual({ note: null, other: 1 })
  expect(edit(before, ['note'], { kind: 'set', value: '' })).toEqual({ note: '', other: 1 })
})

test('items are added, moved and taken out where they are', () => {
  const list = ['a', 'b', 'c']

  expect(edit(list, [1], { kind: 'insert', value: 'x' })).toEqual(['a', 'x', 'b', 'c'])
  expect(edit(list, [0], { kind: 'move', to: 2 })).toEqual(['b', 'c', 'a'])
  expect(edit(list, [1], { kind: 'remove' })).toEqual(['a', 'c'])
  expect(edit({ a: 1, b: 2 }, ['a'], { kind: 'rename', to: 'z' })).toEqual({ z: 1, b: 2 })
  expect(edit({ a: 1, b: 2 }, ['a'], { kind: 'rename', to: 'b' })).toEqual({ a: 1, b: 2 })
})

test('another shape of a union starts with its constant and keeps members it shares', () => {
  const schema = {
    oneOf: [
      { required: ['kind'], properties: { kind: { const: 'a' }, name: { type: 'string' } } },
      { required: ['kind'], properties: { kind: { const: 'b' }, name: { type: 'string' } } },
    ],
  }

  const form = describeForm(schema, { kind: 'a', name: 'x' })

  expect(form).toMatchObject({ kind: 'union', selected: 0 })
  expect('variants' in form && form.variants[1]?.start()).toEqual({ kind: 'b', name: 'x' })
})

test('a shape a person has chosen stays chosen while it holds the value', () => {
  const schema = { anyOf: [{ type: 'object' }, { properties: { a: {} } }] }

  const form = describeForm(schema, {}, { chosen: new Map([['', 1]]) })

  expect(form).toMatchObject({ kind: 'union', selected: 1 })
})

test('examples fit their schema', () => {
  const schema = {
    type: 'object',
    properties: {
      id: { type: 'string', format: 'uuid' },
      day: { type: 'string', format: 'date' },
      code: { type: 'string', pattern: '^[A-Z]{2}-\\d{4}$' },
      count: { type: 'integer', minimum: 3, multipleOf: 5 },
      share: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 },
      tags: { type: 'array', minItems: 2, items: { type: 'string', minLength: 12 } },
      mode: { $ref: '#/$defs/mode' },
      point: { type: 'array', prefixItems: [{ type: 'number' }, { type: 'number' }] },
    },
    required: ['id', 'mode'],
    if: { properties: { mode: { const: 'fast' } } },
    then: { properties: { limit: { type: 'integer', minimum: 1 } }, required: ['limit'] },
    $defs: { mode: { enum: ['fast', 'slow'] } },
  }

  expect(issuesOf(schema, sampleOf(schema))).toEqual({ issues: [] })
  expect(startOf(schema)).toEqual({})
})

test('a form begins with all defaults where they are sent, and else only with those of members that must be there', () => {
  const schema = {
    type: 'object',
    properties: {
      name: { type: 'string' },
      count: { type: 'integer', default: 3 },
      size: { enum: ['s', 'l'], default: 'l' },
    },
    required: ['name', 'size'],
  }

  expect(defaultsOf(schema)).toEqual({ count: 3, size: 'l' })
  expect(startOf(schema)).toEqual({ size: 'l' })
})

test('what is wrong is told at the field it concerns', () => {
  const schema = { required: ['a/b'], properties: { n: { minimum: 3 } }, type: 'object' }

  const { issues } = issuesOf(schema, { n: 1 })

  expect(issues.map(({ pointer }) => pointer).toSorted()).toEqual(['/a~1b', '/n'])
})

test('a schema the engine refuses is said to be so, and the form works all the same', () => {
  const schema = { properties: { a: { type: 'string', pattern: '(?<=x)y' } } }

  expect(issuesOf(schema, {}).problem).toEqual(expect.any(String))
  expect(describeForm(schema, {})).toMatchObject({ kind: 'object' })
})

/** The kinds of all fields by pointer; a union is named with the shape it shows. */
function outline(node: FormNode): { [pointer: string]: string } {
  const pointer = node.path.map((part) => `/${part}`).join('')
  const words = [node.kind, node.nullable && 'nullable', node.presence === 'null' && 'null']
  const inner = Object.assign({}, ...children(node).map(outline))
  if (node.kind === 'union') words.push(inner[pointer])
  return { ...inner, [pointer]: words.filter(Boolean).join(' ') }
}

function children(node: FormNode): readonly FormNode[] {
  if (node.kind === 'object') return [...node.members, ...node.extras]
  if (node.kind === 'array') return node.items
  return node.kind === 'union' && node.node ? [node.node] : []
}

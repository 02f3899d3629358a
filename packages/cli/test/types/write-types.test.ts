import type { JsonObject, Tool } from '@parley/mcp'
import { createNamedTypes, typeOfSchema } from '@parley/tools/types'
import { parseSync } from 'oxc-parser'
import { describe, expect, test } from 'vitest'

import { compareLocks, lockOf } from '../../src/types/lock.ts'
import type { Surface } from '../../src/types/surface.ts'
import { moduleStyle, writeTypes } from '../../src/types/write-types.ts'
import { hostileSurface } from './hostile-surface.ts'

const flat = (schema: unknown) =>
  typeOfSchema(schema, createNamedTypes(moduleStyle)).text.replaceAll(/\s+/g, ' ')

describe('the type of a schema', () => {
  test.each<[JsonObject | boolean, string]>([
    [true, 'unknown'],
    [false, 'never'],
    [{}, 'unknown'],
    [{ type: 'integer' }, 'number'],
    [{ type: ['string', 'null'] }, 'string | null'],
    [{ enum: ['a', 1, null] }, '"a" | 1 | null'],
    [{ const: { a: [1] } }, '{ readonly a: readonly [1] }'],
    [{ type: 'array' }, 'readonly unknown[]'],
    [{ type: 'array', items: { type: ['string', 'number'] } }, 'readonly (string | number)[]'],
    [
      { type: 'array', items: { type: 'array', items: { type: 'null' } } },
      'readonly (readonly null[])[]',
    ],
    [
      {
        type: 'array',
        prefixItems: [{ type: 'string' }, { type: ['null', 'number'] }],
        items: false,
      },
      'readonly [string?, (null | number)?]',
    ],
    [
      { type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'number' } },
      'readonly [string?, ...number[]]',
    ],
    [{ type: 'object' }, '{ readonly [name: string]: unknown }'],
    [{ type: 'object', additionalProperties: false }, 'Record<never, never>'],
    [
      { type: 'object', additionalProperties: { type: 'number' } },
      '{ readonly [name: string]: number }',
    ],
    [
      { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: true },
      '{ readonly a?: string readonly [name: string]: unknown }',
    ],
    [{ type: 'object', required: ['b'] }, '{ readonly b: unknown }'],
    [
      { type: 'object', properties: { 'a-b': { type: 'string' } }, required: ['a-b'] },
      '{ readonly "a-b": string }',
    ],
    [
      {
        anyOf: [
          { type: 'object', required: ['a'] },
          { type: 'object', required: ['b'] },
        ],
      },
      '{ readonly a: unknown } | { readonly b: unknown }',
    ],
    [
      {
        type: 'array',
        items: { oneOf: [{ type: 'object' }, { type: 'object', required: ['b'] }] },
      },
      'readonly ({ readonly [name: string]: unknown } | { readonly b: unknown })[]',
    ],
    [{ allOf: [{ type: 'string' }, { enum: ['a', 'b'] }] }, 'string & ("a" | "b")'],
    [{ anyOf: [{ type: 'string' }, { description: 'anything' }] }, 'unknown'],
    [{ $ref: '#/$defs/a%20b', $defs: { 'a b': { type: 'string' } } }, 'string'],
    [{ $ref: '#/$defs/a~1b', $defs: { 'a/b': { type: 'string' } } }, 'string'],
    [{ $ref: '#/constructor' }, 'unknown'],
    [{ $ref: '#/%' }, 'unknown'],
    [{ $ref: 'https://example.com/schema.json' }, 'unknown'],
    [{ $ref: '#' }, 'unknown'],
    [{ type: 'strnig' }, 'unknown'],
  ])('%j is %s', (schema, type) => {
    expect(flat(schema)).toBe(type)
  })

  test('references that multiply are cut', () => {
    const names = Array.from({ length: 12 }, (_, at) => `level${at}`)
    const $defs = Object.fromEntries(
      names.map((name, at) => {
        const next = Array.from({ length: 10 }, () => ({ $ref: `#/$defs/level${at + 1}` }))
        return [name, { type: 'object', properties: Object.fromEntries(next.entries()) }]
      }),
    )

    expect(flatModule({ $ref: '#/$defs/level0', $defs }).length).toBeLessThan(20_000)
  })
})

/** The type of a tool's input, and what it needs. */
function flatModule(...schemas: readonly JsonObject[]): string {
  const tools = schemas.map((inputSchema, at): Tool => ({ name: `t${at}`, inputSchema }))
  const text = writeTypes({ server: 's', tools, prompts: [] }).replaceAll(/\s+/g, ' ')
  return text.replace(/^.*?export interface Tools /, '').replace(/\/\*\* Prompts.*? \{\}/, '')
}

describe('definitions', () => {
  const address = {
    type: 'object',
    description: 'Where somebody lives',
    properties: { street: { type: 'string' } },
  }
  const home = (more: JsonObject = {}): JsonObject => ({
    type: 'object',
    properties: { home: { $ref: '#/$defs/postal-address' } },
    $defs: { 'postal-address': { ...address, ...more } },
  })

  test('become types with names, once for all tools that have the same', () => {
    expect(flatModule(home(), home())).toBe(
      '{ readonly t0: { readonly input: { readonly home?: PostalAddress } readonly output: unknown } ' +
        'readonly t1: { readonly input: { readonly home?: PostalAddress } readonly output: unknown } } ' +
        ' /** Where somebody lives */ export interface PostalAddress { readonly street?: string } ',
    )
  })

  test('of one name that differ become two', () => {
    const text = flatModule(home(), home({ required: ['street'] }))

    expect(text).toContain('export interface PostalAddress { readonly street?: string }')
    expect(text).toContain('export interface PostalAddress2 { readonly street: string }')
  })

  test('that differ only in what they refer to become two', () => {
    const nested = (leaf: JsonObject): JsonObject => ({
      $ref: '#/$defs/a',
      $defs: { a: { type: 'array', items: { $ref: '#/$defs/b' } }, b: leaf },
    })

    const text = flatModule(nested({ enum: [1, 2] }), nested({ enum: [3, 4] }))

    expect(text).toContain('export type A = readonly B[]')
    expect(text).toContain('export type A2 = readonly B2[]')
  })

  test('do not take names that the module has', () => {
    const $defs = { tools: { enum: [1, 2] }, '': { enum: [3, 4] }, '1st': { enum: [5, 6] } }
    const items = ['tools', '', '1st'].map((name) => ({ $ref: `#/$defs/${name}` }))

    const text = flatModule({ anyOf: items, $defs })

    expect(text).toContain('readonly input: Tools2 | Type | Type1st')
  })

  test.each<[string, JsonObject, string, string]>([
    [
      'a tree',
      { type: 'object', properties: { children: { type: 'array', items: { $ref: '#' } } } },
      'T0Input',
      'export interface T0Input { readonly children?: readonly T0Input[] }',
    ],
    [
      'JSON',
      {
        $ref: '#/$defs/json',
        $defs: {
          json: {
            anyOf: [
              { type: ['string', 'null'] },
              { type: 'array', items: { $ref: '#/$defs/json' } },
              { type: 'object', additionalProperties: { $ref: '#/$defs/json' } },
            ],
          },
        },
      },
      'Json',
      'export type Json = (string | null) | (readonly Json[]) | { readonly [name: string]: Json }',
    ],
    [
      'an anchor',
      { $ref: '#node', $defs: { n: { $anchor: 'node', type: 'array', items: { $ref: '#node' } } } },
      'Node',
      'export type Node = readonly Node[]',
    ],
    [
      'a dynamic one',
      { $dynamicAnchor: 'n', type: 'array', items: { $dynamicRef: '#n' } },
      'T0Input',
      'export type T0Input = readonly T0Input[]',
    ],
  ])('that contain themselves are called by their name: %s', (_, schema, input, declared) => {
    const text = flatModule(schema)

    expect(text).toContain(`readonly input: ${input} `)
    expect(text).toContain(declared)
  })

  test.each<[JsonObject]>([
    [{ $ref: '#' }],
    [{ anyOf: [{ $ref: '#' }, { type: 'string' }] }],
    [
      {
        $ref: '#/$defs/a',
        $defs: { a: { $ref: '#/$defs/b' }, b: { allOf: [{ $ref: '#/$defs/a' }] } },
      },
    ],
  ])('that are nothing but themselves say nothing: %j', (schema) => {
    expect(flatModule(schema)).toContain('readonly input: unknown ')
  })
})

describe('a hostile server', () => {
  const text = writeTypes(hostileSurface)

  test('writes types and nothing else', () => {
    const { program, errors } = parseSync('types.ts', text)

    expect(errors).toEqual([])
    const kinds = program.body.map(
      (node) => node.type === 'ExportNamedDeclaration' && node.declaration?.type,
    )
    expect(new Set(kinds)).toEqual(new Set(['TSInterfaceDeclaration', 'TSTypeAliasDeclaration']))
  })

  test('leaves nothing that turns or hides text, and keeps descriptions short', () => {
    // oxlint-disable-next-line no-control-regex
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/)
    expect(text.length).toBeLessThan(50_000) // of a description alone there was a million
  })
})

describe('the lock', () => {
  const tool = (name: string, inputSchema: JsonObject = { type: 'object' }): Tool => ({
    name,
    inputSchema,
  })
  const surface = (...tools: readonly Tool[]): Surface => ({ server: 's', tools, prompts: [] })

  test('says what is new, gone and changed', () => {
    const before = lockOf(surface(tool('a'), tool('b'), tool('constructor')))
    const now = lockOf(surface(tool('b', { type: 'object', title: 'b' }), tool('toString')))

    expect(compareLocks(before, now)).toEqual([
      'the tool a was removed',
      'the tool b has changed',
      'the tool constructor was removed',
      'the tool toString is new',
    ])
  })

  test('does not mind order, of tools or of members', () => {
    const one = surface(tool('a', { type: 'object', title: 'a' }), tool('b'))
    const other = surface(tool('b'), tool('a', { title: 'a', type: 'object' }))

    expect(compareLocks(lockOf(one), lockOf(other))).toEqual([])
  })
})

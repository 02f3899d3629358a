import type { JsonObject, Tool } from '@parley/mcp'
import { parseSync } from 'oxc-parser'
import { describe, expect, test } from 'vitest'

import { compareLocks, lockOf } from '../../src/types/lock.ts'
import type { Surface } from '../../src/types/surface.ts'
import { typeOfSchema } from '../../src/types/type-of-schema.ts'
import { writeTypes } from '../../src/types/write-types.ts'
import { hostileSurface } from './hostile-surface.ts'

const flat = (schema: unknown) => typeOfSchema(schema).text.replaceAll(/\s+/g, ' ')

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

  test('a schema that contains itself ends where it does', () => {
    const node = {
      type: 'object',
      properties: { children: { type: 'array', items: { $ref: '#' } } },
    }

    expect(flat(node)).toBe('{ readonly children?: readonly unknown[] }')
  })

  test('references that multiply are cut', () => {
    const names = Array.from({ length: 12 }, (_, at) => `level${at}`)
    const $defs = Object.fromEntries(
      names.map((name, at) => {
        const next = Array.from({ length: 10 }, () => ({ $ref: `#/$defs/level${at + 1}` }))
        return [name, { type: 'object', properties: Object.fromEntries(next.entries()) }]
      }),
    )

    expect(flat({ $ref: '#/$defs/level0', $defs }).length).toBeLessThan(200_000)
  })
})

describe('a hostile server', () => {
  const text = writeTypes(hostileSurface)

  test('writes two interfaces and nothing else', () => {
    const { program, errors } = parseSync('types.ts', text)

    expect(errors).toEqual([])
    expect(
      program.body.map((node) => node.type === 'ExportNamedDeclaration' && node.declaration?.type),
    ).toEqual(['TSInterfaceDeclaration', 'TSInterfaceDeclaration'])
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
      'the tool a is gone',
      'the tool b has changed',
      'the tool constructor is gone',
      'the tool toString is new',
    ])
  })

  test('does not mind order, of tools or of members', () => {
    const one = surface(tool('a', { type: 'object', title: 'a' }), tool('b'))
    const other = surface(tool('b'), tool('a', { title: 'a', type: 'object' }))

    expect(compareLocks(lockOf(one), lockOf(other))).toEqual([])
  })
})

import type { JsonObject, JsonValue } from '@parley/mcp'
import { expect, test } from 'vitest'

import { lintTool } from '../../src/lint/lint-tool.ts'
import { findWarnings } from '../../src/service/servers/warnings.ts'

/** What is found about a tool with this input schema, as `level pointer`. */
function found(inputSchema: JsonValue, more: JsonObject = {}): readonly string[] {
  const tool = { name: 'tool', description: 'A tool.', inputSchema, ...more }
  return lintTool(tool).map(({ level, pointer }) => `${level} ${pointer}`)
}

function withProperty(property: JsonValue): JsonObject {
  return { type: 'object', properties: { a: property } }
}

test('a good tool has no remarks', () => {
  const nested = { type: 'array', description: 'x', items: { type: 'string' } }
  const schema = { ...withProperty(nested), required: ['a'], additionalProperties: false }

  expect(found(schema, { outputSchema: { type: 'object' } })).toEqual([])
})

test.each<[string, JsonValue, string]>([
  ['a boolean for all of it', true, 'error /inputSchema'],
  ['a union at the root', { type: 'object', anyOf: [] }, 'error /inputSchema/anyOf'],
  ['another type', { type: 'string' }, 'error /inputSchema/type'],
  [
    'a list of types',
    withProperty({ description: 'x', type: ['string', 'null'] }),
    'warning /inputSchema/properties/a/type',
  ],
  ['true for a property', withProperty(true), 'warning /inputSchema/properties/a'],
  ['false for a property', withProperty(false), 'warning /inputSchema/properties/a'],
  ['a condition', { type: 'object', if: {}, else: {} }, 'warning /inputSchema/if'],
  [
    'a list of anything',
    withProperty({ description: 'x', type: 'array' }),
    'warning /inputSchema/properties/a',
  ],
  [
    'no value at all',
    withProperty({ description: 'x', enum: [] }),
    'error /inputSchema/properties/a/enum',
  ],
  [
    'a broken pattern',
    withProperty({ description: 'x', pattern: '(' }),
    'error /inputSchema/properties/a/pattern',
  ],
  ['an unknown requirement', { type: 'object', required: ['b'] }, 'warning /inputSchema/required'],
  [
    'a far document',
    withProperty({ $ref: 'https://example.com/a' }),
    'error /inputSchema/properties/a/$ref',
  ],
  ['nothing said', withProperty({ type: 'string' }), 'info /inputSchema/properties'],
  [
    'a name with a slash, deep inside',
    withProperty({ description: 'x', type: 'object', properties: { 'b/c': true } }),
    'warning /inputSchema/properties/a/properties/b~1c',
  ],
])('says where there is %s, and what to write instead', (_, schema, expected) => {
  expect(found(schema)).toContain(expected)
  const tool = { name: 'tool', description: 'A tool.', inputSchema: schema }
  for (const { hint } of lintTool(tool)) expect(hint).toBeDefined()
})

test('a schema without end is looked at within bounds', () => {
  const properties = Object.fromEntries(Array.from({ length: 9000 }, (_, at) => [`a${at}`, true]))
  const tool = { name: 'tool', description: 'x', inputSchema: { type: 'object', properties } }

  expect(lintTool(tool).length).toBeLessThan(2100)
})

test('equal remarks on ten thousand tools are one, with names and a count', () => {
  const tools = Array.from({ length: 10_000 }, (_, index) => ({
    name: `tool-${index}`,
    inputSchema: { type: 'object' },
  }))

  const warnings = findWarnings({ tools, resources: [], templates: [], prompts: [] })

  expect(warnings.length).toBeLessThan(5)
  const [undescribed] = warnings.filter(({ message }) => message.includes('no description'))
  expect(undescribed).toMatchObject({ about: 'tool-0', count: 10_000, kind: 'tool' })
  expect(undescribed?.others).toHaveLength(100)
})

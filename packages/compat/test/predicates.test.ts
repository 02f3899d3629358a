/**
 * Each predicate of `fast/` beside the schema it stands for: what it accepts, the schema accepts and returns as it is.
 *
 * Values are made of the schema itself and then spoiled, so a field that is added to a schema is tried without a change here.
 */

import * as own from '@parley/compat/types.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'

import { tries } from '../../../test-support/thorough.ts'
import { supportedSchema } from '../src/schemas/lazy.ts'
import { arbitraryOf } from './arbitrary-of-schema.ts'

type SchemaName = Extract<keyof typeof own, `${string}Schema`>

/** Changes a value somewhere: a field that is wrong, missing, unknown or `__proto__`. */
const spoil = fc.constantFrom<(value: object) => unknown>(
  (value) => ({ ...value, unknown: 1 }),
  (value) =>
    JSON.parse(
      JSON.stringify([value ?? null, { x: 1 }]).replace(/\{(?!\})/, '{"__proto__":{},'),
    )[0],
  (value) => ({ ...value, [Symbol.for('s')]: 1 }),
  (value) => Object.assign(Object.create({ inherited: 1 }), value),
  (value) => dropFirst(value),
  (value) => wrongFirst(value),
)

function dropFirst(value: object): object {
  return Object.fromEntries(Object.entries(value).slice(1))
}

function wrongFirst(value: object): object {
  const [[key] = ['x']] = Object.entries(value)
  return { ...value, [key]: [null] }
}

const spoiled = (value: fc.Arbitrary<unknown>) =>
  fc.tuple(value, spoil).map(([made, change]) => change(Object(made)))

const schemas = { ...own }
const predicates = Object.entries(schemas).flatMap(([name, schema]) => {
  const accepts = typeof schema === 'object' ? supportedSchema(schema)?.accepts : undefined
  return accepts ? [{ name, schema: schema as typeof own.ResultSchema, accepts }] : []
})

test('there is a predicate for what is sent often', () => {
  expect(predicates.length).toBeGreaterThan(30)
})

test.each(predicates)('what the predicate of $name accepts, the schema returns as it is', (one) => {
  const { schema, accepts } = one
  const valid = arbitraryOf(schema)
  let accepted = 0

  fc.assert(
    fc.property(fc.oneof(valid, fc.anything(), spoiled(valid)), (given) => {
      if (!accepts(given)) return
      accepted++
      const parsed = schema.safeParse(given)
      expect(parsed.success).toBe(true)
      expect(parsed.data).toEqual(given)
    }),
    { numRuns: tries(3_000) },
  )

  expect(accepted).toBeGreaterThan(0)
})

test.each<[name: SchemaName, given: object]>([
  [
    'CallToolRequestSchema',
    {
      method: 'tools/call',
      params: { name: 'a', arguments: { b: [1] }, _meta: { progressToken: 1 } },
    },
  ],
  ['CallToolRequestSchema', { method: 'tools/call', params: { name: 'a' } }],
  ['ListToolsRequestSchema', { method: 'tools/list' }],
  ['ListToolsRequestSchema', { method: 'tools/list', params: {} }],
  ['CallToolResultSchema', { content: [{ type: 'text', text: 'a' }] }],
  ['CallToolResultSchema', { content: [], structuredContent: { a: 1 }, isError: true, other: 1 }],
  [
    'ListToolsResultSchema',
    {
      tools: [
        { name: 'a', inputSchema: { type: 'object', properties: { a: { type: 'string' } } } },
      ],
    },
  ],
  [
    'ReadResourceResultSchema',
    {
      contents: [
        { uri: 'a:b', text: 'c' },
        { uri: 'a:b', blob: 'AAAA' },
      ],
    },
  ],
  ['GetPromptResultSchema', { messages: [{ role: 'user', content: { type: 'text', text: 'a' } }] }],
  [
    'ProgressNotificationSchema',
    { method: 'notifications/progress', params: { progress: 1, progressToken: 'a' } },
  ],
  ['JSONRPCMessageSchema', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'a' } }],
  ['JSONRPCMessageSchema', { jsonrpc: '2.0', id: 1, result: {} }],
])('%s takes the short way for %j', (name, given) => {
  expect(supportedSchema(schemas[name])?.accepts?.(given)).toBe(true)
})

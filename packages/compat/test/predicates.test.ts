import * as own from '@parley/compat/types.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'

import { tries } from '../../../test-support/thorough.ts'
import { knownSchema } from '../src/schemas/lazy.ts'

const text = fc.constantFrom('', 'a', 'AAAA', 'file:///a', '2026-01-01T00:00:00Z', '__proto__')
const meta = fc.record(
  { progressToken: fc.oneof(text, fc.integer()), other: fc.anything() },
  { requiredKeys: [] },
)
const annotations = fc.record(
  { audience: fc.array(fc.constantFrom('user', 'assistant')), priority: fc.double() },
  { requiredKeys: [] },
)
const resource = { uri: text, mimeType: text, _meta: fc.dictionary(text, fc.anything()) }
const content = fc.oneof(
  fc.record(
    { type: fc.constant('text'), text, annotations, _meta: meta },
    { requiredKeys: ['type', 'text'] },
  ),
  fc.record({ type: fc.constantFrom('image', 'audio'), data: text, mimeType: text }),
  fc.record(
    { type: fc.constant('resource_link'), name: text, uri: text, size: fc.double(), annotations },
    { requiredKeys: ['type', 'name', 'uri'] },
  ),
  fc.record({
    type: fc.constant('resource'),
    resource: fc.oneof(fc.record({ ...resource, text }), fc.record({ ...resource, blob: text })),
  }),
)
const tool = fc.record(
  {
    name: text,
    title: text,
    description: text,
    inputSchema: fc.record(
      {
        type: fc.constant('object'),
        properties: fc.dictionary(text, fc.record({ type: text })),
        required: fc.array(text),
      },
      { requiredKeys: ['type'] },
    ),
    annotations: fc.record({ title: text, readOnlyHint: fc.boolean() }, { requiredKeys: [] }),
    execution: fc.record({ taskSupport: fc.constantFrom('optional', 'forbidden') }),
    _meta: meta,
  },
  { requiredKeys: ['name', 'inputSchema'] },
)
const params = fc.record(
  {
    _meta: meta,
    cursor: text,
    uri: text,
    name: text,
    arguments: fc.dictionary(text, fc.oneof(text, fc.anything())),
    requestId: fc.oneof(text, fc.integer()),
    reason: text,
    progress: fc.double(),
    progressToken: fc.oneof(text, fc.integer()),
    level: fc.constantFrom('info', 'loud'),
    data: fc.anything(),
    logger: text,
    protocolVersion: text,
    capabilities: fc.record(
      {
        roots: fc.record({ listChanged: fc.boolean() }),
        sampling: fc.record({}),
        elicitation: fc.record({}),
      },
      { requiredKeys: [] },
    ),
    clientInfo: fc.record({ name: text, version: text }),
    ref: fc.record({ type: fc.constantFrom('ref/prompt', 'ref/resource'), name: text, uri: text }),
    argument: fc.record({ name: text, value: text }),
  },
  { requiredKeys: [] },
)
const result = fc.record(
  {
    _meta: meta,
    content: fc.array(content),
    structuredContent: fc.dictionary(text, fc.anything()),
    isError: fc.boolean(),
    tools: fc.array(tool),
    prompts: fc.array(fc.record({ name: text, arguments: fc.array(fc.record({ name: text })) })),
    resources: fc.array(fc.record({ name: text, uri: text, description: text })),
    resourceTemplates: fc.array(fc.record({ name: text, uriTemplate: text })),
    contents: fc.array(
      fc.oneof(fc.record({ ...resource, text }), fc.record({ ...resource, blob: text })),
    ),
    messages: fc.array(fc.record({ role: fc.constantFrom('user', 'system'), content })),
    nextCursor: text,
    description: text,
  },
  { requiredKeys: [] },
)
const error = fc.record(
  { code: fc.integer(), message: text, data: fc.anything() },
  { requiredKeys: ['code', 'message'] },
)

/** Changes a value somewhere: a field that is wrong, missing, unknown or `__proto__`. */
const spoil = fc.constantFrom<(value: any) => any>(
  (value) => value,
  (value) => ({ ...value, unknown: 1 }),
  (value) => JSON.parse(JSON.stringify(value ?? null).replace('{', '{"__proto__":{},')),
  (value) => ({ ...value, [Symbol.for('s')]: 1 }),
  (value) => Object.assign(Object.create({ inherited: 1 }), value),
  (value) => (value && typeof value === 'object' ? dropFirst(value) : value),
  (value) => (value && typeof value === 'object' ? wrongFirst(value) : value),
)

function dropFirst(value: object): object {
  return Object.fromEntries(Object.entries(value).slice(1))
}

function wrongFirst(value: object): object {
  const [[key] = ['x']] = Object.entries(value)
  return { ...value, [key]: [null] }
}

const methods = Object.values(own)
  .map((value) => (typeof value === 'object' ? knownSchema(value)?.method : undefined))
  .filter((method) => method !== undefined)

const value = fc.oneof(
  fc.anything(),
  result,
  content,
  tool,
  fc.record({ method: fc.constantFrom(...methods), params }, { requiredKeys: ['method'] }),
  fc.record(
    {
      jsonrpc: fc.constant('2.0'),
      id: fc.oneof(text, fc.integer(), fc.double()),
      method: text,
      params,
    },
    { requiredKeys: ['jsonrpc'] },
  ),
  fc.record({ jsonrpc: fc.constant('2.0'), id: fc.oneof(text, fc.integer()), result }),
  fc.record(
    { jsonrpc: fc.constant('2.0'), id: fc.integer(), error },
    { requiredKeys: ['jsonrpc', 'error'] },
  ),
)

const predicates = Object.entries(own).flatMap(([name, schema]) => {
  const accepts = typeof schema === 'object' ? knownSchema(schema)?.accepts : undefined
  return accepts ? [{ name, schema: schema as typeof own.ResultSchema, accepts }] : []
})

test('what a predicate accepts, the schema accepts and returns as it is', () => {
  expect(predicates.length).toBeGreaterThan(30)
  const accepted = new Set<string>()

  fc.assert(
    fc.property(value, spoil, (made, change) => {
      const given = change(made)
      for (const { name, schema, accepts } of predicates) {
        if (!accepts(given)) continue
        accepted.add(name)
        const parsed = schema.safeParse(given)
        expect([name, parsed.success]).toEqual([name, true])
        expect(parsed.data).toEqual(given)
      }
    }),
    { numRuns: tries(4_000) },
  )

  expect(accepted.size).toBeGreaterThan(12)
})

test.each([
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
  expect(knownSchema((own as any)[name])?.accepts?.(given)).toBe(true)
})

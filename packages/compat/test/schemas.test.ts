import * as official from '@modelcontextprotocol/sdk/types.js'
import * as own from '@parley/compat/types.js'
import { expect, test } from 'vitest'
import * as z from 'zod'

interface Definition {
  readonly type: string
  readonly [part: string]: any
}

/** The structure of a schema as text: everything that decides what it accepts and returns. */
function describe(schema: { _zod: { def: Definition } }): unknown {
  const { def } = schema._zod
  const checks = (def['checks'] ?? []).map((check: any) => {
    const { error, fn, ...rest } = check._zod.def
    return { ...rest, pattern: String(rest.pattern), words: error ? 'own' : 'default' }
  })
  const parts = {
    shape: () =>
      Object.entries(def['shape']).map(([key, field]) => [key, describe(field as never)]),
    catchall: () => describe(def['catchall']),
    innerType: () => describe(def['innerType']),
    element: () => describe(def['element']),
    options: () => def['options'].map(describe),
    left: () => describe(def['left']),
    right: () => describe(def['right']),
    keyType: () => describe(def['keyType']),
    valueType: () => describe(def['valueType']),
    in: () => describe(def['in']),
    out: () => describe(def['out']),
    values: () => def['values'],
    entries: () => def['entries'],
    defaultValue: () => def['defaultValue'],
    format: () => def['format'],
    discriminator: () => def['discriminator'],
  }
  const found = Object.entries(parts).filter(([part]) => def[part] !== undefined)
  return [def.type, checks, Object.fromEntries(found.map(([part, read]) => [part, read()]))]
}

const schemas = Object.entries(official).filter(([, value]) => isSchema(value))

function isSchema(value: unknown): boolean {
  return typeof value === 'object' && value !== null && '_zod' in value
}

test('exports what the official module exports', () => {
  expect(Object.keys(own).toSorted()).toEqual(Object.keys(official).toSorted())
  expect(schemas.length).toBeGreaterThan(150)
})

test('schemas have the structure of the official ones', () => {
  const [one, other] = [own, official].map((types) =>
    schemas.map(([name]) => JSON.stringify([name, describe((types as any)[name])])),
  )

  expect(one).toEqual(other)
})

test('constants and codes are the official ones', () => {
  for (const [name, value] of Object.entries(official)) {
    if (typeof value === 'function' || isSchema(value)) continue
    expect([name, (own as any)[name]]).toEqual([name, value])
  }
})

test('schemas are used like any of Zod', () => {
  const { CallToolRequestSchema, ToolSchema, ContentBlockSchema } = own

  expect(CallToolRequestSchema instanceof z.ZodObject).toBe(true)
  expect(ToolSchema.extend({ more: z.number() }).parse({ ...tool, more: 1 })).toEqual({
    ...tool,
    more: 1,
  })
  expect(z.array(ToolSchema).parse([tool])).toEqual([tool])
  expect(z.object({ block: ContentBlockSchema.optional() }).parse({})).toEqual({})
  expect(Object.keys(CallToolRequestSchema.shape)).toEqual(['method', 'params'])
  expect(ToolSchema.pick({ name: true }).parse(tool)).toEqual({ name: 'a' })
  expect(z.toJSONSchema(own.ImplementationSchema)).toEqual(
    z.toJSONSchema(official.ImplementationSchema),
  )
  expect(Object.getOwnPropertyNames(CallToolRequestSchema)).toContain('_zod')
})

test('errors are the official ones', () => {
  for (const [code, message, data] of [
    [-32600, 'x', { a: 1 }],
    [-32042, 'm', { elicitations: [{ mode: 'url' }] }],
    [-32042, 'm', {}],
    [-32042, 'm', undefined],
  ] as const) {
    const [one, other] = [own, official].map(({ McpError }) => {
      const error = McpError.fromError(code, message, data)
      const { message: words, name, constructor } = error
      return [Object.entries(error), words, name, constructor.name]
    })
    expect(one).toEqual(other)
  }
})

const tool = { name: 'a', inputSchema: { type: 'object' as const } }

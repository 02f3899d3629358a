import * as official from '@modelcontextprotocol/sdk/types.js'
import * as own from '@parley/compat/types.js'
import { expect, test } from 'vitest'
import * as z from 'zod'

interface Described {
  readonly _zod: { readonly def: object }
}

/** The structure of a schema: everything that decides what it accepts and returns. Functions count as being there. */
function describe(value: unknown): unknown {
  if (typeof value === 'function') return 'function'
  if (Array.isArray(value)) return value.map(describe)
  if (value instanceof RegExp) return String(value)
  if (typeof value !== 'object' || value === null) return value
  const fields = isSchema(value) ? value._zod.def : value
  const described = Object.entries(fields).map(([key, field]) => [key, describe(field)])
  return described.filter(([, field]) => field !== undefined && !isEmpty(field))
}

/** No checks are the same as an empty list of them. */
function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}

const schemas = Object.entries(official).filter(([, value]) => isSchema(value))

function isSchema(value: unknown): value is Described {
  return typeof value === 'object' && value !== null && '_zod' in value
}

test('exports what the official module exports', () => {
  expect(Object.keys(own).toSorted()).toEqual(Object.keys(official).toSorted())
  expect(schemas.length).toBeGreaterThan(150)
})

test('schemas have the structure of the official ones', () => {
  const [one, other] = [own, official].map((types) =>
    schemas.map(([name]) => JSON.stringify([name, describe(types[name as keyof typeof own])])),
  )

  expect(one).toEqual(other)
})

test('constants and codes are the official ones', () => {
  const constants = { ...own }
  for (const [name, value] of Object.entries(official)) {
    if (typeof value === 'function' || isSchema(value)) continue
    expect([name, constants[name as keyof typeof own]]).toEqual([name, value])
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

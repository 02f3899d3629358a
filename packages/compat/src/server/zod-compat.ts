/** Zod 3 and Zod 4 behind one face. Schemas of Zod 4 have `_zod`, those of Zod 3 only `_def`. */

import type * as z3 from 'zod/v3'
import type * as z4 from 'zod/v4/core'

import { zod, zod3 } from '#zod'

import { supportedSchema } from '../schemas/lazy.ts'

export type AnySchema = z3.ZodTypeAny | z4.$ZodType
export type AnyObjectSchema = z3.AnyZodObject | z4.$ZodObject | AnySchema
export type ZodRawShapeCompat = Record<string, AnySchema>

/** The parts that are read of a schema of Zod 3. */
export interface ZodV3Internal {
  _def?: {
    typeName?: string
    value?: unknown
    values?: unknown[]
    shape?: Record<string, AnySchema> | (() => Record<string, AnySchema>)
    description?: string
  }
  shape?: Record<string, AnySchema> | (() => Record<string, AnySchema>)
  value?: unknown
}

/** The parts that are read of a schema of Zod 4. */
export interface ZodV4Internal {
  _zod?: {
    def?: {
      type?: string
      value?: unknown
      values?: unknown[]
      shape?: Record<string, AnySchema> | (() => Record<string, AnySchema>)
    }
  }
  value?: unknown
}

export type SchemaOutput<S> = S extends z3.ZodTypeAny
  ? z3.infer<S>
  : S extends z4.$ZodType
    ? z4.output<S>
    : never
export type SchemaInput<S> = S extends z3.ZodTypeAny
  ? z3.input<S>
  : S extends z4.$ZodType
    ? z4.input<S>
    : never
export type ShapeOutput<Shape extends ZodRawShapeCompat> = {
  [K in keyof Shape]: SchemaOutput<Shape[K]>
}

type Parsed<S> = { success: true; data: SchemaOutput<S> } | { success: false; error: unknown }

interface Parser {
  safeParse?(data: unknown): unknown
  safeParseAsync?(data: unknown): Promise<unknown>
}

export function isZ4Schema(s: AnySchema): s is z4.$ZodType {
  return Boolean((s as ZodV4Internal)._zod)
}

/** Makes an object schema of the Zod that made the fields. */
export function objectFromShape(shape: ZodRawShapeCompat): AnyObjectSchema {
  const fields = Object.values(shape)
  const old = fields.filter((field) => !isZ4Schema(field)).length
  if (old === 0) return zod().object(shape as never)
  if (old === fields.length) return zod3().object(shape as never)
  throw new Error('Mixed Zod versions detected in object shape.')
}

/** Asks the predicate of a schema of this package first. */
export function safeParse<S extends AnySchema>(schema: S, data: unknown): Parsed<S> {
  if (supportedSchema(schema)?.accepts?.(data) === true) {
    return { success: true, data: data as SchemaOutput<S> }
  }
  const parser = schema as Parser
  const result = parser.safeParse ? parser.safeParse(data) : zod().safeParse(schema as never, data)
  return result as Parsed<S>
}

export async function safeParseAsync<S extends AnySchema>(
  schema: S,
  data: unknown,
): Promise<Parsed<S>> {
  if (supportedSchema(schema)?.accepts?.(data) === true) {
    return { success: true, data: data as SchemaOutput<S> }
  }
  const parser = schema as Parser
  const result = parser.safeParseAsync
    ? parser.safeParseAsync(data)
    : zod().safeParseAsync(schema as never, data)
  return (await result) as Parsed<S>
}

export function getObjectShape(
  schema: AnyObjectSchema | undefined,
): Record<string, AnySchema> | undefined {
  if (!schema) return undefined
  const shape = isZ4Schema(schema as AnySchema)
    ? (schema as ZodV4Internal)._zod?.def?.shape
    : (schema as ZodV3Internal).shape
  if (typeof shape !== 'function') return shape
  try {
    return shape()
  } catch {
    return undefined
  }
}

/** Returns an object schema as it is, and makes one of a shape; `undefined` for anything else. */
export function normalizeObjectSchema(
  schema: AnySchema | ZodRawShapeCompat | undefined,
): AnyObjectSchema | undefined {
  if (!schema || typeof schema !== 'object') return undefined
  const { _def, shape } = schema as ZodV3Internal
  const { _zod } = schema as ZodV4Internal
  if (!_def && !_zod) {
    const fields = Object.values(schema) as unknown[]
    if (fields.length > 0 && fields.every(isSchemaLike)) {
      return objectFromShape(schema as ZodRawShapeCompat)
    }
  }
  if (_zod) {
    const { def } = _zod
    return def && (def.type === 'object' || def.shape !== undefined)
      ? (schema as AnyObjectSchema)
      : undefined
  }
  return shape !== undefined ? (schema as AnyObjectSchema) : undefined
}

function isSchemaLike(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { _def } = value as ZodV3Internal
  const { _zod } = value as ZodV4Internal
  return (
    _def !== undefined ||
    _zod !== undefined ||
    typeof (value as { parse?: unknown }).parse === 'function'
  )
}

/** Returns one line for each problem, with its path: `Invalid input: … at a.b[0]`. */
export function getParseErrorMessage(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error)
  const { message, issues } = error as { message?: unknown; issues?: unknown }
  if (Array.isArray(issues) && issues.length > 0) {
    return (issues as { message?: unknown; path?: readonly PropertyKey[] }[])
      .map((issue) => {
        const path = formatPath(issue.path ?? [])
        return path === '' ? String(issue.message) : `${String(issue.message)} at ${path}`
      })
      .join('\n')
  }
  if (typeof message === 'string') return message
  try {
    return JSON.stringify(error)
  } catch {
    return '[object Object]'
  }
}

function formatPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`
    return text === '' ? String(key) : `${text}.${String(key)}`
  }, '')
}

export function getSchemaDescription(schema: AnySchema): string | undefined {
  return (schema as { description?: string }).description
}

export function isSchemaOptional(schema: AnySchema): boolean {
  if (isZ4Schema(schema)) return (schema as ZodV4Internal)._zod?.def?.type === 'optional'
  const old = schema as { isOptional?: () => boolean } & ZodV3Internal
  return old.isOptional ? old.isOptional() : old._def?.typeName === 'ZodOptional'
}

export function getLiteralValue(schema: AnySchema): unknown {
  const def = isZ4Schema(schema)
    ? (schema as ZodV4Internal)._zod?.def
    : (schema as ZodV3Internal)._def
  if (def?.value !== undefined) return def.value
  if (Array.isArray(def?.values) && def.values.length > 0) return def.values[0]
  return (schema as ZodV3Internal).value
}

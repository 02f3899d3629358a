import { zod, zodToJsonSchema } from '#zod'

import { supportedSchema } from '../schemas/lazy.ts'
import {
  type AnyObjectSchema,
  type AnySchema,
  getLiteralValue,
  getObjectShape,
  getParseErrorMessage,
  isZ4Schema,
  safeParse,
} from './zod-compat.ts'

type JsonSchema = Record<string, unknown>
type CommonOpts = {
  strictUnions?: boolean
  pipeStrategy?: 'input' | 'output'
  target?: 'jsonSchema7' | 'draft-7' | 'jsonSchema2019-09' | 'draft-2020-12'
}

/** Returns the JSON Schema of a schema of Zod 3 or 4. */
export function toJsonSchemaCompat(schema: AnyObjectSchema, opts?: CommonOpts): JsonSchema {
  if (isZ4Schema(schema as AnySchema)) {
    return zod().toJSONSchema(schema as never, {
      target: targetOf(opts?.target),
      io: opts?.pipeStrategy ?? 'input',
    })
  }
  return zodToJsonSchema()(schema, {
    strictUnions: opts?.strictUnions ?? true,
    pipeStrategy: opts?.pipeStrategy ?? 'input',
  })
}

function targetOf(target: CommonOpts['target']): 'draft-7' | 'draft-2020-12' {
  return target === 'jsonSchema2019-09' || target === 'draft-2020-12' ? 'draft-2020-12' : 'draft-7'
}

/** Returns the method that a schema of a request or notification is for. */
export function getMethodLiteral(schema: AnyObjectSchema): string {
  const existing = supportedSchema(schema)?.method
  if (existing !== undefined) return existing
  const method = getObjectShape(schema)?.method
  if (!method) throw new Error('Schema is missing a method literal')
  const value = getLiteralValue(method)
  if (typeof value !== 'string') throw new Error('Schema method literal must be a string')
  return value
}

/** Parses, and throws the error of the schema. */
export function parseWithCompat(schema: AnySchema, data: unknown): unknown {
  const result = safeParse(schema, data)
  if (result.success) return result.data
  throw result.error instanceof Error ? result.error : new Error(getParseErrorMessage(result.error))
}

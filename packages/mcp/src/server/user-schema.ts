/**
 * Schemas of users: converts any supported schema library, or plain JSON Schema, to JSON Schema for lists, and checks values with it.
 *
 * Uses Standard Schema and Standard JSON Schema; the validator for plain JSON Schema is in `schema/json-schema/`. Used for tools, prompts,
 * elicitation and output.
 */

import { McpError } from '../rpc/errors/mcp-error.ts'
import { errorMessage } from '../rpc/errors/on-error.ts'
import type { MaybePromise } from '../rpc/promise.ts'
import { compileRead, type CompileSchema, type Validate } from '../schema/json-schema/compile.ts'
import { taughtSchema } from '../schema/json-schema/json-schema.ts'
import { readDocument } from '../schema/json-schema/read-document.ts'
import type {
  JsonSchema,
  Schema,
  SchemaIssue,
  StandardResult,
  StandardSchema,
} from '../schema/standard-schema.ts'

/** A schema of the user's, converted and checked once, when its feature is registered. */
export interface PreparedSchema {
  /** The schema as lists show it. */
  readonly json: JsonSchema
  validate(value: unknown): MaybePromise<StandardResult<unknown>>
}

export interface PrepareOptions {
  /** For messages: `tool "forecast", inputSchema`. */
  readonly feature: string
  /** Which side of the schema callers see. */
  readonly io: 'input' | 'output'
  readonly compileSchema?: CompileSchema | undefined
}

/** Throws `invalid_schema` for a schema that cannot be converted, and says what to write instead. */
export function prepareSchema(schema: Schema, options: PrepareOptions): PreparedSchema {
  return isStandardSchema(schema) ? prepareStandard(schema, options) : prepareJson(schema, options)
}

export function isStandardSchema(schema: unknown): schema is StandardSchema {
  // ArkType's schemas are functions.
  return (
    (typeof schema === 'object' || typeof schema === 'function') &&
    schema !== null &&
    '~standard' in schema
  )
}

function prepareStandard(schema: StandardSchema, options: PrepareOptions): PreparedSchema {
  const standard = schema['~standard']
  return {
    json:
      standard.vendor === 'parley'
        ? convert(schema, options)
        : withoutDefaultDialect(convert(schema, options)),
    validate: (value) => standard.validate(value),
  }
}

/** Standard JSON Schema: the converter that some libraries bring. */
interface Convertible {
  readonly jsonSchema?: Record<'input' | 'output', (options: { target: string }) => JsonSchema>
}

function convert(schema: StandardSchema, { feature, io }: PrepareOptions): JsonSchema {
  const converted = taughtSchema(schema)
  if (converted !== undefined) return converted[io]
  const { vendor, jsonSchema } = schema['~standard'] as StandardSchema['~standard'] & Convertible // an optional part of the same standard
  if (jsonSchema === undefined) {
    throw invalidSchema(
      feature,
      `this ${vendor} schema cannot be converted to JSON Schema: ${fixFor(vendor)}`,
    )
  }
  try {
    return jsonSchema[io]({ target: 'draft-2020-12' })
  } catch (error) {
    const why = errorMessage(error)
    const what =
      memberAtFault(schema, (member) => convert(member, { feature, io })) ?? 'this schema'
    const fix = 'use what JSON has, such as z.iso.datetime(), or withJsonSchema(schema, { … })'
    throw invalidSchema(
      feature,
      `${vendor} cannot convert ${what} to JSON Schema: ${why}; ${fix}`,
      error,
    )
  }
}

/** Libraries do not name the member at fault: it is the one that cannot be converted alone either. */
function memberAtFault(
  schema: object,
  convertAlone: (member: StandardSchema) => void,
): string | undefined {
  const members = Object.entries(('shape' in schema && schema.shape) || {})
  return members.find(([, member]) => {
    try {
      convertAlone(member as StandardSchema) // a library's object is made of its own schemas
      return false
    } catch {
      return true
    }
  })?.[0]
}

function fixFor(vendor: string): string {
  switch (vendor) {
    case 'zod':
      return "use zod 4.2 or newer; zod/mini needs withJsonSchema(schema, { input: z.toJSONSchema(schema, { io: 'input' }) })"
    case 'valibot':
      return 'wrap it with toStandardJsonSchema() of @valibot/to-json-schema'
    default:
      return 'give its JSON Schema with withJsonSchema(schema, { input: … })'
  }
}

function prepareJson(
  schema: JsonSchema,
  { feature, compileSchema }: PrepareOptions,
): PreparedSchema {
  rejectShape(schema, feature)
  try {
    const validate = compileSchema ? checkedBy(compileSchema(schema)) : compiledWhenNeeded(schema)
    return { json: schema, validate }
  } catch (error) {
    const why = errorMessage(error)
    throw invalidSchema(feature, why, error)
  }
}

/** The result of a JSON Schema check in the form of Standard Schema. */
function checkedBy(validate: Validate): (value: unknown) => StandardResult<unknown> {
  return (value) => {
    const issues = validate(value)
    return issues === undefined ? { value } : { issues }
  }
}

/** Throws at once for an invalid schema. A valid one is compiled for its first value, which keeps start-up short. */
function compiledWhenNeeded(schema: JsonSchema): PreparedSchema['validate'] {
  const references = readDocument(schema)
  let validate: PreparedSchema['validate'] | undefined
  return (value) => {
    validate ??= checkedBy(compileRead(schema, {}, references))
    return validate(value)
  }
}

/** `{ city: z.string() }` is a common mistake, and a valid JSON Schema without any rule. */
function rejectShape(schema: JsonSchema, feature: string): void {
  if (typeof schema !== 'object' || schema === null) {
    throw invalidSchema(
      feature,
      `a schema is an object, got ${schema === null ? 'null' : typeof schema}`,
    )
  }
  const field = Object.keys(schema).find((key) => isStandardSchema(schema[key]))
  if (field !== undefined) {
    throw invalidSchema(
      feature,
      `an object of schemas (${field}, …) is not a schema: wrap it, as in z.object({ … })`,
    )
  }
}

/**
 * Libraries always name 2020-12. It is the protocol's default, and naming it confuses validators that know other drafts.
 * A schema written by hand stays as it is.
 */
function withoutDefaultDialect(schema: JsonSchema): JsonSchema {
  if (schema['$schema'] !== 'https://json-schema.org/draft/2020-12/schema') return schema
  const { $schema: _, ...rest } = schema
  return rest
}

/** Arguments are an object: adds `type: 'object'` to a schema that has no type, and refuses any other type. */
export function asObjectSchema(schema: JsonSchema, feature: string): JsonSchema {
  if (schema['type'] === 'object') return schema
  if (schema['type'] === undefined) return { type: 'object', ...schema }
  throw invalidSchema(
    feature,
    `its root must have type "object", got ${JSON.stringify(schema['type'])}`,
  )
}

export function invalidSchema(feature: string, why: string, cause?: unknown): McpError {
  const issues: readonly SchemaIssue[] =
    typeof cause === 'object' && cause !== null && 'issues' in cause && Array.isArray(cause.issues)
      ? cause.issues
      : [{ message: why }]
  return new McpError('invalid_schema', `${feature}: ${why}`, {
    details: { feature, issues },
    ...(cause !== undefined && { cause }),
  })
}

/** One line per issue: `address.city: must be a string`. A union says what is wrong with each alternative. */
export function describeIssues(issues: readonly SchemaIssue[], separator = '\n'): string {
  return issues
    .map((issue) => {
      const { message, path = [], errors } = issue as UnionIssue // the rest is optional
      const alternatives = [errors].flat().filter(Array.isArray)
      const why = alternatives.map((each) => describeIssues(each, ', ')).join(' or ')
      return [describePath(path), message, why].filter((part) => part !== '').join(': ')
    })
    .join(separator)
}

/** How Zod reports a union. */
interface UnionIssue extends SchemaIssue {
  readonly errors?: unknown
}

function describePath(path: NonNullable<SchemaIssue['path']>): string {
  return path.map((step) => String(typeof step === 'object' ? step.key : step)).join('.')
}

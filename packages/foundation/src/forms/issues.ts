import {
  compileJsonSchema,
  SchemaError,
  type JsonValue,
  type SchemaIssue,
  type Validate,
} from '@parley/mcp'
import { isJsonObject, errorMessage } from '@parley/mcp/json'

import type { FormIssue } from './describe/form-node.ts'
import { toPointer, type Path } from './path.ts'

/** The issues of a value by its schema. */
export interface FormIssues {
  /** The issues; empty if the value matches. */
  readonly issues: readonly FormIssue[]
  /** Why the schema itself cannot be checked. */
  readonly problem?: string | undefined
}

interface Compiled {
  readonly validate?: Validate | undefined
  readonly problem?: string | undefined
}

const compiledSchemas = new WeakMap<object, Compiled>()

/** Checks a value with the JSON Schema engine; a missing member is an issue of that member. */
export function issuesOf(schema: unknown, value: JsonValue | undefined): FormIssues {
  const { validate, problem } = compile(schema)
  if (!validate) return { issues: [], problem }
  const found = value === undefined ? [{ message: 'must be given' }] : (validate(value) ?? [])
  return { issues: found.map((issue) => locateIssue(issue, [])) }
}

/** An issue of the engine at the field it concerns, below a path. */
export function locateIssue({ message, path = [] }: SchemaIssue, above: Path): FormIssue {
  const parts = path.map((part) => keyOf(typeof part === 'object' ? part.key : part))
  const missing = /^must have property ("(?:[^"\\]|\\.)*")(?: .*)?$/s.exec(message)?.[1]
  const name = missing === undefined ? undefined : parseText(missing)
  const full = [...above, ...parts, ...(name === undefined ? [] : [name])]
  return {
    path: full,
    pointer: toPointer(full),
    message: name === undefined ? message : 'must be given',
  }
}

function compile(schema: unknown): Compiled {
  if (typeof schema === 'boolean') return { validate: compileJsonSchema(schema) }
  if (!isJsonObject(schema)) return { problem: 'the schema is neither an object nor a boolean' }
  const existing = compiledSchemas.get(schema)
  if (existing) return existing
  const compiled = tryCompile(schema)
  compiledSchemas.set(schema, compiled)
  return compiled
}

function tryCompile(schema: { readonly [keyword: string]: unknown }): Compiled {
  try {
    return { validate: compileJsonSchema(schema, { untrusted: true }) }
  } catch (error) {
    const first = error instanceof SchemaError ? error.issues[0]?.message : undefined
    return { problem: first ?? errorMessage(error) }
  }
}

function keyOf(key: PropertyKey): string | number {
  return typeof key === 'symbol' ? key.toString() : key
}

function parseText(quoted: string): string | undefined {
  try {
    const text: unknown = JSON.parse(quoted)
    return typeof text === 'string' ? text : undefined
  } catch {
    return undefined
  }
}

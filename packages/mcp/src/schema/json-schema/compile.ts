import type { JsonSchema, SchemaIssue } from '../standard-schema.ts'
import { compileDocument } from './document.ts'
import type { References } from './references.ts'
import { LimitReached, startRun } from './run.ts'
import { SchemaError } from './schema-error.ts'

/** How a schema is compiled, and what checking a value with it may cost. */
export interface CompileOptions {
  /** A peer's schema: patterns outside the linear matcher are refused. @defaultValue false */
  readonly untrusted?: boolean | undefined
  /** Answers for a schema that is referred to but not inside the document; nothing is ever fetched. */
  readonly resolve?: ((uri: string) => JsonSchema | boolean | undefined) | undefined
  /** False leaves every `format` an annotation. @defaultValue true */
  readonly assertFormats?: boolean | undefined
  /** Open references at once. @defaultValue 256 */
  readonly maxReferenceDepth?: number | undefined
  /** Work of one validation, about one step for each schema applied. @defaultValue 1_000_000 */
  readonly maxSteps?: number | undefined
}

/** Checks a value. Returns undefined when it is valid, else at most twenty problems. */
export type Validate = (value: unknown) => readonly SchemaIssue[] | undefined

/** Anything that turns a JSON Schema into a check; {@link compileJsonSchema} unless replaced. */
export type CompileSchema = typeof compileJsonSchema

/**
 * Compiles a JSON Schema to closures, without generating code; throws {@link SchemaError} for what it cannot honour.
 */
export function compileJsonSchema(
  schema: JsonSchema | boolean,
  options: CompileOptions = {},
): Validate {
  return compileRead(schema, options)
}

/** The same where the schema may have been read already. */
export function compileRead(
  schema: JsonSchema | boolean,
  options: CompileOptions,
  references?: References,
): Validate {
  const { maxSteps = 1_000_000 } = options
  const { check, scope } = compileOrReject(schema, options, references)

  return (value) => {
    try {
      if (check(value, startRun(maxSteps, scope, undefined))) return undefined
    } catch (error) {
      return [describeLimit(error)]
    }
    return collectIssues(value)
  }

  function collectIssues(value: unknown): readonly SchemaIssue[] {
    const issues: SchemaIssue[] = []
    try {
      check(value, startRun(maxSteps, scope, issues))
    } catch (error) {
      issues.push(describeLimit(error))
    }
    return issues
  }
}

function compileOrReject(
  schema: JsonSchema | boolean,
  options: CompileOptions,
  references: References | undefined,
) {
  try {
    return compileDocument(schema, options, references)
  } catch (error) {
    // A constant can be nested deeper than any schema may.
    if (error instanceof RangeError) throw new SchemaError([{ message: 'is nested too deep' }])
    throw error
  }
}

function describeLimit(error: unknown): SchemaIssue {
  if (error instanceof LimitReached) return { message: error.message, path: [] }
  // The references allowed at once can still nest deeper than the caller's stack has room for.
  if (error instanceof RangeError) return { message: 'is nested too deep to check', path: [] }
  throw error
}

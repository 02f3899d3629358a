import { errorMessage } from '../../rpc/errors/on-error.ts'
import type { MaybePromise } from '../../rpc/promise.ts'
import type { CompileSchema } from '../../schema/json-schema/compile.ts'
import type { JsonSchema, SchemaIssue } from '../../schema/standard-schema.ts'
import { schemaCompilerPart } from '../lazy-parts.ts'

type Validate = (value: unknown) => readonly SchemaIssue[] | undefined

const compiled = new WeakMap<object, Validate>()

/**
 * Returns the issues of a value by a peer's schema; a schema that cannot be used is the only issue. A promise only for the
 * first value of a schema: our compiler is a third of a client, and many clients never need it.
 */
export function issuesOf(
  value: unknown,
  schema: JsonSchema,
  compileSchema: CompileSchema | undefined,
): MaybePromise<readonly SchemaIssue[] | undefined> {
  const existing = compiled.get(schema)
  return existing === undefined ? firstIssuesOf(value, schema, compileSchema) : existing(value)
}

async function firstIssuesOf(
  value: unknown,
  schema: JsonSchema,
  compileSchema: CompileSchema | undefined,
): Promise<readonly SchemaIssue[] | undefined> {
  const validate = compile(schema, compileSchema ?? (await loadCompiler()))
  compiled.set(schema, validate)
  return validate(value)
}

async function loadCompiler(): Promise<CompileSchema> {
  const { compileJsonSchema } = await schemaCompilerPart.load()
  return compileJsonSchema
}

function compile(schema: JsonSchema, compileSchema: CompileSchema): Validate {
  try {
    return compileSchema(schema, { untrusted: true })
  } catch (error) {
    const why = errorMessage(error)
    return () => [{ message: `the schema itself cannot be used: ${why}` }]
  }
}

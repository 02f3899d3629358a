import { compileJsonSchema, type CompileSchema } from '../schema/json-schema/compile.ts'
import type { JsonSchema, SchemaIssue } from '../schema/standard-schema.ts'

type Validate = (value: unknown) => readonly SchemaIssue[] | undefined

const compiled = new WeakMap<object, Validate>()

/** What is wrong with a value by a peer's schema; a schema we cannot honour is the one issue. */
export function issuesOf(
  value: unknown,
  schema: JsonSchema,
  compileSchema: CompileSchema = compileJsonSchema,
): readonly SchemaIssue[] | undefined {
  return validatorFor(schema, compileSchema)(value)
}

function validatorFor(schema: JsonSchema, compileSchema: CompileSchema): Validate {
  const known = compiled.get(schema)
  if (known !== undefined) return known
  const validate = compile(schema, compileSchema)
  compiled.set(schema, validate)
  return validate
}

function compile(schema: JsonSchema, compileSchema: CompileSchema): Validate {
  try {
    return compileSchema(schema, { untrusted: true })
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return () => [{ message: `the schema itself cannot be used: ${why}` }]
  }
}

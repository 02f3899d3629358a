import { jsonSchema, type JsonSchema, type SchemaIssue } from '@parley/mcp'

/** What is wrong with a value by a schema; empty when nothing is. */
export function schemaIssues(schema: JsonSchema, value: unknown): readonly SchemaIssue[] {
  const result = jsonSchema<unknown>(schema)['~standard'].validate(value)
  if (result instanceof Promise) throw new TypeError('plain JSON Schema is checked at once')
  return result.issues ?? []
}

import type { JsonSchema, StandardSchema } from '../standard-schema.ts'

/** A schema as callers see each side of it. */
export interface ConvertedSchema {
  readonly input: JsonSchema
  readonly output: JsonSchema
}

/** Teaches us to convert a schema library that has no JSON Schema output of its own, such as Zod 3. */
export function withJsonSchema<S extends StandardSchema>(
  schema: S,
  converted: { readonly input: JsonSchema; readonly output?: JsonSchema | undefined },
): S {
  taught.set(schema, { input: converted.input, output: converted.output ?? converted.input })
  return schema
}
const taught = new WeakMap<object, ConvertedSchema>()

/** What was taught about a schema; undefined if nothing was. */
export function taughtSchema(schema: StandardSchema): ConvertedSchema | undefined {
  return taught.get(schema)
}

import { type CompileSchema, compileJsonSchema } from '@parley/mcp'

/** Returns Parley's compiler of JSON Schemas. */
export function compiler(): CompileSchema {
  return compileJsonSchema
}

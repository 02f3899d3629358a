import { compileJsonSchema } from '../schema/json-schema/compile.ts'
import type { JsonSchema } from '../schema/standard-schema.ts'
import { checkedBy, type PreparedSchema } from './user-schema.ts'

/** The checks of a schema that is known to be in order. */
export function compileChecks(schema: JsonSchema): PreparedSchema['validate'] {
  return checkedBy(compileJsonSchema(schema))
}

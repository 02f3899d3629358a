import { compileRead } from '../schema/json-schema/compile.ts'
import type { References } from '../schema/json-schema/references.ts'
import type { JsonSchema } from '../schema/standard-schema.ts'
import { checkedBy, type PreparedSchema } from './user-schema.ts'

/** The checks of a schema that has been read and found in order. */
export function compileChecks(
  schema: JsonSchema,
  references: References,
): PreparedSchema['validate'] {
  return checkedBy(compileRead(schema, {}, references))
}

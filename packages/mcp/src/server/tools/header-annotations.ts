import type { JsonSchema } from '../../schema/standard-schema.ts'
import { headerAnnotations, type HeaderAnnotation } from '../../wire/param-headers.ts'
import { invalidDefinition } from '../feature.ts'

/** The arguments that headers are to repeat. Throws `invalid_definition` for those that cannot be. */
export function checkAnnotations(
  inputSchema: JsonSchema,
  feature: string,
): readonly HeaderAnnotation[] {
  const read = headerAnnotations(inputSchema)
  if ('problem' in read) throw invalidDefinition(feature, read.problem)
  return read.annotations
}

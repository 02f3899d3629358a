import type { JsonSchema } from '../schema/standard-schema.ts'
import { headerAnnotations } from '../wire/mirrored-headers.ts'
import { invalidDefinition } from './feature.ts'

/** Throws `invalid_definition` for arguments that headers are to repeat and cannot. */
export function checkAnnotations(inputSchema: JsonSchema, feature: string): void {
  const read = headerAnnotations(inputSchema)
  if ('problem' in read) throw invalidDefinition(feature, read.problem)
}

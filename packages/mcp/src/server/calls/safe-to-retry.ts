import { clientRequests } from '../../schema/methods/client-requests.ts'
import type { ToolAnnotations } from '../../schema/tools.ts'
import type { Definition } from '../definition.ts'
import { indexOf } from '../feature-index.ts'
import type { Call } from './call.ts'

/** Whether a request may be sent again by a client that does not know how much of it was done. */
export function isSafeToRetry(
  definition: Definition,
  { method, params }: Pick<Call, 'method' | 'params'>,
): boolean {
  if (method !== 'tools/call') return Object.hasOwn(clientRequests, method) // only tools do things
  const { name } = params
  const tool = typeof name === 'string' ? indexOf(definition).tools.get(name) : undefined
  return isIdempotent(tool?.entry.listed.annotations)
}

/** By what a tool says of itself. */
export function isIdempotent(annotations: ToolAnnotations | undefined): boolean {
  return annotations?.readOnlyHint === true || annotations?.idempotentHint === true
}

import { clientRequestRow } from '../../schema/methods/client-requests.ts'
import { existsIn } from '../../schema/methods/method-row.ts'
import type { Call } from '../../server/calls/call.ts'
import { methodNotFound } from '../../server/calls/dispatch.ts'

/** Throws `method_not_found` for a method that the revision of the caller does not have. */
export function requireMethod({ operation, caller }: Pick<Call, 'operation' | 'caller'>): void {
  if (existsIn(clientRequestRow(operation), caller.codec.revision)) return
  throw methodNotFound(operation)
}

import { clientRequestRow } from '../../schema/methods/client-requests.ts'
import { existsIn } from '../../schema/methods/method-row.ts'
import type { Call } from '../../server/calls/call.ts'
import { methodNotFound } from '../../server/calls/dispatch.ts'

/** Throws `method_not_found` for a method that the revision of the caller does not have. */
export function requireMethod({ method, caller }: Pick<Call, 'method' | 'caller'>): void {
  if (existsIn(clientRequestRow(method), caller.codec.revision)) return
  throw methodNotFound(method)
}

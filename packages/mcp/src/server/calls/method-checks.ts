import type { ServerCapabilities } from '../../schema/capabilities.ts'
import { clientRequestRow } from '../../schema/methods/client-requests.ts'

/** False for a method behind a capability that was not declared to this caller. */
export function isDeclared(method: string, declared: ServerCapabilities): boolean {
  const { capability } = clientRequestRow(method)
  return capability === undefined || declared[capability] !== undefined
}

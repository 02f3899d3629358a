import { methodsIn } from '../schema/methods/method-row.ts'
import { inputMethods, serverRequests } from '../schema/methods/server-requests.ts'
import type { Revision } from '../schema/revision.ts'
import type { WireFeatures } from './codec.ts'

// A file of its own: a client in a page needs the server's methods only when a server sends a request.

/** The input a server may ask for in a revision, by request or in a result. */
export function inputRequestsIn(revision: Revision): ReadonlySet<string> {
  const methods = methodsIn(serverRequests, revision)
  return new Set(inputMethods().filter((method) => methods.has(method)))
}

/** Methods a server may send as requests; none where it asks for input in results. */
export function serverRequestsIn({ revision, has }: RevisionFeatures): ReadonlySet<string> {
  return has.serverRequests ? methodsIn(serverRequests, revision) : new Set()
}

/** A revision, and what it can express. */
interface RevisionFeatures {
  readonly revision: Revision
  readonly has: WireFeatures
}

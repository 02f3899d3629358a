import { reportFault } from '../calls/fault.ts'
import type { CallContext, RequestContext } from '../context.ts'

/** What is waited for, or nothing if it fails, which is reported: one bad skill does not take the others with it. */
export async function orReport<T>(
  pending: Promise<T>,
  context: RequestContext,
): Promise<T | undefined> {
  try {
    return await pending
  } catch (error) {
    report(error, context)
    return undefined
  }
}

/** Tells `onError`, and nobody else. */
export function report(error: unknown, context: RequestContext): void {
  reportFault(error, (context as CallContext).call) // every context of a request is one
}

import { reportFault } from '../calls/report-fault.ts'
import type { CallContext, RequestContext } from '../context.ts'

/** The result, or undefined after an error, which is reported: one bad skill does not hide the others. */
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

/** Reports to `onError` only. */
export function report(error: unknown, context: RequestContext): void {
  reportFault(error, (context as CallContext).call) // every context of a request is one
}

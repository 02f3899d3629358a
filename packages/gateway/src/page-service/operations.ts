import type { JsonObject } from '@parley/mcp'
import { errorMessage } from '@parley/mcp/json'

import type { OperatedContext } from '../config/gateway-config.ts'
import { PageProblem } from './problem.ts'

/** Does what somebody at the page wants, and writes down that they did. */
export type Operate = <T>(
  action: string,
  about: JsonObject,
  work: () => T | Promise<T>,
) => Promise<T>

/** Context for writing operations to the audit log. */
export interface OperateOptions {
  /** The configuration that is in use now. */
  readonly operated: () => Pick<OperatedContext, 'audit' | 'auditLocation'>
  /** Hears of each, in a sentence: for the log, also where there is no audit. */
  readonly onOperation?: ((text: string) => void) | undefined
}

/**
 * Everything that changes something goes through here: one record in the audit when it is done, or has failed. Where the
 * audit is required, what cannot be written down first is not done.
 */
export function createOperate({ operated, onOperation }: OperateOptions): Operate {
  return async (action, about, work) => {
    const { audit, auditLocation } = operated()
    const record = { type: 'operation', by: 'page', action, ...about }
    if (auditLocation?.isRequired) {
      const written = await audit?.append({ ...record, outcome: 'begun' })
      if (!written?.written) {
        throw new PageProblem(
          'audit_required',
          'This cannot be written to the audit log, without which nothing is changed.',
          'See that the log can be written, and try again.',
        )
      }
    }
    const words = Object.values(about).map((each) =>
      typeof each === 'string' ? each : JSON.stringify(each),
    )
    const what = [action, ...words].join(' ')
    try {
      const result = await work()
      // The log that a reload has brought is the one that is written to from now on.
      await operated().audit?.append({ ...record, outcome: 'done' })
      onOperation?.(`page: ${what}`)
      return result
    } catch (error) {
      const reason = errorMessage(error).slice(0, 500)
      await operated().audit?.append({ ...record, outcome: 'failed', reason })
      onOperation?.(`page: ${what} failed: ${reason}`)
      throw error
    }
  }
}

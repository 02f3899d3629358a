import type { AuthInfo } from '../auth-info.ts'

/** The text of anything that was thrown. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Details of a failure besides the error itself. */
export interface ErrorReport {
  /** `warning` if the work went on, `error` if something failed. */
  readonly severity: 'warning' | 'error'
  /** Also in the masked answer the peer got, when there was one. */
  readonly correlationId?: string
  /** The method or step that failed, such as `tools/call`; absent if it belongs to none. */
  readonly operation?: string
  /** The subject of the operation: the name of a tool or prompt, the URI of a resource. */
  readonly name?: string
  /** The caller, if a guard has verified it. */
  readonly auth?: AuthInfo
  /** Which peer, for people; absent if it is not known. */
  readonly peer?: string
}

/** Is called with failures that belong to no call, and with what is logged about those that do. */
export type OnError = (error: unknown, report: ErrorReport) => void

/** The user's `onError`, which may throw itself: there is nobody left to tell, and nothing of ours may break by it. */
export function guardedReport(onError: OnError): OnError {
  return (error, report) => {
    try {
      onError(error, report)
    } catch {
      // Telling it again would only throw again.
    }
  }
}

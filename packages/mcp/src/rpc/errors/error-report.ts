/** What is known about a failure besides the error itself. */
export interface ErrorReport {
  readonly severity: 'warning' | 'error'
  /** Also in the masked answer the peer got, when there was one. */
  readonly correlationId?: string
  readonly operation?: string
  readonly peer?: string
}

/** Where a failure that belongs to no call goes, and what is logged about one that does. */
export type OnError = (error: unknown, report: ErrorReport) => void

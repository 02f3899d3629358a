/** What is known about a failure besides the error itself. */
export interface ErrorReport {
  readonly severity: 'warning' | 'error'
  /** Also in the masked answer the peer got, when there was one. */
  readonly correlationId?: string
  readonly operation?: string
  readonly peer?: string
}

/** Is called with failures that belong to no call, and with what is logged about those that do. */
export type OnError = (error: unknown, report: ErrorReport) => void

/** A request made from the page; progress and late answers carry its `run`. */
export interface RunProgress {
  readonly run: string
  readonly progress: number
  readonly total?: number | undefined
  readonly message?: string | undefined
}

/** How a request ended. */
export interface RunOutcome {
  readonly run: string
  readonly durationMs: number
  /** The `seq` of the request in the trace, to open it there. */
  readonly seq?: number | undefined
  /** The result as it came over the wire. */
  readonly result?: { readonly [name: string]: unknown } | undefined
  readonly error?: RunError | undefined
  /** What is wrong with `structuredContent`, by the tool's own `outputSchema`. */
  readonly outputIssues?: readonly { readonly path: string; readonly message: string }[] | undefined
  /** The answer came after the user cancelled. */
  readonly late?: boolean | undefined
}

export interface RunError {
  /** A name: `invalid_params`, `timeout`, `cancelled` … */
  readonly code: string
  readonly wireCode?: number | undefined
  readonly message: string
  readonly data?: unknown
  readonly hint?: string | undefined
}

/** A task of a server, as last seen. */
export interface TaskView {
  readonly server: string
  readonly taskId: string
  readonly tool: string
  readonly status: string
  readonly statusMessage?: string | undefined
  readonly createdAt: number
  readonly updatedAt: number
  readonly ttlMs?: number | undefined
  readonly pollIntervalMs?: number | undefined
  readonly outcome?: RunOutcome | undefined
}

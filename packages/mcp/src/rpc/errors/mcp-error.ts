import type { SchemaIssue } from '../../schema/standard-schema.ts'
import type { CallToolResult } from '../../schema/tools.ts'

/** What each local error knows besides its message. The keys are the closed set of codes. */
export interface McpErrorDetails {
  // defining
  invalid_definition: { readonly feature: string }
  invalid_schema: { readonly feature: string; readonly issues: readonly SchemaIssue[] }
  duplicate_name: { readonly feature: string }
  // connecting
  invalid_target: { readonly target: string }
  unsupported_runtime: { readonly needs: string }
  spawn_failed: ChildDetails
  unreachable: { readonly systemCode?: string }
  not_mcp: { readonly status?: number; readonly contentType?: string; readonly excerpt: string }
  no_common_version: { readonly ours: readonly string[]; readonly theirs: readonly string[] }
  unauthorized: { readonly challenge?: string }
  // calling
  unsupported: { readonly capability: string }
  timeout: { readonly limit: 'connect' | 'idle' | 'total' | 'input' | 'drain'; readonly ms: number }
  connection_lost: ChildDetails & { readonly sent: boolean }
  session_lost: {
    readonly reopened: boolean
    /** It was the session of who we were before signing in: the request did nothing, and is sent again. */
    readonly signedIn?: boolean
  }
  http_error: {
    readonly status: number
    readonly excerpt: string
    /** When it may be asked again, if it says so. */
    readonly retryAfterMs?: number
  }
  invalid_message: { readonly excerpt: string }
  invalid_output: { readonly result: CallToolResult; readonly issues: readonly SchemaIssue[] }
  limit_exceeded: { readonly limit: string; readonly allowed: number; readonly seen?: number }
  // asking
  input_unavailable: { readonly kind: 'elicit' | 'sample' | 'roots' }
  input_refused: { readonly kind: 'elicit' | 'sample' | 'roots' }
  replay_diverged: { readonly expected: string; readonly got: string }
  // tasks
  task_ended: { readonly taskId: string; readonly status: 'failed' | 'cancelled' | 'expired' }
  task_lost: { readonly taskId: string }
  // ending
  /** Also the reason of a handler's aborted signal; `by` says who ended it. */
  cancelled: {
    readonly by: 'caller' | 'disconnect' | 'timeout' | 'session' | 'drain' | 'suspended' | 'fenced'
  }
  closed: undefined
  draining: undefined
}
/** What went wrong on this side, by name. */
export type McpErrorCode = keyof McpErrorDetails

/** How a child process ended, and the last it wrote to its standard error. */
export interface ChildDetails {
  readonly exitCode?: number | null
  readonly exitSignal?: string | null
  readonly stderr?: string
}

/** Never crosses the wire: what went wrong on this side, where, and what to do. */
export class McpError<Code extends McpErrorCode = McpErrorCode> extends Error {
  override readonly name = 'McpError'
  readonly code: Code
  readonly details: McpErrorDetails[Code]
  /** Which peer, for people: an origin, a command, a server name. Never a credential. */
  readonly peer?: string
  /** Sending the same call again cannot do its work twice. */
  readonly retryable: boolean
  /** The cure, in one sentence, when we know it. */
  readonly hint?: string

  constructor(
    code: Code,
    message: string,
    options: {
      readonly details: McpErrorDetails[Code]
      readonly peer?: string | undefined
      readonly retryable?: boolean | undefined
      readonly hint?: string | undefined
      readonly cause?: unknown
    },
  ) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined)
    this.code = code
    this.details = options.details
    if (options.peer !== undefined) this.peer = options.peer
    this.retryable = options.retryable ?? false
    if (options.hint !== undefined) this.hint = options.hint
  }
}

/** Narrows to a local error, and to one code if given; holds across copies of this package. */
export function isMcpError<Code extends McpErrorCode = McpErrorCode>(
  error: unknown,
  code?: Code,
): error is McpError<Code> {
  if (!(error instanceof Error) || error.name !== 'McpError' || !('retryable' in error))
    return false
  return code === undefined || ('code' in error && error.code === code)
}

import type { SchemaIssue } from '../../schema/standard-schema.ts'
import type { CallToolResult } from '../../schema/tools.ts'

/** Details of each local error besides its message. The keys are the closed set of codes. */
export interface McpErrorDetails {
  // defining
  /** A tool, resource, prompt or option that cannot be registered as written. */
  invalid_definition: { readonly feature: string }
  /** A schema that cannot be converted to JSON Schema or checked. */
  invalid_schema: { readonly feature: string; readonly issues: readonly SchemaIssue[] }
  /** The server has a feature of this name already. */
  duplicate_name: { readonly feature: string }
  // connecting
  /** `connect` cannot tell what to connect to. */
  invalid_target: { readonly target: string }
  /** The runtime lacks something, such as child processes or the package `ws`. */
  unsupported_runtime: { readonly needs: string }
  /** The command could not be started, or ended before its first message. */
  spawn_failed: ChildDetails
  /** Nothing answers at the address; `systemCode` is that of Node, such as `ECONNREFUSED`. */
  unreachable: { readonly systemCode?: string }
  /** Something answers that does not speak MCP; `excerpt` is the start of its answer. */
  not_mcp: { readonly status?: number; readonly contentType?: string; readonly excerpt: string }
  /** Both sides share no protocol revision. */
  no_common_version: { readonly ours: readonly string[]; readonly theirs: readonly string[] }
  /** The server asks for credentials, or for other ones; `challenge` is its `WWW-Authenticate` header. */
  unauthorized: { readonly challenge?: string }
  // calling
  /** The server did not declare the capability, so nothing was sent. */
  unsupported: { readonly capability: string }
  /** A time limit passed: which one, and how long it was in milliseconds. */
  timeout: { readonly limit: 'connect' | 'idle' | 'total' | 'input' | 'drain'; readonly ms: number }
  /** The connection broke during a call; `sent` is false if the request never left. */
  connection_lost: ChildDetails & { readonly sent: boolean }
  /** The server no longer knows the session; `reopened` says whether there is a new one. */
  session_lost: {
    readonly reopened: boolean
    /** It was the session of who we were before signing in: the request did nothing, and is sent again. */
    readonly signedIn?: boolean
  }
  /** The server answered with an HTTP status that is not part of MCP, or redirected elsewhere. */
  http_error: {
    readonly status: number
    readonly excerpt: string
    /** When it may be asked again, if it says so. */
    readonly retryAfterMs?: number
  }
  /** The peer answered with something that breaks the protocol. */
  invalid_message: { readonly excerpt: string }
  /** `structuredContent` does not fit the tool's `outputSchema`; `result` is what the tool returned. */
  invalid_output: { readonly result: CallToolResult; readonly issues: readonly SchemaIssue[] }
  /** A limit was exceeded: its name, its value, and how much was seen if that is known. */
  limit_exceeded: { readonly limit: string; readonly allowed: number; readonly seen?: number }
  // asking
  /** The server asked for something that this client has no handler for. */
  input_unavailable: { readonly kind: 'elicit' | 'sample' | 'roots' }
  /** The handler that should answer the server threw. */
  input_refused: { readonly kind: 'elicit' | 'sample' | 'roots' }
  /** A handler that ran again asked another question under the same key. */
  replay_diverged: { readonly expected: string; readonly got: string }
  // tasks
  /** A task ended without a result. */
  task_ended: { readonly taskId: string; readonly status: 'failed' | 'cancelled' | 'expired' }
  /** A call became a task that can no longer be followed; the task itself goes on. */
  task_lost: { readonly taskId: string }
  // ending
  /** Also the reason of a handler's aborted signal; `by` says who ended it. */
  cancelled: {
    readonly by: 'caller' | 'disconnect' | 'timeout' | 'session' | 'drain' | 'suspended' | 'fenced'
  }
  /** The client or call was closed before this was asked of it. */
  closed: undefined
  /** The server is shutting down. */
  draining: undefined
}
/** The names of errors on this side. */
export type McpErrorCode = keyof McpErrorDetails

/** How a child process ended, and the last it wrote to its standard error. */
export interface ChildDetails {
  /** Its exit code; null if a signal ended it, absent if it has not ended. */
  readonly exitCode?: number | null
  /** The signal that ended it; null if it exited by itself. */
  readonly exitSignal?: string | null
  /** The end of what it wrote to its standard error. */
  readonly stderr?: string
}

/** Never crosses the wire: what went wrong on this side, where, and what to do. */
export class McpError<Code extends McpErrorCode = McpErrorCode> extends Error {
  /** Always `McpError`, also across copies of this package. */
  override readonly name = 'McpError'
  /** The kind of error, from a closed set; see `docs/errors.md` for the cause and fix of each. */
  readonly code: Code
  /** Facts that belong to the code, such as the limit that was exceeded. */
  readonly details: McpErrorDetails[Code]
  /** Which peer, for people: an origin, a command, a server name. Never a credential. */
  readonly peer?: string
  /** Sending the same call again cannot do its work twice. */
  readonly retryable: boolean
  /** The cure, in one sentence, when we know it. */
  readonly hint?: string

  /** For transports and extensions; programs mostly catch these errors. */
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

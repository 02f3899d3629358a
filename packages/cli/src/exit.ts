import { isAuthError } from '@parley/auth'
import { portInUse } from '@parley/foundation/command-line'
import {
  isMcpError,
  isRpcError,
  type ChildDetails,
  type McpError,
  type McpErrorCode,
  type RpcError,
} from '@parley/mcp'
import { errorMessage } from '@parley/mcp/json'

/** What the program ends with, so that scripts know why without reading. */
export const exitCodes = {
  ok: 0,
  error: 1,
  auth_required: 3,
  input_required: 3,
  unreachable: 4,
  tool_error: 5,
  invalid: 6,
  assertion_failed: 7,
  timeout: 124,
  interrupted: 130,
} as const

/** Why the program fails. */
export type FailureKind = Exclude<keyof typeof exitCodes, 'ok'>

/** A failure that the user is told of in our own words. */
export class CliError extends Error {
  override readonly name = 'CliError'
  readonly kind: FailureKind
  readonly hint: string | undefined
  readonly details: { readonly [name: string]: unknown } | undefined

  constructor(
    kind: FailureKind,
    message: string,
    options: {
      readonly hint?: string | undefined
      readonly details?: { readonly [name: string]: unknown } | undefined
      readonly cause?: unknown
    } = {},
  ) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined)
    this.kind = kind
    this.hint = options.hint
    this.details = options.details
  }
}

/** A failure as it is told: for people by message and hint, for programs as one line of JSON. */
export interface Failure {
  readonly code: FailureKind
  readonly message: string
  /** A more exact name, where the SDK has one. */
  readonly cause?: string | undefined
  readonly hint?: string | undefined
  readonly details?: { readonly [name: string]: unknown } | undefined
}

/** What to tell of anything that was thrown. */
export function describeFailure(error: unknown, signal?: AbortSignal): Failure {
  if (signal?.aborted) return { code: 'interrupted', message: 'interrupted' }
  if (error instanceof CliError) {
    const { kind, message, hint, details, cause } = error
    // What the server said is told in full, whatever we have to add.
    const described = isRpcError(cause) ? describeAnswer(cause) : undefined
    return {
      code: kind,
      message,
      cause: described?.cause,
      hint,
      details: details ?? described?.details,
    }
  }
  const explained = portInUse(error)
  if (explained !== undefined) return { code: 'error', ...explained }
  if (isMcpError(error)) return describeLocal(error)
  if (isRpcError(error)) return describeAnswer(error)
  if (isAuthError(error)) {
    const { code, message, hint } = error
    return { code: 'auth_required', message, cause: code, hint }
  }
  return { code: 'error', message: errorMessage(error) }
}

function describeLocal(error: McpError): Failure {
  const { code, message, hint, cause } = error
  const kind = localKinds.get(code) ?? 'error'
  const base = { code: kind, message, cause: code, hint: ourHint(kind, hint) }
  if (isAuthError(cause)) return { ...base, message: cause.message, hint: cause.hint ?? base.hint }
  if (cause instanceof CliError) return describeFailure(cause)
  if (code !== 'spawn_failed' && code !== 'connection_lost') return base
  const { stderr } = error.details as ChildDetails // of these two codes
  // Then the hint says no more than that.
  return stderr ? { ...base, hint: undefined, details: { stderr } } : base
}

/** What the SDK would have a programmer do is no use at a command line where we know better. */
function ourHint(kind: FailureKind, hint: string | undefined): string | undefined {
  return hints.get(kind) ?? hint
}

const localKinds = new Map<McpErrorCode, FailureKind>([
  ['unauthorized', 'auth_required'],
  ['input_unavailable', 'input_required'],
  ['input_refused', 'input_required'],
  ['spawn_failed', 'unreachable'],
  ['connection_lost', 'unreachable'],
  ['unreachable', 'unreachable'],
  ['not_mcp', 'unreachable'],
  ['no_common_version', 'unreachable'],
  ['http_error', 'unreachable'],
  ['session_lost', 'unreachable'],
  ['closed', 'unreachable'],
  ['timeout', 'timeout'],
  ['invalid_output', 'invalid'],
])

const signInHint = 'Sign in with `parley login URL`, or pass a token with --header.'

const hints = new Map<FailureKind, string>([
  ['timeout', 'Wait longer with --timeout, such as --timeout 60s.'],
  ['auth_required', signInHint],
  ['input_required', 'Use --answer FILE, --decline or --interactive.'],
])

/** The server answered by an error. */
function describeAnswer({ code, message, wireCode, data }: RpcError): Failure {
  const details = { wireCode, ...(data !== undefined && { data }) }
  const base = { message, cause: code, details }
  if (code === 'unauthorized' || code === 'insufficient_scope' || code === 'forbidden') {
    return { ...base, code: 'auth_required', hint: signInHint }
  }
  if (code === 'missing_client_capability' || code === 'url_elicitation_required') {
    return { ...base, code: 'input_required' }
  }
  return { ...base, code: 'error' }
}

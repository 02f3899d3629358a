/** Why a host did not do what a program asked of it. */
export type HostErrorCode =
  /** No server has this name. */
  | 'unknown_server'
  /** Two servers have the same name. */
  | 'duplicate_server'
  /** The server must not be started, for the reason in the message. Targets throw it. */
  | 'server_off'
  /** The server has no sign-in, or no way to sign out. */
  | 'no_sign_in'
  /** A turn is running in this conversation. */
  | 'turn_running'
  /** An app's call was not made: no such tool, no permission, a limit. */
  | 'not_called'

/** An error of a host. Errors of servers are `McpError` and `RpcError`, those of models `ModelError`. */
export class HostError extends Error {
  /** Always `HostError`. */
  override readonly name = 'HostError'
  /** The kind of error, from a closed set. */
  readonly code: HostErrorCode

  /** An error of one of these kinds, with words for people. */
  constructor(code: HostErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

import { isMcpError, McpError } from '../rpc/mcp-error.ts'
import type { JsonObject } from '../schema/json.ts'
import { attempt, type Sent } from './attempt.ts'
import type { Identity } from './identity.ts'
import type { KeptConnection } from './keep-connected.ts'
import type { ClientSession } from './session.ts'

/** A raw result, and the session that gave it. */
export interface Exchanged {
  readonly session: ClientSession
  readonly result: JsonObject
}

/** Sends a request, and once more where the connection was lost and that cannot do its work twice. */
export function exchange(
  kept: KeptConnection,
  sent: Sent,
  identity: Identity,
  isRepeatable: boolean,
): Promise<Exchanged> {
  const wait = { ms: Math.min(sent.idleMs, sent.totalMs), signal: sent.options.signal }
  const pending = kept.session(wait)
  return pending instanceof Promise ? pending.then(begin) : begin(pending)

  function begin(session: ClientSession): Promise<Exchanged> {
    try {
      return attempt(session, sent, identity).then((result) => ({ session, result }), repeat)
    } catch (error) {
      return repeat(error)
    }
  }

  /** Once for a broken connection and once for a lost session: the second may only show when the first is mended. */
  async function repeat(reason: unknown): Promise<Exchanged> {
    const isForgotten = isMcpError(reason, 'session_lost')
    const error = isForgotten ? reopened(reason) : reason
    if (!isRepeatable && !isUnsent(error)) throw error
    const mayRepeat = isForgotten || (isMcpError(error, 'connection_lost') && kept.canReconnect)
    if (!mayRepeat) throw asRetryable(error)
    const next = await kept.session(wait)
    try {
      return { session: next, result: await attempt(next, sent, identity) }
    } catch (again) {
      if (!isForgotten && isMcpError(again, 'session_lost')) return repeat(again)
      throw again
    }
  }
}

/** The client opens a new session whenever one is lost. */
function reopened(error: McpError): McpError {
  const { message, peer, hint, retryable } = error
  const details = { reopened: true }
  return new McpError('session_lost', message, {
    details,
    peer,
    hint,
    retryable,
    cause: error.cause,
  })
}

function isUnsent(error: unknown): boolean {
  return isMcpError(error, 'connection_lost') && !error.details.sent
}

/** Doing it again cannot do its work twice: whoever called may. */
function asRetryable(error: unknown): unknown {
  if (!isMcpError(error, 'connection_lost') && !isMcpError(error, 'timeout')) return error
  const { code, message, details, peer, hint } = error
  return new McpError(code, message, { details, peer, hint, retryable: true, cause: error.cause })
}

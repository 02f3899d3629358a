import { isMcpError, McpError } from '../../rpc/errors/mcp-error.ts'
import type { MaybePromise } from '../../rpc/promise.ts'
import type { JsonObject } from '../../schema/json.ts'
import { attempt, explainError, type Sent } from '../connection/attempt.ts'
import type { Identity } from '../connection/identity.ts'
import type { ReconnectingSession } from '../connection/reconnecting-session.ts'
import type { ClientSession } from '../connection/session.ts'

/** How requests of one kind are sent, and what becomes of their answers. */
export interface SendOptions<Request extends Sent, Answer> {
  readonly stored: () => ReconnectingSession
  readonly identity: Identity
  /** Makes of a raw result what the caller gets. */
  take(request: Request, result: JsonObject, session: ClientSession): MaybePromise<Answer>
  /** There will be no result; the caller gets what this returns. */
  fail(request: Request, error: unknown): unknown
}

/**
 * Sends a request, and once more where the connection was lost and that cannot do its work twice. What is given back
 * comes from the answer in one step: with many calls in flight, every promise between the two shows.
 */
export function sendRequest<Request extends Sent & Repeatable, Answer>(
  how: SendOptions<Request, Answer>,
  request: Request,
): Promise<Answer> {
  const { current } = how.stored()
  if (current !== undefined) return begin(how, request, current)
  return sessionFor(how, request).then(
    (session) => begin(how, request, session),
    (error: unknown) => {
      throw how.fail(request, error)
    },
  )
}

/** Whether a request may be sent again although it may have been received. */
export interface Repeatable {
  readonly isRepeatable: boolean
}

function begin<Request extends Sent & Repeatable, Answer>(
  how: SendOptions<Request, Answer>,
  request: Request,
  session: ClientSession,
): Promise<Answer> {
  try {
    return attempt(session, request, how.identity).then(
      (result) => how.take(request, result, session),
      (error: unknown) => repeat(how, request, explainError(error, session, request)),
    )
  } catch (error) {
    return repeat(how, request, error)
  }
}

async function repeat<Request extends Sent & Repeatable, Answer>(
  how: SendOptions<Request, Answer>,
  request: Request,
  reason: unknown,
): Promise<Answer> {
  const { result, session } = await sendAgain(how, request, reason).catch((error: unknown) => {
    throw how.fail(request, error)
  })
  return how.take(request, result, session)
}

/** Once for a broken connection and once for a lost session: the second may only show when the first is mended. */
async function sendAgain<Request extends Sent & Repeatable>(
  how: SendOptions<Request, unknown>,
  request: Request,
  reason: unknown,
): Promise<{ readonly result: JsonObject; readonly session: ClientSession }> {
  const isForgotten = isMcpError(reason, 'session_lost')
  const error = isForgotten ? reopened(reason) : reason
  if (!request.isRepeatable && !isUnsent(reason)) throw error
  const { canReconnect } = how.stored()
  const mayRepeat = isForgotten || (isMcpError(error, 'connection_lost') && canReconnect)
  if (!mayRepeat) throw asRetryable(error)
  const session = await sessionFor(how, request)
  try {
    return { session, result: await attempt(session, request, how.identity) }
  } catch (failure) {
    const again = explainError(failure, session, request)
    if (!isForgotten && isMcpError(again, 'session_lost')) return sendAgain(how, request, again)
    throw asRetryable(again)
  }
}

/** Waited for no longer than the answer would be. */
async function sessionFor(
  { stored }: Pick<SendOptions<never, never>, 'stored'>,
  { idleMs, totalMs, signal }: Sent,
): Promise<ClientSession> {
  return stored().session({ ms: Math.min(idleMs, totalMs), signal })
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
  if (isMcpError(error, 'session_lost')) return error.details.signedIn ?? false
  return isMcpError(error, 'connection_lost') && !error.details.sent
}

/** Repeating it is safe, so the caller may. */
function asRetryable(error: unknown): unknown {
  if (!isMcpError(error, 'connection_lost') && !isMcpError(error, 'timeout')) return error
  const { code, message, details, peer, hint } = error
  return new McpError(code, message, { details, peer, hint, retryable: true, cause: error.cause })
}

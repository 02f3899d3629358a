import { explainSystemCode } from '#http-request'

import { McpError } from '../../rpc/mcp-error.ts'
import { excerpt } from '../../rpc/message.ts'
import { foreignPageOrigin, pageOriginHint } from '../page-origin.ts'
import { RequestFailure } from './http-request.ts'

/** What a caller learns when a request did not come back: nobody was reached, or the connection broke. */
export function lostRequest(error: unknown, peer: string): McpError {
  if (error instanceof McpError) return error
  if (error instanceof RequestFailure && !error.sent) return unreachable(error, peer)
  const origin = isHidden(error) ? foreignPageOrigin(peer) : undefined
  const why = error instanceof Error ? `: ${error.message}` : ''
  if (origin !== undefined) {
    return new McpError(
      'connection_lost',
      `no answer from ${peer}: it cannot be reached, or it does not allow pages of ${origin}${why}`,
      { details: { sent: true }, peer, hint: pageOriginHint(origin), cause: error },
    )
  }
  return new McpError(
    'connection_lost',
    `the connection to ${peer} broke before the answer${why}`,
    {
      details: { sent: true },
      peer,
      cause: error,
    },
  )
}

/** How `fetch` fails when a browser withholds an answer, and when there is none. */
function isHidden(error: unknown): boolean {
  return error instanceof RequestFailure && error.cause instanceof TypeError
}

/** No connection came about. */
export function unreachable(failure: RequestFailure, peer: string): McpError {
  const { systemCode } = failure
  const [what, hint] = explainSystemCode(systemCode)
  return new McpError('unreachable', `cannot reach ${peer}: ${what ?? failure.message}`, {
    details: systemCode === undefined ? {} : { systemCode },
    peer,
    retryable: true,
    hint,
    cause: failure.cause,
  })
}

/** Something answered, but not this protocol. */
export function notMcp(
  peer: string,
  status: number,
  contentType: string | undefined,
  body: string,
): McpError {
  const kind = contentType === undefined ? 'nothing we know' : contentType
  return new McpError('not_mcp', `${peer} answered ${status} with ${kind}, which is not MCP`, {
    details: {
      status,
      ...(contentType !== undefined && { contentType }),
      excerpt: shorten(body),
    },
    peer,
    hint: 'Check the path of the URL: many servers answer at /mcp, older ones at /sse.',
  })
}

/** A status that says no, without a JSON-RPC error to go with it. */
export function httpError(peer: string, status: number, body: string, retryMs?: number): McpError {
  return new McpError('http_error', `${peer} answered ${status}`, {
    details: {
      status,
      excerpt: shorten(body),
      ...(retryMs !== undefined && { retryAfterMs: retryMs }),
    },
    peer,
    retryable: status >= 502 && status <= 504,
    hint: status === 404 ? 'Check the path of the URL.' : undefined,
  })
}

/** Refused for want of credentials, or of better ones. */
export function unauthorized(
  peer: string,
  status: number,
  challenge: string | undefined,
  cause?: unknown,
): McpError {
  return new McpError('unauthorized', `${peer} answered ${status}: it wants other credentials`, {
    details: challenge === undefined ? {} : { challenge },
    peer,
    hint: hintOf(cause) ?? 'Give connect() the option auth, or an Authorization header.',
    ...(cause !== undefined && { cause }),
  })
}

/** What whoever signs in says to do about it is closer to the matter than what we can say. */
function hintOf(cause: unknown): string | undefined {
  const hint = cause instanceof Error && 'hint' in cause ? cause.hint : undefined
  return typeof hint === 'string' ? hint : undefined
}

/** The server no longer knows the session. `retryable` for the request that was refused for it: it did nothing. */
export function sessionLost(peer: string, retryable: boolean, signedIn = false): McpError {
  return new McpError('session_lost', `${peer} no longer knows the session`, {
    details: { reopened: false, ...(signedIn && { signedIn }) },
    peer,
    retryable,
  })
}

/** More than we are willing to take. */
export function tooLarge(peer: string, allowed: number, seen: number | undefined): McpError {
  return new McpError('limit_exceeded', `${peer} sent a message of more than ${allowed} bytes`, {
    details: { limit: 'messageBytes', allowed, ...(seen !== undefined && { seen }) },
    peer,
    hint: 'Raise limits.messageBytes if such messages are expected.',
  })
}

/** Answered, but with nothing that answers. */
export function unanswered(peer: string, what: string): McpError {
  return new McpError('invalid_message', `${peer} ${what}`, { details: { excerpt: what }, peer })
}

function shorten(body: string): string {
  return excerpt(body.replace(/\s+/g, ' ').trim(), 200)
}

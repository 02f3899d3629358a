import { explainSystemCode } from '#http-request'

import { McpError } from '../../../rpc/errors/mcp-error.ts'
import { RequestFailure } from './http-request.ts'
import { foreignPageOrigin, pageOriginHint } from './page-origin.ts'

/** The error of a request without an answer: the server was not reached, or the connection broke. */
export function lostRequest(error: unknown, peer: string): McpError {
  if (error instanceof McpError) return error
  if (error instanceof RequestFailure && !error.sent) return unreachable(error, peer)
  const origin = isHidden(error) ? foreignPageOrigin(peer) : undefined
  const why = error instanceof Error ? `: ${error.message}` : ''
  const what =
    origin === undefined
      ? `the connection to ${peer} broke before the answer`
      : `no answer from ${peer}: it cannot be reached, or it does not allow pages of ${origin}`
  return new McpError('connection_lost', `${what}${why}`, {
    details: { sent: true },
    peer,
    hint: origin && pageOriginHint(origin),
    cause: error,
  })
}

/** Describes how `fetch` fails when a browser withholds a response, and when there is none. */
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

/** The server no longer knows the session. `retryable` for the request that was refused for it: it did nothing. */
export function sessionEnded(peer: string, retryable: boolean, signedIn = false): McpError {
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

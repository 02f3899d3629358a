import { McpError } from '../../../rpc/errors/mcp-error.ts'
import { excerpt } from '../../../rpc/message.ts'
import type { Rejection } from './refusal.ts'

/** Something answered, but not this protocol. */
export function notMcp(
  peer: string,
  status: number,
  contentType: string | undefined,
  body: string,
): McpError {
  const kind = contentType ?? 'nothing we know'
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

/** It answered, but with nothing that answers the request. */
export function unanswered(peer: string, what: string): McpError {
  return new McpError('invalid_message', `${peer} ${what}`, { details: { excerpt: what }, peer })
}

/** The body is empty, or not JSON. */
export function notJson(
  peer: string,
  status: number,
  contentType: string | undefined,
  body: string,
): McpError {
  if (body === '') return unanswered(peer, `answered ${status} to a request, with nothing`)
  return notMcp(peer, status, contentType, body)
}

/** JSON, but no answer to what was asked. */
export function otherJson(peer: string): McpError {
  return unanswered(peer, 'sent JSON that does not answer the request')
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
  return new McpError(
    'unauthorized',
    `${peer} answered ${status}: credentials are missing or were not accepted`,
    {
      details: challenge === undefined ? {} : { challenge },
      peer,
      hint: hintOf(cause) ?? 'Give connect() the option auth, or an Authorization header.',
      ...(cause !== undefined && { cause }),
    },
  )
}

/** The hint of the sign-in is more specific than ours. */
function hintOf(cause: unknown): string | undefined {
  const hint = cause instanceof Error && 'hint' in cause ? cause.hint : undefined
  return typeof hint === 'string' ? hint : undefined
}

/** A refusal of a GET, which no JSON-RPC error answers, as an error of HTTP. */
export function asHttpError({ kind, error }: Rejection, status: number, peer: string): McpError {
  return kind === 'http' ? error : httpError(peer, status, error.message)
}

function shorten(body: string): string {
  return excerpt(body.replace(/\s+/g, ' ').trim(), 200)
}

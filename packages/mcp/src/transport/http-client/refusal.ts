import type { McpError } from '../../rpc/mcp-error.ts'
import { decodeMessage, type WireError } from '../../rpc/message.ts'
import { patience, type ChannelParts } from './channel.ts'
import { httpError, unauthorized } from './failures.ts'
import type { HttpAnswer, HttpExchange } from './http-request.ts'
import { readBody } from './read-body.ts'

/** Why an answer is not a success: in the protocol's own terms, or in those of HTTP. */
export type Refusal =
  | { readonly kind: 'rpc'; readonly error: WireError }
  | { readonly kind: 'http'; readonly error: McpError }

/** Reads an answer whose status is no success. */
export async function readRefusal(
  answer: HttpAnswer,
  exchange: HttpExchange,
  { peer, clock }: Pick<ChannelParts, 'peer' | 'clock'>,
): Promise<Refusal> {
  const { status } = answer
  const challenge = answer.header('www-authenticate')
  const body = await readBody(answer, exchange, {
    peer,
    clock,
    maxBytes: 1024 * 1024,
    stallMs: patience.stallMs,
    isExcerpt: true,
  }).catch(() => '') // the status alone says enough
  if (status === 401) return { kind: 'http', error: unauthorized(peer, status, challenge) }
  // 405 is about the place and not the request, whatever its body is written in.
  const message = status !== 405 && body.startsWith('{') ? decodeMessage(body) : undefined
  // A 403 with a challenge asks for credentials; without one it says what is wrong with the request.
  if (message?.kind === 'error' && challenge === undefined) {
    return { kind: 'rpc', error: message.error }
  }
  if (status === 403) return { kind: 'http', error: unauthorized(peer, status, challenge) }
  const error = httpError(peer, status, body, answer.header('retry-after'))
  return { kind: 'http', error }
}

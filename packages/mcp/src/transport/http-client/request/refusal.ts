import type { McpError } from '../../../rpc/errors/mcp-error.ts'
import { decodeMessage, type WireError } from '../../../rpc/message.ts'
import { timeLimits, type ChannelContext } from '../channel.ts'
import { httpError, unauthorized } from './answer-failures.ts'
import type { HttpResponse, HttpExchange } from './http-request.ts'
import { readBody } from './read-body.ts'

/** Why an answer is not a success: in the protocol's own terms, or in those of HTTP. */
export type Rejection =
  | { readonly kind: 'rpc'; readonly error: WireError }
  | { readonly kind: 'http'; readonly error: McpError }

/** Reads an answer whose status is no success. */
export async function readRejection(
  answer: HttpResponse,
  exchange: HttpExchange,
  { peer, clock }: Pick<ChannelContext, 'peer' | 'clock'>,
): Promise<Rejection> {
  const { status } = answer
  const challenge = answer.header('www-authenticate')
  const retryMs = retryAfterMs(answer)
  const body = await readBody(answer, exchange, {
    peer,
    clock,
    maxBytes: 1024 * 1024,
    stallMs: timeLimits.stallMs,
    isExcerpt: true,
  }).catch(() => '') // the status alone says enough
  // 405 is about the place and not the request, whatever its body is written in.
  const message =
    status !== 401 && status !== 405 && body.startsWith('{') ? decodeMessage(body) : undefined
  // A 403 with a challenge asks for credentials; without one it says what is wrong with the request.
  if (message?.kind === 'error' && challenge === undefined) {
    const { error } = message
    const isSilent = retryMs === undefined || error.data !== undefined
    return { kind: 'rpc', error: isSilent ? error : { ...error, data: { retryAfterMs: retryMs } } }
  }
  const isCredentials = status === 401 || status === 403
  return {
    kind: 'http',
    error: isCredentials
      ? unauthorized(peer, status, challenge)
      : httpError(peer, status, body, retryMs),
  }
}

/** When a server that refuses wishes to be asked again. A date counts for nothing: clocks differ. */
export function retryAfterMs(answer: HttpResponse): number | undefined {
  const seconds = Number(answer.header('retry-after'))
  return seconds > 0 ? seconds * 1_000 : undefined
}

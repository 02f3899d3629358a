import type { IncomingMessage } from 'node:http'

import { reject, type Rejection } from './refusal.ts'

/** A body that was read, or why not. */
export type Body =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'refused'; readonly rejection: Rejection }

/**
 * Reads JSON up to a size. Only `application/json` is taken: the types a form can send need no question beforehand, so
 * any page could send them.
 */
export async function readJsonBody(request: IncomingMessage, maxBytes: number): Promise<Body> {
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json') {
    return refused(reject(415, 'not_json', 'the body must be application/json'))
  }
  const tooLarge = reject(413, 'too_large', `the body is longer than ${maxBytes} bytes`)
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return refused(tooLarge)
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes > maxBytes) return refused(tooLarge)
    parts.push(part)
  }
  try {
    return { kind: 'json', value: JSON.parse(Buffer.concat(parts).toString('utf8')) }
  } catch {
    return refused(reject(400, 'not_json', 'the body is not valid JSON'))
  }
}

function refused(rejection: Rejection): Body {
  return { kind: 'refused', rejection }
}

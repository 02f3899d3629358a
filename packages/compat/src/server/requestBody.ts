/** Request bodies, bounded. */

/** Bytes of a request body that is read: 4 MiB. */
export const DEFAULT_MAX_REQUEST_BODY_SIZE: number = 4 * 1024 * 1024

/** Messages in one JSON-RPC batch. */
export const MAX_BATCH_SIZE = 100

/** Returns what a body over the limit is answered with, under status 413. */
export function requestBodyTooLargeMessage(maxBytes: number): string {
  return `Payload Too Large: Request body must not exceed ${maxBytes} bytes`
}

/** Returns the limit to use; throws at once for one that is none. */
export function resolveMaxRequestBodySize(value: number | undefined): number {
  if (value === undefined) return DEFAULT_MAX_REQUEST_BODY_SIZE
  if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0) {
    throw new RangeError(
      `maxRequestBodySize must be a positive number of bytes, got ${String(value)}`,
    )
  }
  return value
}

/** A body as text, unless it is too large. */
export type RequestBody = { tooLarge: true } | { tooLarge: false; text: string }

/** Reads a body up to the limit; a declared length over it is refused without reading. */
export async function readRequestBody(
  request: Request,
  maxBytes: number = DEFAULT_MAX_REQUEST_BODY_SIZE,
): Promise<RequestBody> {
  if (Number(request.headers.get('content-length')) > maxBytes) return { tooLarge: true }
  if (!request.body) return { tooLarge: false, text: '' }
  return collectBody(request.body, maxBytes)
}

/** Collects chunks up to the limit. */
export async function collectBody(
  chunks: AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>,
  maxBytes: number,
): Promise<RequestBody> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const chunk of chunks as AsyncIterable<Uint8Array>) {
    size += chunk.length
    // Leaving the loop ends the stream.
    if (size > maxBytes) return { tooLarge: true }
    parts.push(chunk)
  }
  const decoder = new TextDecoder()
  let text = ''
  for (const part of parts) text += decoder.decode(part, { stream: true })
  return { tooLarge: false, text: text + decoder.decode() }
}

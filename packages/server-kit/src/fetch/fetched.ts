import { FetchError } from './fetch-error.ts'

/** How far a body has come. */
export interface FetchProgress {
  /** Unpacked, so far. */
  readonly received: number
  /** All of it, where the host said so and sends it unpacked. */
  readonly total?: number
}

/** An answer whose body is still to come. It must be read or given up. */
export interface Fetched {
  /** Where the answer came from, after redirects. */
  readonly url: URL
  /** The HTTP status. */
  readonly status: number
  /** The headers of the answer. */
  readonly headers: Headers
  /** Piece by piece; throws a `FetchError` at the first byte too much. Read once. */
  readonly body: AsyncIterable<Uint8Array>
  /** The whole body. */
  bytes(): Promise<Uint8Array>
  /** Gives the body up and closes the connection. */
  discard(): Promise<void>
}

/** How a body is read. */
export interface BodyRules {
  readonly maxBytes: number
  readonly onProgress?: ((progress: FetchProgress) => void) | undefined
  /** What a failure while reading means. */
  readonly explain: (error: unknown) => unknown
}

/** Puts the limits around a body. Throws if it already says that it is too long. */
export async function limitBody(response: Response, url: URL, rules: BodyRules): Promise<Fetched> {
  const total = announcedBytes(response.headers)
  const discard = async () => {
    await response.body?.cancel().catch(() => undefined) // it is given up either way
  }
  if (total !== undefined && total > rules.maxBytes) {
    await discard()
    const why = `it is ${total} bytes long, more than the limit of ${rules.maxBytes}`
    throw new FetchError('maxBytes', url, why)
  }
  const body = readPieces(response, url, total, rules)
  return {
    url,
    status: response.status,
    headers: response.headers,
    body,
    bytes: () => join(body),
    discard,
  }
}

async function* readPieces(
  { body }: Response,
  url: URL,
  total: number | undefined,
  { maxBytes, onProgress, explain }: BodyRules,
): AsyncGenerator<Uint8Array> {
  let received = 0
  try {
    for await (const piece of body ?? []) {
      received += piece.byteLength
      // Leaving the loop cancels the stream, and with it the connection.
      if (received > maxBytes) {
        throw new FetchError('maxBytes', url, `it is longer than ${maxBytes} bytes`)
      }
      onProgress?.({ received, ...(total !== undefined && { total }) })
      yield piece
    }
  } catch (error) {
    throw explain(error)
  }
}

async function join(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = []
  for await (const piece of pieces) all.push(piece)
  return all.length === 1 && all[0] ? all[0] : Buffer.concat(all)
}

function announcedBytes(headers: Headers): number | undefined {
  if (headers.has('content-encoding')) return undefined
  const text = headers.get('content-length')
  return text !== null && /^\d+$/.test(text) ? Number(text) : undefined
}

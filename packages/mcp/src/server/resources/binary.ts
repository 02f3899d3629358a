import { RpcError } from '../../rpc/errors/rpc-error.ts'

/** Bytes with a media type, as `fetch` and file APIs give them. */
export type Binary = Blob | Response

export function isBinary(value: unknown): value is Binary {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as { arrayBuffer?: unknown }).arrayBuffer === 'function'
  )
}

export interface Body {
  readonly mimeType: string
  readonly bytes: Uint8Array
}

/** Reads a whole body; throws `limit_exceeded` at the limit. */
export async function readBinary(value: Binary, maxBytes: number): Promise<Body> {
  const stream = 'body' in value ? value.body : value.stream()
  const type = 'headers' in value ? (value.headers.get('content-type') ?? '') : value.type
  const mimeType = type.split(';')[0]?.trim().toLowerCase() || 'application/octet-stream'
  if (stream === null) return { mimeType, bytes: new Uint8Array() }
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    // web streams are iterable where bodies are
    size += chunk.byteLength
    if (size > maxBytes) throw tooLarge(maxBytes)
    chunks.push(chunk)
  }
  return { mimeType, bytes: join(chunks, size) }
}

export function isTextual(mimeType: string): boolean {
  return (
    mimeType.startsWith('text/') || /^application\/(.+\+)?(json|xml|javascript)$/.test(mimeType)
  )
}

function join(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const joined = new Uint8Array(size)
  let offset = 0
  for (const chunk of chunks) {
    joined.set(chunk, offset)
    offset += chunk.byteLength
  }
  return joined
}

function tooLarge(allowed: number): RpcError {
  return new RpcError(
    'limit_exceeded',
    `a body is larger than limits.messageBytes (${allowed}) allows`,
    {
      data: { limit: 'messageBytes', allowed },
    },
  )
}

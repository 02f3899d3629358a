import type { Codec } from '../../wire/codec.ts'
import { codecFor } from '../../wire/revisions.ts'
import { badRequest } from './admission/http-errors.ts'
import { mediaTypeOf } from './admission/media-type.ts'
import type { HttpExchange } from './runtime/exchange.ts'

/** Accepted types and protocol version of a request, from its headers. */
export interface RequestHeaders {
  readonly accepts: Accepts
  /** `MCP-Protocol-Version`; undefined if there is none, which is normal before 2025-06-18. */
  readonly version: string | undefined
  /** Undefined without a version, and for one that is not supported here. */
  readonly codec: Codec | undefined
}

/** Types of responses that the client accepts. */
export interface Accepts {
  readonly json: boolean
  readonly events: boolean
}

/** Remembers what it read last, because a client sends the same headers with every request. */
export function createHeaderReader(
  revisions: readonly string[],
): (exchange: HttpExchange) => RequestHeaders {
  let lastAccept: string | undefined
  let last: RequestHeaders = { accepts: everything, version: undefined, codec: undefined }

  return (exchange) => {
    const accept = exchange.header('accept')
    const version = exchange.header('mcp-protocol-version')?.trim()
    if (accept === lastAccept && version === last.version) return last
    const codec = version === undefined ? undefined : codecFor(version, revisions)
    lastAccept = accept
    last = { accepts: readAccept(accept), version, codec }
    return last
  }
}

/** Throws 400 for a version that is not supported here. */
export function requireSupported(
  { version, codec }: RequestHeaders,
  revisions: readonly string[],
): Codec | undefined {
  if (version === undefined || codec !== undefined) return codec
  throw notSupported(version, revisions)
}

/** The revision of a request without the header and without a session. */
const withoutHeader = '2025-03-26'

/** The codec of a request that belongs to no session. Throws 400 for a version that is not supported here. */
export function requireSessionlessCodec(
  headers: RequestHeaders,
  revisions: readonly string[],
): Codec {
  const codec = requireSupported(headers, revisions) ?? codecFor(withoutHeader, revisions)
  if (codec === undefined) throw notSupported(withoutHeader, revisions)
  return codec
}

function notSupported(version: string, revisions: readonly string[]): Error {
  const seen = version.slice(0, 40)
  return badRequest(
    400,
    `unsupported MCP-Protocol-Version ${seen}; this server supports ${revisions.join(', ')}`,
  )
}

/** Throws 406 or 415 for a POST that cannot be read or answered. */
export function requireMediaTypes(exchange: HttpExchange, { json, events }: Accepts): void {
  if (!json && !events) {
    throw badRequest(406, 'Accept must list application/json, text/event-stream')
  }
  requireJsonContent(exchange)
  const encoding = exchange.header('content-encoding')
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw badRequest(415, `Content-Encoding ${encoding.slice(0, 40)} is not accepted`)
  }
}

/** Throws 415 for a body that is not JSON. */
export function requireJsonContent(exchange: HttpExchange): void {
  const type = exchange.header('content-type')
  if (isJsonContent(type)) return
  const seen = type?.slice(0, 100) ?? 'nothing'
  throw badRequest(415, `Content-Type must be application/json, got ${seen}`)
}

/** True for JSON in UTF-8; another charset is another encoding of the bytes. */
function isJsonContent(header: string | undefined): boolean {
  if (header === 'application/json') return true
  if (mediaTypeOf(header) !== 'application/json') return false
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(header ?? '')?.[1]?.toLowerCase()
  return charset === undefined || charset === 'utf-8' || charset === 'utf8'
}

/** Without the header anything is accepted; a range with `q=0` is excluded. */
function readAccept(header = ''): Accepts {
  if (header.trim() === '') return everything
  const ranges = header
    .split(',', maxRanges)
    .filter((range) => !/;\s*q\s*=\s*0(\.0*)?\s*(;|$)/i.test(range))
  const types = new Set(ranges.map(mediaTypeOf))
  const any = types.has('*/*')
  return {
    json: any || types.has('application/*') || types.has('application/json'),
    events: any || types.has('text/*') || types.has('text/event-stream'),
  }
}

const maxRanges = 32
const everything: Accepts = { json: true, events: true }

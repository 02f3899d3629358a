import type { Codec } from '../../../wire/codec.ts'
import { codecFor } from '../../../wire/revisions.ts'
import type { HttpExchange } from '../runtime/exchange.ts'
import { badRequest } from './http-errors.ts'

/** What a request without the header and without a session speaks. */
const withoutHeader = '2025-03-26'

/** The codec `MCP-Protocol-Version` names; undefined if there is none, which is normal before 2025-06-18. Throws 400 for one we do not speak. */
export function readVersion(
  exchange: HttpExchange,
  revisions: readonly string[],
): Codec | undefined {
  const version = exchange.header('mcp-protocol-version')
  return version === undefined ? undefined : requireCodec(version, revisions)
}

/** The codec of a request that belongs to no session. */
export function readSessionlessVersion(
  exchange: HttpExchange,
  revisions: readonly string[],
): Codec {
  return readVersion(exchange, revisions) ?? requireCodec(withoutHeader, revisions)
}

function requireCodec(version: string, revisions: readonly string[]): Codec {
  const codec = codecFor(version, revisions)
  if (codec) return codec
  const shown = version.slice(0, 40)
  throw badRequest(
    400,
    `MCP-Protocol-Version ${shown} is not spoken here; ${revisions.join(', ')} are`,
  )
}

import { RpcError } from '../rpc/rpc-error.ts'
import type { Codec } from '../wire/codec.ts'
import { codecFor, newestHandshake } from '../wire/revisions.ts'

/** The server's part: what was asked for if we speak it, else the newest we do. */
export function answerVersion(requested: string, allowed: readonly string[]): Codec {
  const codec = codecFor(requested, allowed) ?? newestHandshake(allowed)
  if (codec !== undefined) return codec
  throw new RpcError('unsupported_version', `no version in common; asked for ${requested}`, {
    data: { supported: allowed, requested },
  })
}

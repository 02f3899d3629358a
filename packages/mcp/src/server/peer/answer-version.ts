import { RpcError } from '../../rpc/errors/rpc-error.ts'
import type { Revision } from '../../schema/revision.ts'
import { featuresOf, newestRevision } from '../../wire/features.ts'

/** The server's part: what was asked for if we speak it, else the newest we do. */
export function answerVersion(requested: string, allowed: readonly string[]): Revision {
  const isSpoken = allowed.includes(requested) && featuresOf(requested) !== undefined
  const revision = isSpoken ? (requested as Revision) : newestRevision('legacy', allowed) // just looked up
  if (revision !== undefined) return revision
  throw new RpcError('unsupported_version', `no version in common; asked for ${requested}`, {
    data: { supported: allowed, requested },
  })
}

import type { Revision } from '../schema/revision.ts'
import type { Codec } from './codec.ts'
import { forEachRevision, newestOf, spokenRevisions } from './features.ts'
import { createLegacyCodec } from './legacy-codec.ts'
import { createStandaloneCodec } from './standalone-codec.ts'

export { spokenRevisions } from './features.ts'

const codecs: readonly Codec[] = forEachRevision((revision, has) =>
  has.handshake ? createLegacyCodec(revision, has) : createStandaloneCodec(revision, has),
)

const byRevision: ReadonlyMap<string, Codec> = new Map(
  codecs.map((codec) => [codec.revision, codec]),
)

/** Those that begin with `initialize`, newest first. */
export const handshakeRevisions: readonly Revision[] = codecs
  .filter(({ has }) => has.handshake)
  .map(({ revision }) => revision)

/** Undefined for a revision we do not speak, or are told not to. */
export function codecFor(
  revision: string,
  allowed: readonly string[] = spokenRevisions,
): Codec | undefined {
  const codec = byRevision.get(revision)
  return codec !== undefined && allowed.includes(codec.revision) ? codec : undefined
}

/** The newest of the allowed revisions that begin with `initialize`. */
export function newestHandshake(allowed: readonly string[] = spokenRevisions): Codec | undefined {
  return newestOf(codecs, true, allowed)
}

/** The newest of the allowed revisions in which every request stands for itself. */
export function newestStandalone(allowed: readonly string[] = spokenRevisions): Codec | undefined {
  return newestOf(codecs, false, allowed)
}

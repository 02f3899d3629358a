import type { Revision } from '../schema/revision.ts'
import type { Codec } from './codec.ts'
import { newestOf, supportedRevisions } from './features.ts'
import { legacyCodecs } from './legacy-codec.ts'
import { modernCodecs } from './modern-codec.ts'

export { supportedRevisions } from './features.ts'

const codecs: readonly Codec[] = [...modernCodecs, ...legacyCodecs]

const byRevision: ReadonlyMap<string, Codec> = new Map(
  codecs.map((codec) => [codec.revision, codec]),
)

/** Those that begin with `initialize`, newest first. */
export const legacyRevisions: readonly Revision[] = codecs
  .filter(({ has }) => has.initialize)
  .map(({ revision }) => revision)

/** Undefined for a revision we do not speak, or are told not to. */
export function codecFor(
  revision: string,
  allowed: readonly string[] = supportedRevisions,
): Codec | undefined {
  const codec = byRevision.get(revision)
  return codec !== undefined && allowed.includes(codec.revision) ? codec : undefined
}

/** Returns the codec of a supported revision. */
export function codecOf(revision: Revision): Codec {
  const codec = codecFor(revision)
  if (codec === undefined) throw new TypeError(`unsupported protocol version ${revision}`)
  return codec
}

/** The newest of the allowed revisions that begin with `initialize`. */
export function newestLegacy(allowed: readonly string[] = supportedRevisions): Codec | undefined {
  return newestOf(codecs, 'legacy', allowed)
}

/** The newest of the allowed revisions without `initialize`. */
export function newestModern(allowed: readonly string[] = supportedRevisions): Codec | undefined {
  return newestOf(codecs, 'modern', allowed)
}

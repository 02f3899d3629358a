import type { Revision } from '../schema/revision.ts'
import type { Codec, WireFeatures } from './codec.ts'
import { createLegacyCodec } from './legacy-codec.ts'
import { createStandaloneCodec } from './standalone-codec.ts'

const revision20251125: WireFeatures = {
  handshake: true,
  liveQuestions: true,
  titles: true,
  itemMeta: true,
  icons: true,
  toolAnnotations: true,
  structuredContent: 'objects',
  audio: true,
  resourceLinks: true,
  lastModified: true,
  completionContext: true,
  completionsCapability: true,
  elicitation: 'full',
  elicitationIds: true,
  samplingTools: true,
  progressMessage: true,
  batches: false,
  polling: true,
  tasks: 'core',
}

const revision20260728: WireFeatures = {
  ...revision20251125,
  handshake: false,
  liveQuestions: false,
  structuredContent: 'any',
  elicitationIds: false,
  polling: false,
  tasks: 'extension',
}

const revision20250618: WireFeatures = {
  ...revision20251125,
  icons: false,
  elicitation: 'plain',
  elicitationIds: false,
  samplingTools: false,
  polling: false,
  tasks: 'none',
}

const revision20250326: WireFeatures = {
  ...revision20250618,
  titles: false,
  itemMeta: false,
  structuredContent: 'none',
  resourceLinks: false,
  lastModified: false,
  completionContext: false,
  elicitation: 'none',
  batches: true,
}

const revision20241105: WireFeatures = {
  ...revision20250326,
  toolAnnotations: false,
  audio: false,
  completionsCapability: false,
  progressMessage: false,
  batches: false,
}

/** The codec of each revision that is spoken by handshake, newest first. */
const handshakeCodecs: readonly Codec[] = [
  createLegacyCodec('2025-11-25', revision20251125),
  createLegacyCodec('2025-06-18', revision20250618),
  createLegacyCodec('2025-03-26', revision20250326),
  createLegacyCodec('2024-11-05', revision20241105),
]

const codecs: readonly Codec[] = [
  createStandaloneCodec('2026-07-28', revision20260728),
  ...handshakeCodecs,
]

/** Revisions we can speak today, newest first. */
export const spokenRevisions: readonly Revision[] = codecs.map(({ revision }) => revision)

/** Those that begin with `initialize`, newest first. */
export const handshakeRevisions: readonly Revision[] = handshakeCodecs.map(
  ({ revision }) => revision,
)

/** Undefined for a revision we do not speak, or are told not to. */
export function codecFor(
  revision: string,
  allowed: readonly string[] = spokenRevisions,
): Codec | undefined {
  if (!allowed.includes(revision)) return undefined
  return codecs.find((codec) => codec.revision === revision)
}

/** The newest of the allowed revisions that begin with `initialize`. */
export function newestHandshake(allowed: readonly string[] = spokenRevisions): Codec | undefined {
  return handshakeCodecs.find(({ revision }) => allowed.includes(revision))
}

/** The newest of the allowed revisions in which every request stands for itself. */
export function newestStandalone(allowed: readonly string[] = spokenRevisions): Codec | undefined {
  return codecs.find(({ revision, has }) => !has.handshake && allowed.includes(revision))
}

import type { Revision } from '../schema/revision.ts'
import type { Codec, WireFeatures } from './codec.ts'
import { createLegacyCodec } from './legacy-codec.ts'

const revision20250618: WireFeatures = {
  titles: true,
  itemMeta: true,
  icons: false,
  toolAnnotations: true,
  structuredContent: 'objects',
  audio: true,
  resourceLinks: true,
  lastModified: true,
  completionContext: true,
  completionsCapability: true,
  elicitation: 'plain',
  progressMessage: true,
  batches: false,
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
const codecs: readonly Codec[] = [
  createLegacyCodec('2025-06-18', revision20250618),
  createLegacyCodec('2025-03-26', revision20250326),
  createLegacyCodec('2024-11-05', revision20241105),
]

/** Revisions we can speak today, newest first. */
export const spokenRevisions: readonly Revision[] = codecs.map(({ revision }) => revision)

/** Undefined for a revision we do not speak, or are told not to. */
export function codecFor(
  revision: string,
  allowed: readonly string[] = spokenRevisions,
): Codec | undefined {
  if (!allowed.includes(revision)) return undefined
  return codecs.find((codec) => codec.revision === revision)
}

/** The newest of the allowed revisions that we speak. */
export function newestCodec(allowed: readonly string[] = spokenRevisions): Codec | undefined {
  return codecs.find(({ revision }) => allowed.includes(revision))
}

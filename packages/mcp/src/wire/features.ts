import type { Revision } from '../schema/revision.ts'
import type { WireFeatures } from './codec.ts'

const revision20251125: WireFeatures = {
  initialize: true,
  serverRequests: true,
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
  initialize: false,
  serverRequests: false,
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

/** The features of each supported revision, newest first. */
const features: ReadonlyMap<Revision, WireFeatures> = new Map([
  ['2026-07-28', revision20260728],
  ['2025-11-25', revision20251125],
  ['2025-06-18', revision20250618],
  ['2025-03-26', revision20250326],
  ['2024-11-05', revision20241105],
])

/** Revisions we can speak today, newest first. */
export const supportedRevisions: readonly Revision[] = [...features.keys()]

/** Sorts revisions for other programs, newest first. */
export function newestFirst(revisions: readonly string[]): readonly string[] {
  return revisions.toSorted().toReversed() // they are dates
}

/** Returns the features of a revision; undefined for an unsupported one. */
export function featuresOf(revision: string): WireFeatures | undefined {
  return features.get(revision as Revision) // membership is the proof
}

/** The newest of the allowed revisions of an era: legacy ones begin with `initialize`, modern ones have no session. */
export function newestRevision(
  era: 'legacy' | 'modern',
  allowed: readonly string[] = supportedRevisions,
): Revision | undefined {
  const isLegacy = era === 'legacy'
  return supportedRevisions.find(
    (revision) => featuresOf(revision)?.initialize === isLegacy && allowed.includes(revision),
  )
}

/** A codec for each of them, newest first; none where `create` gives none. */
export function forEachRevision<Codec>(
  create: (revision: Revision, has: WireFeatures) => Codec | undefined,
): readonly Codec[] {
  return [...features].flatMap(([revision, has]) => create(revision, has) ?? [])
}

/** The codec of the newest of them, see {@link newestRevision}. */
export function newestOf<Codec extends { readonly revision: Revision }>(
  codecs: readonly Codec[],
  era: 'legacy' | 'modern',
  allowed: readonly string[],
): Codec | undefined {
  const newest = newestRevision(era, allowed)
  return codecs.find(({ revision }) => revision === newest)
}

import type { Revision } from '../schema/revision.ts'
import type { WireFeatures } from './codec.ts'

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

/** What each revision that we speak can express, newest first. */
const features: ReadonlyMap<Revision, WireFeatures> = new Map([
  ['2026-07-28', revision20260728],
  ['2025-11-25', revision20251125],
  ['2025-06-18', revision20250618],
  ['2025-03-26', revision20250326],
  ['2024-11-05', revision20241105],
])

/** Revisions we can speak today, newest first. */
export const spokenRevisions: readonly Revision[] = [...features.keys()]

/** A codec for each of them, newest first. */
export function forEachRevision<Codec>(
  create: (revision: Revision, has: WireFeatures) => Codec,
): readonly Codec[] {
  return Array.from(features, ([revision, has]) => create(revision, has))
}

/** The newest of the allowed revisions that begins with `initialize`, or of those that do not. */
export function newestOf<Codec extends Described>(
  codecs: readonly Codec[],
  isHandshake: boolean,
  allowed: readonly string[],
): Codec | undefined {
  return codecs.find(
    ({ revision, has }) => has.handshake === isHandshake && allowed.includes(revision),
  )
}

/** What every codec says about its revision. */
interface Described {
  readonly revision: Revision
  readonly has: WireFeatures
}

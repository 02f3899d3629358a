import type { CreateBatchReplies } from '../../rpc/batch-replies.ts'
import { later, type Later } from '../../rpc/later.ts'
import type { Revision } from '../../schema/revision.ts'
import type { Codec } from '../../wire/codec.ts'
import { featuresOf, isLegacy } from '../../wire/features.ts'
import { answerVersion } from './answer-version.ts'

// Most clients speak one revision as long as they live. What is for the others is loaded when one of them comes.

/** Requests that stand for themselves. */
export const standalonePart = later(() => import('./modern-caller.ts'))

/** Sessions that begin with `initialize`. */
export const handshakePart = later(() => import('./handshake.ts'))

/** What older revisions with a handshake lack. */
const legacyPart = later(() => import('../../wire/legacy-codec.ts'))

/** What it takes to answer an `initialize` that asks for this version. */
export function partsToGreet(requested: unknown, allowed: readonly string[]): Later<object>[] {
  const revision = typeof requested === 'string' ? answerVersion(requested, allowed) : undefined
  if (revision === undefined) return [handshakePart]
  if (isLegacy(revision)) return [handshakePart, legacyPart]
  return featuresOf(revision)?.handshake ? [handshakePart] : [handshakePart, standalonePart]
}

/** The codec of a revision, once its part has been loaded. */
export function loadedCodec(revision: Revision): Codec {
  const codecs = [
    ...(standalonePart.loaded?.standaloneCodecs ?? []),
    ...(handshakePart.loaded?.handshakeCodecs ?? []),
    ...(legacyPart.loaded?.legacyCodecs ?? []),
  ]
  const codec = codecs.find((known) => known.revision === revision)
  if (codec === undefined) throw new TypeError(`${revision} has not been loaded`)
  return codec
}

/** What answers batches, which only an older revision has. */
export function loadedBatches(): CreateBatchReplies | undefined {
  return legacyPart.loaded?.createBoundedBatches
}

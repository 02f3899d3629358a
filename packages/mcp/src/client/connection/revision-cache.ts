import { BoundedMap } from '../../rpc/bounded-map.ts'
import type { Revision } from '../../schema/revision.ts'

/** Which revision each target spoke last, so that not every connection begins with a probe. */
export interface RevisionCache {
  recall(target: string): Revision | undefined
  remember(target: string, revision: Revision): void
  /** Forgets all targets. */
  clear(): void
}

/** A server may be replaced at any time; this is how long the last one is taken for granted. */
const retentionMs = 3_600_000

const maxTargets = 1_000

/** `now` in milliseconds since the epoch. */
export function createRevisionCache(now: () => number = Date.now): RevisionCache {
  const verdicts = new BoundedMap<string, { readonly revision: Revision; readonly until: number }>(
    maxTargets,
  )

  return {
    recall(target) {
      const probeResult = verdicts.get(target)
      if (probeResult === undefined || probeResult.until > now()) return probeResult?.revision
      verdicts.delete(target)
      return undefined
    },
    remember(target, revision) {
      verdicts.set(target, { revision, until: now() + retentionMs })
    },
    clear: () => verdicts.clear(),
  }
}

/** The cache that the clients of this process share. */
export const sharedEraMemory: RevisionCache = createRevisionCache()

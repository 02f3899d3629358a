import type { DiscoverResult } from '../schema/discover.ts'
import { cacheHints } from './cache-hint.ts'
import type { Caller } from './caller.ts'
import type { Definition } from './definition.ts'
import { instructionsOf } from './instructions.ts'

/** What this server speaks and offers, for whoever asks. */
export function discover(
  definition: Definition,
  { spoken = [], declared }: Caller,
): DiscoverResult {
  const instructions = instructionsOf(definition)
  return {
    supportedVersions: spoken,
    capabilities: declared,
    ...(instructions !== undefined && { instructions }),
    ...cacheHints(definition.settings.cache),
  }
}

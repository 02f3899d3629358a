import type { DiscoverResult } from '../../schema/discover.ts'
import type { Caller } from '../calls/caller.ts'
import type { Definition } from '../definition.ts'
import { instructionsOf } from '../instructions.ts'
import { cacheHints } from '../lists/cache-hint.ts'

/** What this server speaks and offers, for whoever asks; a copy, since in process nothing else makes one. */
export function discover(
  definition: Definition,
  { spoken = [], declared }: Caller,
): DiscoverResult {
  const answer = {
    supportedVersions: spoken,
    capabilities: declared,
    instructions: instructionsOf(definition),
    ...cacheHints(definition.settings.cache),
  }
  return JSON.parse(JSON.stringify(answer)) as DiscoverResult // as it was written
}

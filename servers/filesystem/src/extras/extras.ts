import type { Feature } from '@parley/mcp/server'

import type { FileAccess } from '../access.ts'
import type { Extra } from '../settings.ts'

/** What was asked for besides the tools of the reference server. */
export function extraFeatures(_enabled: readonly Extra[], _access: FileAccess): readonly Feature[] {
  return []
}

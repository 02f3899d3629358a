import type { Revision } from '@parley/mcp'
import type { Client } from '@parley/mcp/client'

import type { Terminal } from './terminal.ts'

/** One part of the tour. */
export interface Stop {
  readonly title: string
  readonly why: string
  /** Left out in older revisions, which have no such thing. */
  readonly since?: Revision
  visit(client: Client, terminal: Terminal): Promise<void>
}

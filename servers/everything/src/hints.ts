import type { ToolAnnotations } from '@parley/mcp'

/** For tools that only look. */
export const looksOnly: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
}

/** For tools that change something of the session, and something else the next time. */
export const changesSession: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
}

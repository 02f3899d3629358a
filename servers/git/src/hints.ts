import type { ToolAnnotations } from '@parley/mcp'

function hints(
  readOnlyHint: boolean,
  destructiveHint: boolean,
  idempotentHint: boolean,
  openWorldHint = false,
): ToolAnnotations {
  return { readOnlyHint, destructiveHint, idempotentHint, openWorldHint }
}

/** Only looks. */
export const looksOnly = hints(true, false, true)
/** Adds something, and again the next time. */
export const adds = hints(false, false, false)
/** Adds something, once. */
export const addsOnce = hints(false, false, true)
/** Takes something away, or changes it for good. */
export const destroys = hints(false, true, false)
/** Takes something away; a second time changes nothing. */
export const destroysOnce = hints(false, true, true)
/** Talks to another machine. */
export const transfers = hints(false, false, true, true)
/** Changes something on another machine. */
export const publishes = hints(false, true, true, true)

import { ToolError } from '@parley/mcp'
import { toolResult } from '@parley/mcp/server'
import { decodeCursor } from '@parley/server-kit/tools'
import { z } from 'zod'

/** Where a search goes on: behind a path, or behind a line of that file. */
export interface Place {
  readonly path: string
  readonly line: number
}

/** How a search is told to go on. */
export const cursorInput = z
  .string()
  .optional()
  .describe('nextCursor of the answer before, to go on')

/** The place in a cursor of ours. */
export function positionOf(cursor: string | undefined): Place | undefined {
  if (cursor === undefined) return undefined
  const [path, line] = decodeCursor(cursor)
  if (typeof path === 'string' && typeof line === 'number') return { path, line }
  throw new ToolError('That cursor is not from this tool. Leave it out to start again.')
}

/** A page of what was found: as data, and a line each for those who read text. */
export function pageResult<Data extends object>(
  data: Data,
  lines: readonly string[],
  nextCursor: string | undefined,
) {
  const more = nextCursor === undefined ? [] : [`… more with cursor ${nextCursor}`]
  return toolResult({
    structuredContent: { ...data, ...(nextCursor !== undefined && { nextCursor }) },
    content: [lines.length > 0 ? [...lines, ...more].join('\n') : 'No matches found'],
  })
}

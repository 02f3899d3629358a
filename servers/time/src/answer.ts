import { ToolError, type ToolAnnotations } from '@parley/mcp'
import { toolResult, type ToolResult } from '@parley/mcp/server'

import { TimeFailure } from './failure.ts'

/** None of the tools changes anything, or asks anybody else. */
export const looksOnly: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
}

/** An answer as text with two spaces, and as structured content; failures in the words of the reference. */
export function answer<Output>(work: () => Output): ToolResult<Output> {
  try {
    const structuredContent = work()
    return toolResult({ content: [JSON.stringify(structuredContent, null, 2)], structuredContent })
  } catch (error) {
    if (!(error instanceof TimeFailure)) throw error
    throw new ToolError(`Error processing mcp-server-time query: ${error.message}`, {
      cause: error,
    })
  }
}

import { ToolError } from '@parley/mcp'

/** A question that has no answer, in the words of the reference. */
export function failure(message: string): ToolError {
  return new ToolError(`Error processing mcp-server-time query: ${message}`)
}

import { toolResult, type ToolResult } from '@parley/mcp/server'

/** A value as structured content, and as JSON with two spaces for those who read text: of it, or of a part of it. */
export function prettyResult<Value>(
  structuredContent: Value,
  shown: unknown = structuredContent,
): ToolResult<Value> {
  return toolResult({ structuredContent, content: [JSON.stringify(shown, undefined, 2)] })
}

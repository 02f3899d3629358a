import { McpError } from '../../rpc/errors/mcp-error.ts'
import type { CompileSchema } from '../../schema/json-schema/compile.ts'
import type { SchemaIssue } from '../../schema/standard-schema.ts'
import type { CallToolResult, Tool } from '../../schema/tools.ts'
import { issuesOf } from './schema-issues.ts'
import type { ToolDefinitions, OutputCheckOptions, ToolCallResult } from './tools.ts'

/** Checks a result against the output schema of its tool, which is fetched if it is not known. */
export async function compareOutput(
  name: string,
  result: CallToolResult,
  tools: ToolDefinitions,
  { mode, compileSchema, onError }: OutputCheckOptions,
): Promise<ToolCallResult> {
  const tool =
    result.structuredContent === undefined
      ? tools.get(name)
      : await tools.find(name).catch((error: unknown) => {
          // The tool has done its work: its result is not lost because its description cannot be had.
          onError(error, { severity: 'warning', operation: 'tools/list' })
          return undefined
        })
  if (tool?.outputSchema === undefined) return result
  const issues = await findIssues(result, tool, compileSchema)
  if (issues === undefined) return result
  const error = new McpError(
    'invalid_output',
    `tool ${name} returned structured content that does not match its outputSchema: ${issues[0]?.message ?? ''}`,
    {
      details: { result, issues },
      hint: 'Tell the author of the server; validation: { output: "off" } stops the check.',
    },
  )
  if (mode === 'reject') throw error
  onError(error, { severity: 'warning', operation: 'tools/call' })
  return { ...result, issues }
}

async function findIssues(
  { structuredContent }: CallToolResult,
  { outputSchema }: Tool,
  compileSchema: CompileSchema | undefined,
): Promise<readonly SchemaIssue[] | undefined> {
  if (outputSchema === undefined) return undefined
  if (structuredContent === undefined) return [{ message: 'structuredContent is missing' }]
  return issuesOf(structuredContent, outputSchema, compileSchema)
}

import { compileJsonSchema, type JsonObject, type SchemaIssue, type Tool } from '@parley/mcp'

/** How arguments do not fit the schema of a tool, in words; none if they do, or if the schema cannot be used. */
export function argumentIssues(tool: Tool, input: JsonObject): readonly string[] {
  try {
    const validate = compileJsonSchema(tool.inputSchema, { untrusted: true, maxSteps: 100_000 })
    return (validate(input) ?? []).map(({ path, message }) =>
      path === undefined || path.length === 0 ? message : `${pathText(path)}: ${message}`,
    )
  } catch {
    return [] // the server will say what it thinks of them
  }
}

function pathText(path: NonNullable<SchemaIssue['path']>): string {
  return path.map((step) => String(typeof step === 'object' ? step.key : step)).join('.')
}

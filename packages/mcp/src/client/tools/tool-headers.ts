import { McpError } from '../../rpc/errors/mcp-error.ts'
import type { OnError } from '../../rpc/errors/on-error.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { Tool } from '../../schema/tools.ts'
import { headerAnnotations, paramHeaders, type HeaderAnnotation } from '../../wire/param-headers.ts'

type Annotations = ReturnType<typeof headerAnnotations>

const read = new WeakMap<object, Annotations>()

/** The tools that can be called over HTTP; one whose headers cannot be made is reported and left out. */
export function usableTools(tools: readonly Tool[], onError: OnError): readonly Tool[] {
  return tools.filter((tool) => {
    const annotations = annotationsOf(tool)
    if (!('problem' in annotations)) return true
    const error = unusable(tool.name, annotations.problem)
    onError(error, { severity: 'warning', operation: 'tools/list' })
    return false
  })
}

/** The headers of a call to a tool; the newest description counts. */
export function headersOf(tool: Tool, args: JsonObject): { readonly [header: string]: string } {
  return paramHeaders(repeatedBy(tool), args)
}

/** Returns the arguments that headers of a call repeat. */
export function repeatedBy(tool: Tool): readonly HeaderAnnotation[] {
  const annotations = annotationsOf(tool)
  return 'annotations' in annotations ? annotations.annotations : []
}

function annotationsOf({ inputSchema }: Tool): Annotations {
  const existing = read.get(inputSchema)
  if (existing !== undefined) return existing
  const annotations = headerAnnotations(inputSchema)
  read.set(inputSchema, annotations)
  return annotations
}

function unusable(name: string, problem: string): McpError {
  return new McpError('invalid_message', `tool ${name} cannot be called over HTTP: ${problem}`, {
    details: { excerpt: problem },
    hint: 'Tell the author of the server; other tools are not affected.',
  })
}

import type { OnError } from '../rpc/error-report.ts'
import { McpError } from '../rpc/mcp-error.ts'
import type { JsonObject } from '../schema/json.ts'
import type { Tool } from '../schema/tools.ts'
import { headerAnnotations, paramHeaders } from '../wire/mirrored-headers.ts'
import type { ClientSession } from './session.ts'

/** Arguments that headers repeat over HTTP, where requests stand for themselves. */
export interface ToolHeaders {
  /** The tools that can be called; one whose headers cannot be made is reported and left out. */
  usable(tools: readonly Tool[]): readonly Tool[]
  /** Whether headers repeat arguments at all. */
  areUsed(): boolean
}

type Annotations = ReturnType<typeof headerAnnotations>

const read = new WeakMap<object, Annotations>()

export function createToolHeaders(
  latest: () => ClientSession | undefined,
  onError: OnError,
): ToolHeaders {
  function areUsed(): boolean {
    const session = latest()
    return session?.kind === 'standalone' && session.transport.kind === 'http'
  }

  return {
    areUsed,
    usable(tools) {
      if (!areUsed()) return tools
      return tools.filter((tool) => {
        const annotations = annotationsOf(tool)
        if (!('problem' in annotations)) return true
        onError(unusable(tool.name, annotations.problem), {
          severity: 'warning',
          operation: 'tools/list',
        })
        return false
      })
    },
  }
}

/** The headers of a call to a tool as far as it is known; the newest description counts. */
export function headersOf(
  tool: Tool | undefined,
  args: JsonObject,
): { readonly [header: string]: string } {
  const annotations = tool && annotationsOf(tool)
  return annotations && 'annotations' in annotations
    ? paramHeaders(annotations.annotations, args)
    : {}
}

function annotationsOf({ inputSchema }: Tool): Annotations {
  const known = read.get(inputSchema)
  if (known !== undefined) return known
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

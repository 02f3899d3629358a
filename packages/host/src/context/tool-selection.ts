import type { JsonObject } from '@parley/mcp'

import type { ModelTool } from '../models/model.ts'
import type { ToolRegistry } from '../tools/tool-registry.ts'

/** Which tools a model is told of, and how it finds the others. */
export interface ToolSelection {
  tools(): readonly ModelTool[]
  /** What one of the selection's own tools answers; undefined if it is none of them. */
  answer(name: string, args: JsonObject): SelectionAnswer | undefined
}

/** An answer of the host, or a call of a tool that was found by searching. */
export type SelectionAnswer =
  | { readonly kind: 'text'; readonly text: string; readonly isError: boolean }
  | { readonly kind: 'call'; readonly name: string; readonly arguments: JsonObject | undefined }

/** Every tool that is switched on. */
export function selectAll(registry: ToolRegistry): ToolSelection {
  return {
    tools: () => registry.enabled().map(({ shown }) => shown),
    answer: () => undefined,
  }
}

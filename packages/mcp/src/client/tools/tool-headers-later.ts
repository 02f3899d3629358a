import type { OnError } from '../../rpc/errors/error-report.ts'
import type { MaybePromise } from '../../rpc/promise.ts'
import type { JsonObject } from '../../schema/json/json.ts'
import type { Tool } from '../../schema/tools.ts'
import type { ClientSession } from '../connection/session.ts'
import { toolHeadersPart } from '../lazy-parts.ts'

/** Arguments that headers repeat over HTTP, where requests stand for themselves. */
export interface ToolHeaders {
  /** Whether headers repeat arguments at all. */
  areUsed(): boolean
  /** The tools that can be called; one whose headers cannot be made is reported and left out. */
  usable(tools: readonly Tool[]): MaybePromise<readonly Tool[]>
  /** The headers of a call to a tool as far as it is known: one that was listed is usable. */
  headersOf(tool: Tool | undefined, args: JsonObject): { readonly [header: string]: string }
}

/** By what is loaded when tools are listed, and so when there is something to read in them. */
export function toolHeadersLater(
  latest: () => ClientSession | undefined,
  onError: OnError,
): ToolHeaders {
  function areUsed(): boolean {
    const session = latest()
    return session?.kind === 'standalone' && session.transport.kind === 'http'
  }

  async function usable(tools: readonly Tool[]): Promise<readonly Tool[]> {
    const { usableTools } = await toolHeadersPart.load()
    return usableTools(tools, onError)
  }

  return {
    areUsed,
    usable: (tools) => (areUsed() ? usable(tools) : tools),
    headersOf: (tool, args) => (tool && toolHeadersPart.loaded?.headersOf(tool, args)) ?? {},
  }
}

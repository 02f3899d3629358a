import type { JsonObject } from '@parley/mcp'

import { noLists, type UpstreamLists } from '../upstreams/upstream-lists.ts'

/** Returns the name of the sign-in tool, which distinguishes servers without prefix. */
export function signInToolName(upstream: string, isPrefixed: boolean): string {
  return isPrefixed ? 'sign_in' : `sign_in_${upstream}`
}

/** The one tool that a server has for who has not signed in. */
export function signInLists(upstream: string, isPrefixed: boolean): UpstreamLists {
  const tool: JsonObject = {
    name: signInToolName(upstream, isPrefixed),
    title: `Sign in to ${upstream}`,
    description: `Signs the user in to the server ${upstream}. Its tools are listed after that. Call it when the user wants something of ${upstream}.`,
    inputSchema: { type: 'object', properties: {}, additionalProperties: false },
    annotations: { readOnlyHint: true, openWorldHint: true },
  }
  return { ...noLists, tools: [tool] }
}

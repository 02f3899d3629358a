import { isRpcError, type CallToolResult } from '@parley/mcp'
import type { Client } from '@parley/mcp/client'

import type { Terminal } from './terminal.ts'

/** What a tool said. A refused question, such as a form filled in wrongly, is part of the tour too. */
export async function showTexts(
  client: Client,
  { print }: Terminal,
  tool: string,
  args: object,
): Promise<void> {
  try {
    for (const text of textsOf(await client.callTool(tool, args))) {
      for (const line of text.trim().split('\n')) print(`    ${line}`)
    }
  } catch (error) {
    if (!isRpcError(error)) throw error
    print(`    ${error.code} (${error.wireCode}): ${error.message}`)
  }
}

/** The text of a result, block by block. */
export function textsOf({ content }: CallToolResult): readonly string[] {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : []))
}

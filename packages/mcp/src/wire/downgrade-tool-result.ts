import { isJsonObject } from '../schema/json.ts'
import type { CallToolResult } from '../schema/tools.ts'
import type { WireFeatures } from './codec.ts'
import { downgradeBlocks } from './downgrade-content.ts'

/** Where a revision has no place for the structured value, its JSON text takes its place. */
export function downgradeToolResult(result: CallToolResult, has: WireFeatures): CallToolResult {
  const content = downgradeBlocks(result.content, has)
  const { structuredContent } = result
  const isSayable =
    structuredContent === undefined ||
    has.structuredContent === 'any' ||
    (has.structuredContent === 'objects' && isJsonObject(structuredContent))
  if (isSayable) return content === result.content ? result : { ...result, content }

  const { structuredContent: _, ...rest } = result
  const text = JSON.stringify(structuredContent)
  const isMirrored = content.some((block) => block.type === 'text' && isSameJson(block.text, text))
  return { ...rest, content: isMirrored ? content : [...content, { type: 'text', text }] }
}

function isSameJson(text: string, json: string): boolean {
  if (text === json) return true
  try {
    return JSON.stringify(JSON.parse(text)) === json
  } catch {
    return false
  }
}

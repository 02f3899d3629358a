import { isJsonObject } from '../schema/json/json.ts'
import type { CallToolResult, Tool } from '../schema/tools.ts'
import type { WireFeatures } from './codec.ts'
import { omit } from './omit.ts'

/** A listed tool as a revision writes it. */
export function downgradeTool(tool: Tool, has: WireFeatures): Tool {
  const missing = missingMembers(has)
  if (!has.toolAnnotations) missing.push('annotations')
  if (has.tasks !== 'core') missing.push('execution')
  const isObject = tool.outputSchema?.['type'] === 'object'
  if (has.structuredContent === 'none' || (has.structuredContent === 'objects' && !isObject)) {
    missing.push('outputSchema')
  }
  return omit(tool, missing)
}

/** What no listed item of a revision has. */
export function missingMembers(has: WireFeatures): string[] {
  const missing: string[] = []
  if (!has.icons) missing.push('icons')
  if (!has.titles) missing.push('title')
  if (!has.itemMeta) missing.push('_meta')
  return missing
}

/** Where a revision has no place for the structured value, its JSON text takes its place. */
export function downgradeStructured(result: CallToolResult, has: WireFeatures): CallToolResult {
  const { content, structuredContent } = result
  const isSayable =
    structuredContent === undefined ||
    has.structuredContent === 'any' ||
    (has.structuredContent === 'objects' && isJsonObject(structuredContent))
  if (isSayable) return result

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

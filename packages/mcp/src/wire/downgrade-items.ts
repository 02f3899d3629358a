import type { ClientCapabilities, ServerCapabilities } from '../schema/capabilities.ts'
import type { Annotations, Implementation } from '../schema/metadata.ts'
import type { Prompt } from '../schema/prompts.ts'
import type { Tool } from '../schema/tools.ts'
import type { WireFeatures } from './codec.ts'
import { downgradeAnnotated } from './downgrade-content.ts'
import { omit } from './omit.ts'

/** A listed resource or template as a revision writes it. */
export function downgradeItem<T extends { readonly annotations?: Annotations }>(
  item: T,
  has: WireFeatures,
): T {
  return downgradeAnnotated(omit(item, missingMembers(has)), has)
}

export function downgradePrompt(prompt: Prompt, has: WireFeatures): Prompt {
  const plain = omit(prompt, missingMembers(has))
  if (has.titles || plain.arguments === undefined) return plain
  return { ...plain, arguments: plain.arguments.map((argument) => omit(argument, ['title'])) }
}

export function downgradeTool(tool: Tool, has: WireFeatures): Tool {
  const missing = missingMembers(has)
  if (!has.toolAnnotations) missing.push('annotations')
  if (has.structuredContent === 'none' || tool.outputSchema?.['type'] !== 'object') {
    missing.push('outputSchema')
  }
  return omit(tool, missing)
}

export function downgradeImplementation(info: Implementation, has: WireFeatures): Implementation {
  const missing = has.icons ? [] : ['icons', 'description', 'websiteUrl']
  if (!has.titles) missing.push('title')
  return omit(info, missing)
}

export function downgradeCapabilities(
  capabilities: ServerCapabilities,
  has: WireFeatures,
): ServerCapabilities {
  return has.completionsCapability ? capabilities : omit(capabilities, ['completions'])
}

export function downgradeClientCapabilities(
  capabilities: ClientCapabilities,
  has: WireFeatures,
): ClientCapabilities {
  return has.elicitation === 'none' ? omit(capabilities, ['elicitation']) : capabilities
}

function missingMembers(has: WireFeatures): string[] {
  const missing: string[] = []
  if (!has.icons) missing.push('icons')
  if (!has.titles) missing.push('title')
  if (!has.itemMeta) missing.push('_meta')
  return missing
}

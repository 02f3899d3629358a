import type { ServerCapabilities } from '../schema/capabilities.ts'
import type { Annotations } from '../schema/metadata.ts'
import type { Prompt } from '../schema/prompts.ts'
import type { Tool } from '../schema/tools.ts'
import type { WireFeatures } from './codec.ts'
import { downgradeAnnotated } from './downgrade-content.ts'
import { withoutTaskExtension } from './downgrade-greeting.ts'
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
  if (has.tasks !== 'core') missing.push('execution')
  const isObject = tool.outputSchema?.['type'] === 'object'
  if (has.structuredContent === 'none' || (has.structuredContent === 'objects' && !isObject)) {
    missing.push('outputSchema')
  }
  return omit(tool, missing)
}

export function downgradeCapabilities(
  capabilities: ServerCapabilities,
  has: WireFeatures,
): ServerCapabilities {
  const missing = has.tasks === 'core' ? [] : ['tasks']
  if (!has.completionsCapability) missing.push('completions')
  return withoutTaskExtension(omit(capabilities, missing), has)
}

function missingMembers(has: WireFeatures): string[] {
  const missing: string[] = []
  if (!has.icons) missing.push('icons')
  if (!has.titles) missing.push('title')
  if (!has.itemMeta) missing.push('_meta')
  return missing
}

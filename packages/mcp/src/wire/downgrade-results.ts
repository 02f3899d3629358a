import type { ContentBlock, EmbeddedResource, ResourceLink } from '../schema/content.ts'
import { isJsonObject, omit } from '../schema/json.ts'
import type { Annotations } from '../schema/metadata.ts'
import type { GetPromptResult, Prompt } from '../schema/prompts.ts'
import type { ResourceContents } from '../schema/resources.ts'
import type { CallToolResult, Tool } from '../schema/tools.ts'
import type { WireFeatures } from './codec.ts'

/** `lastModified` is the only annotation that is younger than the others. */
export function downgradeAnnotated<T extends { readonly annotations?: Annotations }>(
  item: T,
  has: WireFeatures,
): T {
  if (has.lastModified || item.annotations?.lastModified === undefined) return item
  return { ...item, annotations: omit(item.annotations, ['lastModified']) }
}

/** Content blocks as a revision can write them; nothing is dropped silently. The same array when all of them fit. */
export function downgradeBlocks(
  blocks: readonly ContentBlock[],
  has: WireFeatures,
): readonly ContentBlock[] {
  return blocks.every((block) => matches(block, has))
    ? blocks
    : blocks.map((block) => downgradeBlock(block, has))
}

export function downgradeBlock(block: ContentBlock, has: WireFeatures): ContentBlock {
  if (block.type === 'audio' && !has.audio) return downgradeBlock(embeddedAudio(block), has)
  if (block.type === 'resource_link') {
    if (!has.resourceLinks) return { type: 'text', text: linkText(block) }
    return has.icons ? block : omit(block, ['icons'])
  }
  const withMeta = has.itemMeta ? block : omit(block, ['_meta'])
  const annotated = downgradeAnnotated(withMeta, has)
  if (annotated.type !== 'resource') return annotated
  return { ...annotated, resource: downgradeContent(annotated.resource, has) }
}

export function downgradeContents(
  contents: readonly ResourceContents[],
  has: WireFeatures,
): readonly ResourceContents[] {
  return has.itemMeta ? contents : contents.map((content) => downgradeContent(content, has))
}

export function downgradePromptResult(result: GetPromptResult, has: WireFeatures): GetPromptResult {
  return {
    ...result,
    messages: result.messages.map((message) => ({
      ...message,
      content: downgradeBlock(message.content, has),
    })),
  }
}

function matches(block: ContentBlock, has: WireFeatures): boolean {
  switch (block.type) {
    case 'audio':
      return has.audio && has.itemMeta
    case 'resource_link':
      return has.resourceLinks && (has.icons || block.icons === undefined)
    case 'text':
    case 'image':
    case 'resource':
      return has.itemMeta
  }
}

function downgradeContent(content: ResourceContents, has: WireFeatures): ResourceContents {
  return has.itemMeta ? content : omit(content, ['_meta'])
}

function embeddedAudio(block: Extract<ContentBlock, { type: 'audio' }>): EmbeddedResource {
  const { data, mimeType, annotations, _meta } = block
  return {
    type: 'resource',
    resource: { uri: `data:${mimeType},`, mimeType, blob: data },
    ...(annotations && { annotations }),
    ...(_meta && { _meta }),
  }
}

function linkText({ name, title, uri, description }: ResourceLink): string {
  return `${title ?? name}: ${uri}${description === undefined ? '' : `\n${description}`}`
}

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

/** Returns the members that listed items of a revision do not have. */
function missingMembers(has: WireFeatures): string[] {
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

import type { ContentBlock, EmbeddedResource, ResourceLink } from '../schema/content.ts'
import type { GetPromptResult } from '../schema/prompts.ts'
import type { ResourceContents } from '../schema/resources.ts'
import type { WireFeatures } from './codec.ts'
import { downgradeAnnotated } from './downgrade-annotations.ts'
import { omit } from './omit.ts'

/** Content blocks as a revision can write them; nothing is dropped silently. The same array when all of them fit. */
export function downgradeBlocks(
  blocks: readonly ContentBlock[],
  has: WireFeatures,
): readonly ContentBlock[] {
  return blocks.every((block) => fits(block, has))
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

function fits(block: ContentBlock, has: WireFeatures): boolean {
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

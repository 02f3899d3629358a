import type { CallToolResult, ContentBlock } from '@parley/mcp'

/** The same result with at most so many characters of text. What is left out is said. */
export function cutResult(result: CallToolResult, maxCharacters: number): CallToolResult {
  let remaining = maxCharacters

  function cut(text: string): string {
    const shortened = text.slice(0, Math.max(0, remaining))
    remaining -= text.length
    const left = text.length - shortened.length
    return left === 0 ? text : `${shortened}… (${left} more characters were left out)`
  }

  function cutBlock(block: ContentBlock): ContentBlock {
    if (block.type === 'text') return { ...block, text: cut(block.text) }
    if (block.type !== 'resource' || !('text' in block.resource)) return block
    return { ...block, resource: { ...block.resource, text: cut(block.resource.text) } }
  }

  const { content, structuredContent } = result
  const hasText = content.some((block) => block.type === 'text' && block.text !== '')
  if (hasText || structuredContent === undefined) {
    return { ...result, content: content.map(cutBlock) }
  }
  // Its JSON is what the model gets to read.
  const text = cut(JSON.stringify(structuredContent))
  return { ...result, content: [{ type: 'text', text }, ...content.map(cutBlock)] }
}

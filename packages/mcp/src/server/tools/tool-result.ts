import type { ContentBlock } from '../../schema/content.ts'
import { isContentBlock, isWhole } from '../../schema/make-content.ts'
import type { MetaObject } from '../../schema/metadata.ts'
import type { CallToolResult } from '../../schema/tools.ts'

/** A full tool result made by {@link toolResult}. */
export interface ToolResult<Output = unknown> {
  readonly '~result': Output
}

/** A full result whose content may be derived. */
export interface ToolResultParts {
  readonly structuredContent?: unknown
  readonly content?: readonly (string | ContentBlock)[] | undefined
  readonly isError?: boolean | undefined
  readonly _meta?: MetaObject | undefined
}

/** A full tool result, where a plain value is not enough. `content` is derived when left out. */
export function toolResult<Output = undefined>(result: {
  readonly structuredContent?: Output
  readonly content?: readonly (string | ContentBlock)[] | undefined
  readonly isError?: boolean | undefined
  readonly _meta?: MetaObject | undefined
}): ToolResult<Output> {
  return { '~result': result } as unknown as ToolResult<Output> // the type carries only what callers need to know
}

/** The result that {@link toolResult} describes. */
export function fromParts({
  structuredContent: value,
  content,
  isError,
  _meta,
}: ToolResultParts): CallToolResult {
  return {
    content:
      content?.map(toBlock) ?? (value === undefined ? [] : [textBlock(JSON.stringify(value))]),
    ...(value !== undefined && { structuredContent: value }),
    ...(isError !== undefined && { isError }),
    ...(_meta !== undefined && { _meta }),
  }
}

/** Text, or a block as it is. */
export function toBlock(part: string | ContentBlock): ContentBlock {
  return typeof part === 'string' ? textBlock(part) : completed(part)
}

/** An embedded resource always has a media type (DEC-07). */
function completed(block: ContentBlock): ContentBlock {
  if (block.type !== 'resource' || block.resource.mimeType !== undefined) return block
  const mimeType = 'text' in block.resource ? 'text/plain' : 'application/octet-stream'
  return { ...block, resource: { ...block.resource, mimeType } }
}

export function textBlock(text: string): ContentBlock {
  return { type: 'text', text }
}

/** Text, or a content block with all members of its type: a database row with a `type` is a common mistake. */
export function isPart(value: unknown): value is string | ContentBlock {
  return typeof value === 'string' || (isObject(value) && isContentBlock(value) && isWhole(value))
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** A value made by {@link toolResult}. */
export function isToolResult(value: object): value is ToolResult {
  return '~result' in value
}

/** A result as the specification writes it. */
export function isFullResult(value: object): value is CallToolResult {
  return 'content' in value && Array.isArray(value.content)
}

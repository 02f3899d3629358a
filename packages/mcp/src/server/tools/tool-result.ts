import { isPromise, type MaybePromise } from '../../rpc/promise.ts'
import type { ContentBlock } from '../../schema/content.ts'
import { isContentBlock, isJson, isWhole } from '../../schema/make-content.ts'
import type { MetaObject } from '../../schema/metadata.ts'
import type { StandardResult } from '../../schema/standard-schema.ts'
import type { CallToolResult } from '../../schema/tools.ts'
import type { Call } from '../calls/call.ts'
import { loadBinaryResult, writtenResultPart } from '../parts.ts'
import { isBinary } from '../resources/binary.ts'
import type { ToolEntry } from './tools.ts'

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

/** What a handler returned, as a result. Throws for what its own `outputSchema` refuses. */
export function toToolResult(
  returned: unknown,
  tool: ToolEntry,
  call: Call,
): MaybePromise<CallToolResult> {
  if (tool.output) return structuredResult(returned, tool, call)
  if (typeof returned === 'string') return { content: [textBlock(returned)] }
  if (returned === undefined || returned === null) return { content: [] }
  if (typeof returned === 'number' || typeof returned === 'boolean') {
    return { content: [textBlock(`${returned}`)] }
  }
  if (isObject(returned)) {
    if (Array.isArray(returned) && returned.every(isPart)) return { content: returned.map(toBlock) }
    if (isPart(returned)) return { content: [toBlock(returned)] }
    if (isToolResult(returned)) return resultOf(returned['~result'] as ToolResultParts, tool, call) // what toolResult() was given
    if (isJson(returned)) return { content: [textBlock(JSON.stringify(returned['~json']))] }
    if (isBinary(returned)) {
      return loadBinaryResult().then(({ binaryResult }) => binaryResult(returned, call))
    }
  }
  return withPart(({ writtenResult }) => writtenResult(returned, tool, call))
}

function structuredResult(
  returned: unknown,
  tool: ToolEntry,
  call: Call,
): MaybePromise<CallToolResult> {
  const parts: ToolResultParts =
    isObject(returned) && isToolResult(returned)
      ? (returned['~result'] as ToolResultParts) // what toolResult() was given
      : { structuredContent: returned }
  if (parts.isError) return resultOf(parts, tool, call)
  const checked = tool.output?.validate(parts.structuredContent)
  return isPromise(checked) ? checked.then(settle) : settle(checked)

  function settle(settled: StandardResult<unknown> | undefined): MaybePromise<CallToolResult> {
    if (settled?.issues || (isObject(returned) && isFullResult(returned))) {
      return withPart(({ doubtfulResult }) => doubtfulResult(parts, settled, tool, call))
    }
    return resultOf({ ...parts, structuredContent: settled?.value }, tool, call)
  }
}

/** Content that its author wrote may need a look. */
function resultOf(
  parts: ToolResultParts,
  tool: ToolEntry,
  call: Call,
): MaybePromise<CallToolResult> {
  return parts.content?.every(isPart) === false
    ? withPart(({ writtenResult }) => writtenResult(parts, tool, call))
    : fromParts(parts)
}

/** At once, where it is there already. */
function withPart(work: (part: WrittenResultPart) => CallToolResult): MaybePromise<CallToolResult> {
  const { loaded } = writtenResultPart
  return loaded ? work(loaded) : writtenResultPart.load().then(work)
}
type WrittenResultPart = NonNullable<typeof writtenResultPart.loaded>

/** What {@link toolResult} was given, as a result. */
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

/** An embedded resource always says its media type (DEC-07). */
function completed(block: ContentBlock): ContentBlock {
  if (block.type !== 'resource' || block.resource.mimeType !== undefined) return block
  const mimeType = 'text' in block.resource ? 'text/plain' : 'application/octet-stream'
  return { ...block, resource: { ...block.resource, mimeType } }
}

export function textBlock(text: string): ContentBlock {
  return { type: 'text', text }
}

/** Text, or a block that has what its type says: a row without text is a common slip. */
function isPart(value: unknown): value is string | ContentBlock {
  return typeof value === 'string' || (isObject(value) && isContentBlock(value) && isWhole(value))
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function isToolResult(value: object): value is ToolResult {
  return '~result' in value
}

/** As the specification writes one. */
export function isFullResult(value: object): value is CallToolResult {
  return 'content' in value && Array.isArray(value.content)
}

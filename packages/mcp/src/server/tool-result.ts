import { McpError } from '../rpc/mcp-error.ts'
import { isPromise, type MaybePromise } from '../rpc/promise.ts'
import type { ContentBlock } from '../schema/content.ts'
import { isContentBlock, isJson } from '../schema/make-content.ts'
import type { MetaObject } from '../schema/metadata.ts'
import type { StandardResult } from '../schema/standard-schema.ts'
import type { CallToolResult } from '../schema/tools.ts'
import { isBinary } from './binary.ts'
import type { Call } from './call.ts'
import { loadBinaryResult } from './parts.ts'
import type { ToolEntry } from './tools.ts'
import { describeIssues } from './user-schema.ts'

/** A full tool result made by {@link toolResult}. */
export interface ToolResult<Output = unknown> {
  readonly '~result': Output
}

interface ToolResultParts {
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
  if (tool.output) return structuredResult(returned, tool)
  if (typeof returned === 'string') return { content: [textBlock(returned)] }
  if (returned === undefined || returned === null) return { content: [] }
  if (typeof returned === 'number' || typeof returned === 'boolean') {
    return { content: [textBlock(`${returned}`)] }
  }
  if (typeof returned !== 'object') throw new TypeError(`a tool cannot return a ${typeof returned}`)
  if (Array.isArray(returned) && returned.every(isPart)) return { content: returned.map(toBlock) }
  if (isContentBlock(returned)) return { content: [completed(returned)] }
  if (isToolResult(returned)) return fromParts(returned['~result'] as ToolResultParts) // what toolResult() was given
  if (isJson(returned)) return { content: [textBlock(JSON.stringify(returned['~json']))] }
  if (isBinary(returned)) {
    return loadBinaryResult().then(({ binaryResult }) => binaryResult(returned, call))
  }
  if (isFullResult(returned)) return { ...returned, content: returned.content.map(toBlock) }
  return otherObject(returned, tool, call)
}

/** Only untyped code comes here: bytes would be a list of numbers, the rest reads well as JSON. */
function otherObject(returned: object, tool: ToolEntry, { caller }: Call): CallToolResult {
  if (ArrayBuffer.isView(returned) || returned instanceof ArrayBuffer) {
    throw new TypeError('a tool cannot return bytes: return image(), audio() or embed() of them')
  }
  if (!warned.has(tool)) {
    warned.add(tool)
    const why = `tool ${tool.name} returned a plain object: give it an outputSchema, or return json(value)`
    caller.onError(new TypeError(why), { severity: 'warning', operation: 'tools/call' })
  }
  return { content: [textBlock(JSON.stringify(returned))] }
}
const warned = new WeakSet<ToolEntry>()

function structuredResult(returned: unknown, tool: ToolEntry): MaybePromise<CallToolResult> {
  const parts: ToolResultParts =
    isObject(returned) && isToolResult(returned)
      ? (returned['~result'] as ToolResultParts) // what toolResult() was given
      : { structuredContent: returned }
  if (parts.isError) return fromParts(parts)
  const checked = tool.output?.validate(parts.structuredContent)
  return isPromise(checked)
    ? checked.then((settled) => checkedResult(parts, settled, tool))
    : checkedResult(parts, checked, tool)
}

function checkedResult(
  parts: ToolResultParts,
  checked: StandardResult<unknown> | undefined,
  { name }: ToolEntry,
): CallToolResult {
  if (checked?.issues) {
    const why = describeIssues(checked.issues)
    throw new McpError(
      'invalid_output',
      `tool ${name} returned what its outputSchema refuses: ${why}`,
      {
        details: { result: fromParts(parts), issues: checked.issues },
      },
    )
  }
  return fromParts({ ...parts, structuredContent: checked?.value })
}

function fromParts({
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

function textBlock(text: string): ContentBlock {
  return { type: 'text', text }
}

function isPart(value: unknown): value is string | ContentBlock {
  return typeof value === 'string' || (isObject(value) && isContentBlock(value))
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function isToolResult(value: object): value is ToolResult {
  return '~result' in value
}

function isFullResult(value: object): value is CallToolResult {
  return 'content' in value && Array.isArray(value.content)
}

/**
 * Converts the return value of a tool's handler to a `CallToolResult`: text, content blocks, structured content, binary bodies, or a full
 * result from `toolResult()`.
 *
 * Checks hand-written content, and structured content against the `outputSchema`. Errors of the handler are handled by `call-tool.ts`; older
 * revisions are handled by `wire/`.
 */

import { McpError } from '../../rpc/errors/mcp-error.ts'
import { ToolError } from '../../rpc/errors/tool-error.ts'
import { isPromise, type MaybePromise } from '../../rpc/promise.ts'
import { encodeBase64 } from '../../schema/base64.ts'
import { array, describeProblem, type Problem } from '../../schema/check.ts'
import { type ContentBlock, contentBlock } from '../../schema/content.ts'
import { isContentBlock, isWhole, isJson } from '../../schema/make-content.ts'
import type { MetaObject } from '../../schema/metadata.ts'
import type { StandardResult } from '../../schema/standard-schema.ts'
import { type CallToolResult, callToolResult } from '../../schema/tools.ts'
import type { Call } from '../calls/call.ts'
import { isBinary, isTextual, readBinary, type Binary } from '../resources/binary.ts'
import { describeIssues } from '../user-schema.ts'
import type { ToolEntry } from './tools.ts'

/** A full tool result made by {@link toolResult}. */
export interface ToolResult<Output = unknown> {
  readonly '~result': Output
}

/** A full result whose content may be derived. */
interface ToolResultFields {
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
function fromParts({
  structuredContent: value,
  content,
  isError,
  _meta,
}: ToolResultFields): CallToolResult {
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

function textBlock(text: string): ContentBlock {
  return { type: 'text', text }
}

/** Text, or a content block with all members of its type: a database row with a `type` is a common mistake. */
function isPart(value: unknown): value is string | ContentBlock {
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
function isFullResult(value: object): value is CallToolResult {
  return 'content' in value && Array.isArray(value.content)
}

/** Turns the value that a handler returned into a result. Throws if its `outputSchema` refuses the value. */
export function toToolResult(
  returned: unknown,
  tool: ToolEntry,
  call: Call,
): MaybePromise<CallToolResult> {
  if (tool.output) return structuredResult(returned, tool, call)
  if (typeof returned === 'string') return { content: [{ type: 'text', text: returned }] }
  if (returned === undefined || returned === null) return { content: [] }
  if (typeof returned === 'number' || typeof returned === 'boolean') {
    return { content: [textBlock(`${returned}`)] }
  }
  if (isObject(returned)) {
    if (Array.isArray(returned) && returned.every(isPart)) return { content: returned.map(toBlock) }
    if (isPart(returned)) return { content: [toBlock(returned)] }
    if (isToolResult(returned)) return resultOf(returned['~result'] as ToolResultFields, tool, call) // what toolResult() was given
    if (isJson(returned)) return { content: [textBlock(JSON.stringify(returned['~json']))] }
    if (isBinary(returned)) {
      return binaryResult(returned, call)
    }
  }
  return handwrittenResult(returned, tool, call)
}

function structuredResult(
  returned: unknown,
  tool: ToolEntry,
  call: Call,
): MaybePromise<CallToolResult> {
  const parts: ToolResultFields =
    isObject(returned) && isToolResult(returned)
      ? (returned['~result'] as ToolResultFields) // what toolResult() was given
      : { structuredContent: returned }
  if (parts.isError) return resultOf(parts, tool, call)
  const checked = tool.output?.validate(parts.structuredContent)
  return isPromise(checked) ? checked.then(resolve) : resolve(checked)

  function resolve(resolved: StandardResult<unknown> | undefined): CallToolResult {
    if (resolved?.issues || (isObject(returned) && isFullResult(returned))) {
      return doubtfulResult(parts, resolved, tool, call)
    }
    return resultOf({ ...parts, structuredContent: resolved?.value }, tool, call)
  }
}

/** Checks content that was written by hand. */
function resultOf(parts: ToolResultFields, tool: ToolEntry, call: Call): CallToolResult {
  return parts.content?.every(isPart) === false
    ? handwrittenResult(parts, tool, call)
    : fromParts(parts)
}

/** The body of a file or a response, as a tool's result. */
async function binaryResult(value: Binary, { caller }: Call): Promise<CallToolResult> {
  if ('ok' in value && !value.ok) {
    throw new ToolError(`The request failed with status ${value.status} ${value.statusText}`.trim())
  }
  const { mimeType, bytes } = await readBinary(value, caller.limits.messageBytes)
  if (mimeType.startsWith('image/')) return mediaResult('image', mimeType, bytes)
  if (mimeType.startsWith('audio/')) return mediaResult('audio', mimeType, bytes)
  if (isTextual(mimeType))
    return { content: [{ type: 'text', text: new TextDecoder().decode(bytes) }] }
  throw new TypeError(
    `a tool cannot return a body of type ${mimeType}: return embed(uri, bytes) instead`,
  )
}

function mediaResult(type: 'image' | 'audio', mimeType: string, bytes: Uint8Array): CallToolResult {
  return { content: [{ type, mimeType, data: encodeBase64(bytes) }] }
}

// Returned values that are neither plain nor made by our own functions.

/** Checks a result written by hand, so that its author gets the error and not the client. Other objects become JSON. */
function handwrittenResult(returned: unknown, tool: ToolEntry, call: Call): CallToolResult {
  const { name } = tool
  if (!isObject(returned)) throw new TypeError(`tool ${name} cannot return a ${typeof returned}`)
  if (isFullResult(returned)) {
    const { content } = returned
    reject(tool, callToolResult({ ...returned, content: content.map(textToBlock) }))
    return { ...returned, content: content.map(toBlock) }
  }
  if (isContentBlock(returned)) reject(tool, contentBlock(returned))
  if (Array.isArray(returned) && returned.every(isMeantAsPart)) {
    reject(tool, array(contentBlock)(returned.map(textToBlock)))
  }
  if (ArrayBuffer.isView(returned) || returned instanceof ArrayBuffer) {
    throw new TypeError(
      `tool ${name} cannot return bytes: return image(), audio() or embed() of them`,
    )
  }
  const json = JSON.stringify(returned)
  const content = [textBlock(json)]
  if (json.startsWith('{') && !(Symbol.iterator in returned)) {
    return { content, structuredContent: returned }
  }
  const fix = 'return an object, give it an outputSchema, or return json(value)'
  warnOnce(tool, call, `tool ${name} returned a list, or what JSON makes no object of: ${fix}`)
  return { content }
}

/** A value that the `outputSchema` refuses, or that looks like a full result, which other SDKs return as it is. */
function doubtfulResult(
  parts: ToolResultFields,
  checked: StandardResult<unknown> | undefined,
  tool: ToolEntry,
  call: Call,
): CallToolResult {
  const fix = isMistakenResult(parts.structuredContent, tool)
    ? 'return toolResult({ … }) for a full result'
    : undefined
  if (checked?.issues) {
    const why = describeIssues(checked.issues)
    throw new McpError(
      'invalid_output',
      `tool ${tool.name} returned a value that its outputSchema refuses: ${why}${fix ? `; ${fix}` : ''}`,
      { details: { result: fromParts(parts), issues: checked.issues } },
    )
  }
  if (fix) {
    warnOnce(tool, call, `tool ${tool.name} returned content beside its structured value: ${fix}`)
  }
  return fromParts({ ...parts, structuredContent: checked?.value })
}

function isMistakenResult(value: unknown, { output }: ToolEntry): boolean {
  if (!isObject(value) || !isFullResult(value)) return false
  const properties = output?.json['properties']
  if (isObject(properties) && 'content' in properties) return false
  return 'structuredContent' in value || 'isError' in value
}

/** Throws for content that no client can read, with the name of the tool. */
function reject({ name }: ToolEntry, problem: Problem | undefined): void {
  if (problem === undefined) return
  throw new TypeError(`tool ${name} returned an invalid result: ${describeProblem(problem)}`)
}

function isMeantAsPart(part: unknown): boolean {
  return typeof part === 'string' || (isObject(part) && isContentBlock(part))
}

function textToBlock(part: unknown): unknown {
  return typeof part === 'string' ? textBlock(part) : part
}

function warnOnce(tool: ToolEntry, { caller }: Call, why: string): void {
  if (warned.has(tool)) return
  warned.add(tool)
  caller.onError(new TypeError(why), { severity: 'warning', operation: 'tools/call' })
}
const warned = new WeakSet<ToolEntry>()

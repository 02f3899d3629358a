import { ToolError } from '../../rpc/errors/tool-error.ts'
import { isPromise, type MaybePromise } from '../../rpc/promise.ts'
import { encodeBase64 } from '../../schema/json/base64.ts'
import { isJson } from '../../schema/make-content.ts'
import type { StandardResult } from '../../schema/standard-schema.ts'
import type { CallToolResult } from '../../schema/tools.ts'
import type { Call } from '../calls/call.ts'
import { isBinary, isTextual, readBinary, type Binary } from '../resources/binary.ts'
import { doubtfulResult, handwrittenResult } from './handwritten-result.ts'
import {
  fromParts,
  isFullResult,
  isObject,
  isPart,
  isToolResult,
  textBlock,
  toBlock,
  type ToolResultParts,
} from './tool-result.ts'
import type { ToolEntry } from './tools.ts'

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
    if (isToolResult(returned)) return resultOf(returned['~result'] as ToolResultParts, tool, call) // what toolResult() was given
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
  const parts: ToolResultParts =
    isObject(returned) && isToolResult(returned)
      ? (returned['~result'] as ToolResultParts) // what toolResult() was given
      : { structuredContent: returned }
  if (parts.isError) return resultOf(parts, tool, call)
  const checked = tool.output?.validate(parts.structuredContent)
  return isPromise(checked) ? checked.then(settle) : settle(checked)

  function settle(settled: StandardResult<unknown> | undefined): CallToolResult {
    if (settled?.issues || (isObject(returned) && isFullResult(returned))) {
      return doubtfulResult(parts, settled, tool, call)
    }
    return resultOf({ ...parts, structuredContent: settled?.value }, tool, call)
  }
}

/** Checks content that was written by hand. */
function resultOf(parts: ToolResultParts, tool: ToolEntry, call: Call): CallToolResult {
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

import { McpError } from '../../rpc/errors/mcp-error.ts'
import { array, describeProblem, type Problem } from '../../schema/check.ts'
import { contentBlock } from '../../schema/content.ts'
import { isContentBlock } from '../../schema/make-content.ts'
import type { StandardResult } from '../../schema/standard-schema.ts'
import { callToolResult, type CallToolResult } from '../../schema/tools.ts'
import type { Call } from '../calls/call.ts'
import { describeIssues } from '../user-schema.ts'
import {
  fromParts,
  isFullResult,
  isObject,
  textBlock,
  toBlock,
  type ToolResultParts,
} from './tool-result.ts'
import type { ToolEntry } from './tools.ts'

// Returned values that are neither plain nor made by our own functions.

/** Checks a result written by hand, so that its author gets the error and not the client. Other objects become JSON. */
export function handwrittenResult(returned: unknown, tool: ToolEntry, call: Call): CallToolResult {
  const { name } = tool
  if (!isObject(returned)) throw new TypeError(`tool ${name} cannot return a ${typeof returned}`)
  if (isFullResult(returned)) {
    const { content } = returned
    refuse(tool, callToolResult({ ...returned, content: content.map(textToBlock) }))
    return { ...returned, content: content.map(toBlock) }
  }
  if (isContentBlock(returned)) refuse(tool, contentBlock(returned))
  if (Array.isArray(returned) && returned.every(isMeantAsPart)) {
    refuse(tool, array(contentBlock)(returned.map(textToBlock)))
  }
  if (ArrayBuffer.isView(returned) || returned instanceof ArrayBuffer) {
    throw new TypeError(
      `tool ${name} cannot return bytes: return image(), audio() or embed() of them`,
    )
  }
  const cure = 'give it an outputSchema, or return json(value)'
  warnOnce(tool, call, `tool ${name} returned a plain object: ${cure}`)
  return { content: [textBlock(JSON.stringify(returned))] }
}

/** A value that the `outputSchema` refuses, or that looks like a full result, which other SDKs return as it is. */
export function doubtfulResult(
  parts: ToolResultParts,
  checked: StandardResult<unknown> | undefined,
  tool: ToolEntry,
  call: Call,
): CallToolResult {
  const cure = isMistakenResult(parts.structuredContent, tool)
    ? 'return toolResult({ … }) for a full result'
    : undefined
  if (checked?.issues) {
    const why = describeIssues(checked.issues)
    throw new McpError(
      'invalid_output',
      `tool ${tool.name} returned a value that its outputSchema refuses: ${why}${cure ? `; ${cure}` : ''}`,
      { details: { result: fromParts(parts), issues: checked.issues } },
    )
  }
  if (cure) {
    warnOnce(tool, call, `tool ${tool.name} returned content beside its structured value: ${cure}`)
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
function refuse({ name }: ToolEntry, problem: Problem | undefined): void {
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

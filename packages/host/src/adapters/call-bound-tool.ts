/**
 * A call of a tool that was handed to a provider's package: who decides, and the result as the model reads it. The call
 * itself is `makeCall`, as for turns and apps. `bound-tools.ts` makes the tools; `consent-batch.ts` gathers the questions of
 * one answer; the shapes of each provider are in the files named after it.
 *
 * Guarantees: each definition of the tool has a decision of its own; rejects only if the signal is aborted.
 */

import type { CallToolResult, ContentBlock, JsonObject, Tool } from '@parley/mcp'
import { isToolFor } from '@parley/mcp/apps'
import type { Client } from '@parley/mcp/client'

import type { CallSlots } from '../calls/call-slots.ts'
import { makeCall, type CallTarget } from '../calls/make-call.ts'
import type { Decide } from '../consent/consent-batch.ts'
import type { ProposedCall } from '../consent/consent.ts'
import { createStoredResults } from '../context/kept-results.ts'
import { showResult } from '../context/result-content.ts'
import type { CallRate, ResolvedLimits } from '../turn/limits.ts'
import type { AdapterOptions, AdapterServer } from './adapter-options.ts'
import type { BoundRequest, ServerIdentity, ToolOutcome } from './bound-tools.ts'

export interface WantedCall {
  readonly name: string
  readonly server: AdapterServer
  readonly identity: ServerIdentity
  readonly tool: Tool
  readonly args: JsonObject
  readonly request: BoundRequest
}

/** The context that all tools of one `bindTools` share. */
export interface SharedContext {
  readonly options: AdapterOptions
  readonly limits: ResolvedLimits
  readonly rate: CallRate
  readonly slots: CallSlots
  readonly decide: Decide
  /** Labels of what the conversation has read so far. */
  readonly flow: { untrusted: boolean; private: boolean }
}

/** A server that changes a tool more often than this while a call of it is decided is not called. */
const maxDecisions = 3

/**
 * Decides about a call and makes it. The tool is looked up again right before the call: a program may hold its tools for
 * days, and a definition that changed since needs a decision of its own.
 */
export async function callBoundTool(
  wanted: WantedCall,
  parts: SharedContext,
): Promise<ToolOutcome> {
  const { name, server, identity, args, request } = wanted
  const { signal = new AbortController().signal } = request
  const { consent, onProgress } = parts.options
  const target: CallTarget = {
    use: async () => server.client,
    serverHash: () => identity.serverHash,
    currentTool: (client, current) => findTool(client, wanted.tool.name, current),
  }
  let { tool } = wanted
  for (let decisions = 1; ; decisions += 1) {
    const proposed: ProposedCall = {
      id: request.callId,
      server: name,
      ...identity,
      tool,
      arguments: args,
      flow: { ...parts.flow },
      by: 'model',
    }
    const decision = await parts.decide(proposed, signal)
    if (decision.decision === 'deny') return rejection(decision.message)
    const end = await makeCall(proposed, decision, target, {
      ...parts,
      consent: consent === 'allow' ? undefined : consent,
      signal,
      ...(onProgress && {
        onProgress: (progress) =>
          onProgress({ ...progress, callId: request.callId, server: name, tool: tool.name }),
      }),
      onProblem: (message) => process.emitWarning(message),
    })
    switch (end.kind) {
      case 'result':
        if (server.trusted !== true) parts.flow.untrusted = true
        if (server.private === true) parts.flow.private = true
        return answerOf(end.result, name, tool, parts)
      case 'failed':
        return rejection(end.message)
      case 'cancelled':
        throw signal.reason
      case 'not-called':
        if (end.tool === undefined) return rejection(end.message)
        if (decisions === maxDecisions) {
          return rejection(`${end.message}, and changed again with every decision about it`)
        }
        tool = end.tool
    }
  }
}

async function findTool(
  client: Client,
  name: string,
  signal: AbortSignal,
): Promise<Tool | undefined> {
  for await (const tool of client.listTools({ fresh: true, signal })) {
    if (tool.name === name) return isToolFor('model', tool) ? tool : undefined
  }
  return undefined
}

function answerOf(
  result: CallToolResult,
  server: string,
  tool: Tool,
  { options, limits }: SharedContext,
): ToolOutcome {
  const isError = result.isError === true
  const { content } = showResult(cutResult(result, limits.resultCharacters), {
    label: `${isError ? 'error' : 'result'} of ${tool.name} of the server ${server}`,
    accepts: options.accepts ?? { images: true },
    stored: createStoredResults(0), // nothing is kept: it has been cut
    maxCharacters: Number.POSITIVE_INFINITY,
  })
  const { structuredContent } = result
  return { content, isError, ...(structuredContent !== undefined && { structuredContent }) }
}

/** Returns the answer to the model about a call that was not made. */
export function rejection(text: string): ToolOutcome {
  return { content: [{ type: 'text', text }], isError: true }
}

/** The same result with at most so many characters of text. What is left out is said. */
function cutResult(result: CallToolResult, maxCharacters: number): CallToolResult {
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

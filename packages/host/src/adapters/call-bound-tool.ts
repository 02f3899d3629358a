import {
  isMcpError,
  isRpcError,
  type CallToolResult,
  type JsonObject,
  type Tool,
} from '@parley/mcp'

import { failureReason } from '../connections/failure-reason.ts'
import type { ProposedCall } from '../consent/consent.ts'
import { createKeptResults } from '../context/kept-results.ts'
import { showResult } from '../context/result-content.ts'
import type { CallSlots } from '../turn/call-slots.ts'
import type { CallRate, ResolvedLimits } from '../turn/limits.ts'
import type { AdapterOptions, AdapterServer } from './adapter-options.ts'
import type { BoundRequest, ServerIdentity, ToolAnswer } from './bound-tools.ts'
import type { Decide } from './consent-batch.ts'
import { cutResult } from './cut-result.ts'

export interface WantedCall {
  readonly name: string
  readonly server: AdapterServer
  readonly identity: ServerIdentity
  readonly tool: Tool
  readonly args: JsonObject
  readonly request: BoundRequest
}

/** What the tools of one hand-over have in common. */
export interface SharedParts {
  readonly options: AdapterOptions
  readonly limits: ResolvedLimits
  readonly rate: CallRate
  readonly slots: CallSlots
  readonly decide: Decide
  /** What the conversation has read so far. */
  readonly flow: { untrusted: boolean; private: boolean }
}

/** The one place where adapters call servers, and only with a decision that allows. */
export async function callBoundTool(wanted: WantedCall, parts: SharedParts): Promise<ToolAnswer> {
  const { name, identity, tool, args, request } = wanted
  const { signal = new AbortController().signal } = request
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
  if (decision.decision === 'deny') return refusal(decision.message)
  const made = { ...proposed, arguments: decision.arguments ?? args }
  return parts.slots.run(async () => {
    const waitMs = parts.rate.take()
    if (waitMs > 0) {
      const { callsPerMinute } = parts.limits
      return refusal(
        `not called: the limit is ${callsPerMinute} calls a minute; wait ${Math.ceil(waitMs / 1000)} s`,
      )
    }
    return callServer(wanted, made, signal, parts)
  }, signal)
}

async function callServer(
  { name, server, tool }: WantedCall,
  made: ProposedCall,
  signal: AbortSignal,
  parts: SharedParts,
): Promise<ToolAnswer> {
  const { options, limits } = parts
  const startedAt = performance.now()
  let result: CallToolResult
  let failure: string | undefined
  try {
    result = await server.client.callTool(tool.name, made.arguments, {
      signal,
      idempotent: false, // nothing is sent twice that was asked for once
      timeouts: { idleMs: limits.callIdleMs, totalMs: limits.callTotalMs },
      ...(options.onProgress !== undefined && {
        onProgress: (progress) =>
          options.onProgress?.({ ...progress, callId: made.id, server: name, tool: tool.name }),
      }),
    })
  } catch (error) {
    failure = describe(error, name)
    result = { content: [{ type: 'text', text: failure }], isError: true }
  }
  const durationMs = Math.round(performance.now() - startedAt)
  await record(made, signal.aborted, failure, result, durationMs, options)
  if (failure !== undefined) signal.throwIfAborted()
  if (server.isTrusted !== true) parts.flow.untrusted = true
  if (server.isPrivate === true) parts.flow.private = true
  return answerOf(result, name, tool, parts)
}

function answerOf(
  result: CallToolResult,
  server: string,
  tool: Tool,
  { options, limits }: SharedParts,
): ToolAnswer {
  const isError = result.isError === true
  const { content } = showResult(cutResult(result, limits.resultCharacters), {
    label: `${isError ? 'error' : 'result'} of ${tool.name} of the server ${server}`,
    takes: options.takes ?? { images: true },
    kept: createKeptResults(0), // nothing is kept: it has been cut
    mostCharacters: Number.POSITIVE_INFINITY,
  })
  const { structuredContent } = result
  return { content, isError, ...(structuredContent !== undefined && { structuredContent }) }
}

/** A call that was made cannot be unmade because the audit fails. */
async function record(
  made: ProposedCall,
  isAborted: boolean,
  failure: string | undefined,
  result: CallToolResult,
  durationMs: number,
  { consent }: AdapterOptions,
): Promise<void> {
  if (consent === 'allow') return
  const bytes = Buffer.byteLength(JSON.stringify(result))
  const outcome = result.isError === true ? 'error' : 'result'
  const what = failure === undefined ? outcome : isAborted ? 'cancelled' : 'failed'
  const message = failure === undefined ? {} : { message: failure.slice(0, 1_000) }
  try {
    await consent.recordOutcome?.(made, { outcome: what, ...message, durationMs, bytes })
  } catch (error) {
    process.emitWarning(
      `the outcome of ${made.tool.name} was not written to the audit: ${failureReason(error)}`,
    )
  }
}

function describe(error: unknown, server: string): string {
  if (isMcpError(error, 'timeout')) {
    return `${server} did not answer in time (${error.details.limit} limit); the call was cancelled. It may have had effects.`
  }
  if (isRpcError(error)) return `${server} refused the call: ${error.message}`
  return `${server}: ${failureReason(error)}`
}

/** What the model is told of a call that was not made. */
export function refusal(text: string): ToolAnswer {
  return { content: [{ type: 'text', text }], isError: true }
}

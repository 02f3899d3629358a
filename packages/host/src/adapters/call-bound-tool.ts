/**
 * One call of a tool that was handed to a provider's package: consent, the limits, the call, and the result as the model
 * reads it. `bound-tools.ts` makes the tools; `consent-batch.ts` gathers the questions of one answer; the shapes of each
 * provider are in the files named after it.
 *
 * Guarantees: nothing is sent to a server without a decision about exactly that definition of the tool; a call is sent once;
 * it rejects only if its signal is aborted.
 */

import { isDeepStrictEqual } from 'node:util'

import {
  isMcpError,
  isRpcError,
  type CallToolResult,
  type JsonObject,
  type Tool,
} from '@parley/mcp'
import { isToolFor } from '@parley/mcp/apps'

import { failureReason } from '../connections/failure-reason.ts'
import type { CallOutcome, ProposedCall } from '../consent/consent.ts'
import { definitionOf } from '../consent/memory/definition.ts'
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

/** A server that changes a tool more often than this while a call of it is decided is not called. */
const mostDecisions = 3

/**
 * The one place where adapters call servers, and only with a decision that allows. The tool is looked up again right
 * before the call: a program may hold its tools for days, and a definition that changed since needs a decision of its own.
 */
export async function callBoundTool(wanted: WantedCall, parts: SharedParts): Promise<ToolAnswer> {
  const { name, identity, args, request } = wanted
  const { signal = new AbortController().signal } = request
  let { tool } = wanted
  for (let decisions = 0; decisions < mostDecisions; decisions += 1) {
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
    const outcome = await parts.slots.run(() => callUnchanged(wanted, made, signal, parts), signal)
    if (!('changed' in outcome)) return outcome
    tool = outcome.changed
  }
  return refusal(`${changedText(wanted)}, and changed again with every decision about it`)
}

/** The answer of the server, or the tool as it is now if it is not the one that was decided about. */
async function callUnchanged(
  wanted: WantedCall,
  made: ProposedCall,
  signal: AbortSignal,
  parts: SharedParts,
): Promise<ToolAnswer | { readonly changed: Tool }> {
  if (parts.options.consent !== 'allow') {
    let now: Tool | undefined
    try {
      now = await currentTool(wanted, signal)
    } catch (error) {
      signal.throwIfAborted()
      return refusal(`not called: ${describe(error, wanted.name)}`)
    }
    if (now === undefined) {
      return refusal(`not called: ${wanted.name} no longer offers ${made.tool.name}`)
    }
    if (!isDeepStrictEqual(definitionOf(now), definitionOf(made.tool))) {
      const notMade = { outcome: 'cancelled', message: changedText(wanted) } as const
      await record(made, notMade, parts.options)
      return { changed: now }
    }
  }
  const waitMs = parts.rate.take()
  if (waitMs > 0) {
    const { callsPerMinute } = parts.limits
    return refusal(
      `not called: the limit is ${callsPerMinute} calls a minute; wait ${Math.ceil(waitMs / 1000)} s`,
    )
  }
  return callServer(wanted, made, signal, parts)
}

async function currentTool(
  { server, tool: { name } }: WantedCall,
  signal: AbortSignal,
): Promise<Tool | undefined> {
  for await (const tool of server.client.listTools({ fresh: true, signal })) {
    if (tool.name === name) return isToolFor('model', tool) ? tool : undefined
  }
  return undefined
}

function changedText({ name, tool }: WantedCall): string {
  return `${tool.name} of ${name} was not called: its definition changed after the call was allowed`
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
  const outcome = failure === undefined ? (result.isError === true ? 'error' : 'result') : 'failed'
  await record(
    made,
    {
      outcome: failure !== undefined && signal.aborted ? 'cancelled' : outcome,
      ...(failure !== undefined && { message: failure.slice(0, 1_000) }),
      durationMs: Math.round(performance.now() - startedAt),
      bytes: Buffer.byteLength(JSON.stringify(result)),
    },
    options,
  )
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
  outcome: CallOutcome,
  { consent }: AdapterOptions,
): Promise<void> {
  if (consent === 'allow') return
  try {
    await consent.recordOutcome?.(made, outcome)
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

/**
 * The one place where the host sends a call to a server: for a turn, for an app in a frame, and for tools that were handed to
 * a provider's package. Those three differ in who is asked, how the tool is found and how the end is told; they bring that as
 * a `CallTarget` and read a `CallEnd`.
 *
 * Guarantees: a call needs a decision that allows it, and goes out only if server and tool are still those that were decided
 * about; it is sent at most once; the limits on calls a minute and at the same time hold; how it ended is written to the audit
 * with arguments as they were sent. Never rejects: also a call that was cancelled has an end.
 */

import { isDeepStrictEqual } from 'node:util'

import { plainName } from '@parley/foundation/text-safety'
import { isMcpError, isRpcError, type CallToolResult, type Progress, type Tool } from '@parley/mcp'
import type { Client, ToolCallOptions } from '@parley/mcp/client'

import { failureReason } from '../connections/failure-reason.ts'
import type { CallOutcome, Consent, ConsentDecision, ProposedCall } from '../consent/consent.ts'
import { definitionOf } from '../consent/memory/definition.ts'
import type { CallRate, ResolvedLimits } from '../turn/limits.ts'
import type { CallSlots } from './call-slots.ts'

/** The permission to make one call. */
export type Allowed = Extract<ConsentDecision, { decision: 'allow' }>

/** Where a call goes. */
export interface CallTarget {
  /** A connection that can be used. Rejects with the reason. */
  use(signal: AbortSignal): Promise<Client>
  /** The identity of the server as it is now. */
  serverHash(): string
  /** The tool as its server describes it now; undefined if it may not be called any longer. */
  currentTool(client: Client, signal: AbortSignal): Promise<Tool | undefined> | Tool | undefined
  /** Sends the call. @defaultValue `tools/call` */
  send?(client: Client, options: ToolCallOptions): Promise<CallToolResult>
  /** The silence of this server that ends a call. @defaultValue the limit of the host */
  readonly idleMs?: number | undefined
}

/** The limits that a call is under, and where its end is written. */
export interface CallContext {
  /** Missing if all calls are allowed: then neither changes nor outcomes matter. */
  readonly consent: Consent | undefined
  readonly limits: ResolvedLimits
  readonly rate: CallRate
  readonly slots: CallSlots
  readonly signal: AbortSignal
  onProgress?(progress: Progress): void
  /** Called right before the call goes out. */
  onSend?(): void
  /** The outcome could not be written. A call that was made cannot be unmade because of that. */
  onProblem(message: string): void
}

/** How a call ended. */
export type CallEnd =
  /** The server's own result, which may be an error. */
  | { readonly kind: 'result'; readonly result: CallToolResult; readonly made: ProposedCall }
  /** It was sent and there is no result, for this reason. It may have had effects. */
  | { readonly kind: 'failed'; readonly message: string; readonly error: unknown }
  /** Nothing was sent. With `changed`, `tool` is the definition that needs a decision of its own. */
  | {
      readonly kind: 'not-called'
      readonly why: 'limit' | 'unreachable' | 'changed'
      readonly message: string
      readonly tool?: Tool | undefined
    }
  /** Its signal was aborted. */
  | { readonly kind: 'cancelled'; readonly wasSent: boolean }

/** Makes a call that was allowed, unless what it was allowed for has changed. */
export async function makeCall(
  proposed: ProposedCall,
  { arguments: args = proposed.arguments }: Allowed,
  target: CallTarget,
  context: CallContext,
): Promise<CallEnd> {
  const made = { ...proposed, arguments: args }
  const startedAt = performance.now()
  let end: CallEnd
  try {
    end = await context.slots.run(() => sendOnce(made, target, context), context.signal)
  } catch (error) {
    if (!context.signal.aborted) throw error
    end = { kind: 'cancelled', wasSent: false }
  }
  await record(made, outcomeOf(end, performance.now() - startedAt), context)
  return end
}

async function sendOnce(
  made: ProposedCall,
  target: CallTarget,
  context: CallContext,
): Promise<CallEnd> {
  const { signal, limits } = context
  const server = plainName(made.server)
  const waitMs = context.rate.take()
  if (waitMs > 0) {
    const message = `not called: the limit is ${limits.callsPerMinute} calls a minute; wait ${Math.ceil(waitMs / 1000)} s`
    return { kind: 'not-called', why: 'limit', message }
  }

  let client: Client
  try {
    client = await target.use(signal)
    const now = context.consent === undefined ? made.tool : await target.currentTool(client, signal)
    signal.throwIfAborted()
    const changed = changeSince(made, now, target)
    if (changed !== undefined) return { kind: 'not-called', why: 'changed', ...changed }
  } catch (error) {
    if (signal.aborted) return { kind: 'cancelled', wasSent: false }
    const message = `not called: ${server} cannot be reached: ${failureReason(error)}`
    return { kind: 'not-called', why: 'unreachable', message }
  }

  context.onSend?.()
  const options: ToolCallOptions = {
    signal,
    idempotent: false, // a call that was allowed once is sent once
    timeouts: { idleMs: target.idleMs ?? limits.callIdleMs, totalMs: limits.callTotalMs },
    ...(context.onProgress && { onProgress: context.onProgress }),
  }
  try {
    const sent = target.send?.(client, options)
    const result = await (sent ?? client.callTool(made.tool.name, made.arguments, options))
    return { kind: 'result', result, made }
  } catch (error) {
    if (signal.aborted) return { kind: 'cancelled', wasSent: true }
    return { kind: 'failed', message: describe(error, server), error }
  }
}

/** How the tool, or the server behind the name, differs from what was decided about. */
function changeSince(
  { server, serverHash, tool }: ProposedCall,
  now: Tool | undefined,
  target: CallTarget,
): { readonly message: string; readonly tool?: Tool } | undefined {
  const what = `${plainName(tool.name)} of ${plainName(server)}`
  if (now === undefined) {
    return { message: `not called: ${plainName(server)} no longer offers ${plainName(tool.name)}` }
  }
  if (target.serverHash() !== serverHash) {
    return { message: `${what} was not called: its server changed after the call was allowed` }
  }
  if (now === tool || isDeepStrictEqual(definitionOf(now), definitionOf(tool))) return undefined
  const message = `${what} was not called: its definition changed after the call was allowed`
  return { message, tool: now }
}

function describe(error: unknown, server: string): string {
  if (isMcpError(error, 'timeout')) {
    const { limit, ms } = error.details
    const seen = limit === 'idle' ? 'sent nothing' : 'did not finish'
    return `${server} did not answer in time: it ${seen} within ${ms / 1000} s, and the call was cancelled. It may have had effects.`
  }
  if (isRpcError(error)) return `${server} refused the call: ${error.message}`
  const isClosed = (['connection_lost', 'session_lost', 'closed'] as const).some((code) =>
    isMcpError(error, code),
  )
  if (!isClosed) return `${server}: ${failureReason(error)}`
  return `${server} ended during the call: ${failureReason(error)}. It may have had effects; it was not repeated.`
}

function outcomeOf(end: CallEnd, ms: number): CallOutcome {
  const durationMs = Math.round(ms)
  switch (end.kind) {
    case 'result': {
      const bytes = Buffer.byteLength(JSON.stringify(end.result))
      if (end.result.isError !== true) return { outcome: 'result', durationMs, bytes }
      const texts = end.result.content.map((block) => (block.type === 'text' ? block.text : ''))
      return { outcome: 'error', message: texts.join('').slice(0, 1_000), durationMs, bytes }
    }
    case 'failed':
      return { outcome: 'failed', message: end.message.slice(0, 1_000), durationMs }
    case 'not-called': {
      const outcome = end.why === 'unreachable' ? 'failed' : 'cancelled'
      return { outcome, message: end.message.slice(0, 1_000), durationMs }
    }
    case 'cancelled': {
      const message = end.wasSent ? 'cancelled while it ran' : 'cancelled before it was sent'
      return { outcome: 'cancelled', message, durationMs }
    }
  }
}

async function record(
  made: ProposedCall,
  outcome: CallOutcome,
  { consent, onProblem }: CallContext,
): Promise<void> {
  try {
    await consent?.recordOutcome?.(made, outcome)
  } catch (error) {
    const tool = plainName(made.tool.name)
    onProblem(`the outcome of ${tool} was not written to the audit: ${failureReason(error)}`)
  }
}

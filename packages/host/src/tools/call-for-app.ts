import { isDeepStrictEqual } from 'node:util'

import type { CallToolResult, JsonObject, Tool } from '@parley/mcp'
import { isToolFor } from '@parley/mcp/apps'
import { anySignal } from '@parley/mcp/signals'

import type { Connection } from '../connections/connection.ts'
import type { CallOutcome, Consent, ProposedCall } from '../consent/consent.ts'
import type { CallSlots } from '../turn/call-slots.ts'
import type { CallRate, ResolvedLimits } from '../turn/limits.ts'
import type { ToolRegistry } from './tool-registry.ts'

/** A call that an app in a frame asks for. */
export interface AppCall {
  /** The server that the app is of; it reaches no other. */
  readonly server: string
  /** The tool, by its own name. */
  readonly tool: string
  /** Its arguments. */
  readonly arguments: JsonObject
  /** @defaultValue one that is made up */
  readonly id?: string | undefined
  /** Cancels the call. */
  readonly signal?: AbortSignal | undefined
}

export interface AppCallParts {
  readonly connection: Connection
  readonly registry: ToolRegistry
  readonly consent: Consent
  readonly limits: ResolvedLimits
  readonly rate: CallRate
  readonly slots: CallSlots
  /** One place for each server: its apps ask one question after the other. */
  readonly questions: CallSlots
  readonly closed: AbortSignal
  readonly onProblem: (message: string) => void
}

/** Calls a tool for an app, once consent allows it. Rejects with the reason if it was not called. */
export async function callForApp(wanted: AppCall, parts: AppCallParts): Promise<CallToolResult> {
  const { connection, consent, slots, questions, closed } = parts
  const signal = anySignal(closed, wanted.signal)
  await connection.use(signal)
  const proposed: ProposedCall = {
    id: wanted.id ?? crypto.randomUUID(),
    server: connection.server.name,
    serverHash: connection.hash,
    serverDefinition: connection.definition,
    tool: findTool(wanted, parts),
    arguments: wanted.arguments,
    // A page is what its server wrote: it may say anything.
    flow: { untrusted: true, private: connection.server.isPrivate === true },
    by: 'app',
  }
  const [decision] = await questions.run(() => consent.decide([proposed], signal), signal)
  if (decision?.decision !== 'allow') {
    throw new Error(decision?.message ?? 'not called: no decision was made')
  }
  const made = { ...proposed, arguments: decision.arguments ?? proposed.arguments }
  return slots.run(() => call(made, parts, signal), signal)
}

function findTool({ server, tool: name }: AppCall, { connection, registry }: AppCallParts): Tool {
  const tool = connection.offers.tools.find((one) => one.name === name)
  if (tool === undefined || !registry.isEnabled(server, name)) {
    throw new Error(`not called: ${server} has no tool ${JSON.stringify(name)}`)
  }
  if (!isToolFor('app', tool)) throw new Error(`not called: ${name} is not for apps`)
  return tool
}

async function call(
  made: ProposedCall,
  parts: AppCallParts,
  signal: AbortSignal,
): Promise<CallToolResult> {
  const { connection, limits, rate } = parts
  const waitMs = rate.take()
  if (waitMs > 0) {
    throw new Error(
      `not called: ${limits.callsPerMinute} calls were made within a minute; wait ${Math.ceil(waitMs / 1000)} s`,
    )
  }
  const client = await connection.use(signal)
  const now = connection.offers.tools.find(({ name }) => name === made.tool.name)
  if (connection.hash !== made.serverHash || !isDeepStrictEqual(now, made.tool)) {
    throw new Error(
      `not called: the definition of ${made.tool.name} changed after the call was allowed`,
    )
  }
  const startedAt = performance.now()
  const end = (outcome: Omit<CallOutcome, 'durationMs'>) =>
    record(made, { ...outcome, durationMs: Math.round(performance.now() - startedAt) }, parts)
  try {
    const result = await client.callTool(made.tool.name, made.arguments, {
      signal,
      idempotent: false, // nothing is sent twice that was asked for once
      timeouts: { idleMs: limits.callIdleMs, totalMs: limits.callTotalMs },
    })
    await end({ outcome: result.isError === true ? 'error' : 'result' })
    return result
  } catch (error) {
    const message = String(error).slice(0, 1_000)
    await end({ outcome: signal.aborted ? 'cancelled' : 'failed', message })
    throw error
  }
}

/** A call that was made cannot be unmade because the audit fails; it is told. */
async function record(
  made: ProposedCall,
  outcome: CallOutcome,
  parts: AppCallParts,
): Promise<void> {
  try {
    await parts.consent.recordOutcome?.(made, outcome)
  } catch (error) {
    parts.onProblem(
      `the outcome of ${made.tool.name} was not written to the audit: ${String(error)}`,
    )
  }
}

import { isDeepStrictEqual } from 'node:util'

import { plainName } from '@parley/foundation/text-safety'
import { isMcpError, isRpcError, type CallToolResult, type JsonObject } from '@parley/mcp'

import { failureReason } from '../connections/failure-reason.ts'
import type { Decision } from '../consent/consent.ts'
import type { RegisteredTool } from '../tools/tool-registry.ts'
import type { PlannedCall } from './plan-calls.ts'
import type { TurnParts } from './turn-parts.ts'

/** What came of a call that was allowed. */
export interface CallOutcome {
  readonly result: CallToolResult
  /** False if nothing was sent to the server. */
  readonly wasCalled: boolean
  /** The result is the server's own, not the host's words about what went wrong. */
  readonly isAnswered: boolean
}

/** The permission to make one call. */
export type Allowed = Extract<Decision, { decision: 'allow' }>

/**
 * Makes a call that was allowed: once, never again by itself. Rejects only if the signal is aborted; anything else that goes
 * wrong is a result that tells the model.
 */
export async function callServer(
  { call, registered, arguments: proposed }: Extract<PlannedCall, { kind: 'server' }>,
  allowed: Allowed,
  hash: string,
  parts: TurnParts,
): Promise<CallOutcome> {
  const { connection, tool } = registered
  const server = plainName(connection.server.name)
  const { signal, limits } = parts
  const args: JsonObject = allowed.arguments ?? proposed
  const idleMs = connection.server.connect?.timeouts?.idleMs ?? limits.callIdleMs

  let client
  try {
    client = await connection.use(signal)
  } catch (error) {
    signal.throwIfAborted()
    return notCalled(`${server} cannot be reached: ${failureReason(error)}`)
  }
  if (isOther(registered, hash, parts)) {
    return notCalled(
      `${plainName(tool.name)} of ${server} was not called: its definition changed after the call was allowed. Look at it again.`,
    )
  }

  try {
    const result = await client.callTool(tool.name, args, {
      signal,
      idempotent: false, // nothing is sent twice that was asked for once
      timeouts: { idleMs, totalMs: limits.callTotalMs },
      onProgress: ({ progress, total, message }) =>
        parts.emit({
          type: 'progress',
          id: call.id,
          server: connection.server.name,
          tool: tool.name,
          progress,
          total,
          message,
        }),
    })
    return { result, wasCalled: true, isAnswered: true }
  } catch (error) {
    signal.throwIfAborted()
    return { result: failed(describe(error, server)), wasCalled: true, isAnswered: false }
  }
}

/** Whether the tool, or the server behind the name, is not what was decided about. */
function isOther(
  { name, tool, connection }: RegisteredTool,
  hash: string,
  { registry }: TurnParts,
): boolean {
  if (connection.hash !== hash) return true
  const now = registry.find(name)?.tool
  return now !== tool && !isDeepStrictEqual(now, tool)
}

function describe(error: unknown, server: string): string {
  if (isMcpError(error, 'timeout')) {
    const { limit, ms } = error.details
    const what = limit === 'idle' ? 'said nothing' : 'did not finish'
    return `${server} did not answer in time: it ${what} within ${ms / 1000} s, and the call was cancelled. It may have had effects.`
  }
  if (isRpcError(error)) return `${server} refused the call: ${error.message}`
  if (
    isMcpError(error, 'connection_lost') ||
    isMcpError(error, 'session_lost') ||
    isMcpError(error, 'closed')
  ) {
    return `${server} ended during the call: ${failureReason(error)}. It may have had effects; it was not repeated.`
  }
  return `${server}: ${failureReason(error)}`
}

/** What the model is told of a call that was not made. */
export function notCalled(text: string): CallOutcome {
  return { result: failed(text), wasCalled: false, isAnswered: false }
}

function failed(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true }
}

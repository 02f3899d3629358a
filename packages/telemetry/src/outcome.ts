import type { ObservedFacts, ObservedOutcome } from '@parley/mcp'

import { maxMessageLength } from './exception.ts'
import { withoutCredentials } from './secrets.ts'

/** How a request ended, as spans and metrics tell it. */
export interface Ending {
  /** `error.type`; undefined if it succeeded. */
  readonly type?: string | undefined
  /** For people; never of a result, which may hold anything. */
  readonly message?: string | undefined
  /** `rpc.response.status_code`. */
  readonly code?: string | undefined
  /** What was thrown, with its cause. */
  readonly error?: Error | undefined
  /** What client and server know an error of the server by. */
  readonly correlationId?: string | undefined
}

/** A tool that failed is an error too, though its result is one. */
export function endingOf(outcome: ObservedOutcome, fault?: ObservedFacts['fault']): Ending {
  if (outcome.kind === 'result') {
    const { isError } = (outcome.result ?? {}) as { readonly isError?: unknown } // read, not trusted
    if (isError !== true) return noFailure
    const { error, correlationId } = fault ?? {}
    return { type: 'tool_error', error: errorOf(error), correlationId }
  }
  if (outcome.kind === 'cancelled') {
    const type = isTimeout(outcome.reason) ? 'timeout' : 'cancelled'
    return { type, message: messageOf(outcome.reason) }
  }
  const { error } = outcome
  const { code, rpcCode } = codesOf(error)
  return {
    type: code,
    message: messageOf(error),
    code: rpcCode,
    error: errorOf(error),
    correlationId: fault?.correlationId ?? toldId(error),
  }
}

const noFailure: Ending = {}

function errorOf(thrown: unknown): Error | undefined {
  return thrown instanceof Error ? thrown : undefined
}

/** Our errors have a word for a code, and a number on the wire; those of the wire only that. */
function codesOf(error: unknown): { readonly code: string; readonly rpcCode?: string } {
  if (typeof error !== 'object' || error === null || !('code' in error)) return { code: '_OTHER' }
  const { code } = error
  if (typeof code === 'number') return { code: numberOf(code), rpcCode: numberOf(code) }
  if (typeof code !== 'string') return { code: '_OTHER' }
  const isOnWire = 'wireCode' in error && typeof error.wireCode === 'number'
  return isOnWire ? { code, rpcCode: numberOf(Number(error.wireCode)) } : { code }
}

/** The other side may make up numbers, and each would be a figure of its own for ever. */
function numberOf(code: number): string {
  const isJsonRpc = code >= -32_768 && code <= -32_000
  const isHttp = code >= 400 && code <= 599
  return Number.isInteger(code) && (isJsonRpc || isHttp) ? String(code) : '_OTHER'
}

/** A server that gives up a call in time does not wait for its client to do so. */
function isTimeout(reason: unknown): boolean {
  const { details, code } = (reason ?? {}) as {
    readonly details?: { readonly by?: unknown }
    readonly code?: unknown
  } // read, not trusted
  return code === 'timeout' || details?.by === 'timeout'
}

/** The server's id of an error of its own, as its client is told it. */
function toldId(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('data' in error)) return undefined
  const { correlationId } = (error.data ?? {}) as { readonly correlationId?: unknown } // the same
  return typeof correlationId === 'string' ? correlationId.slice(0, maxIdLength) : undefined
}

function messageOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('message' in value)) return undefined
  const { message } = value
  return typeof message === 'string' ? withoutCredentials(message, maxMessageLength) : undefined
}

const maxIdLength = 128

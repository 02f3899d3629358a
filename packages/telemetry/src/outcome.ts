import type { RequestMetrics, ObservedOutcome } from '@parley/mcp'

import { withoutCredentials } from './secrets.ts'

/** How a request ended, as spans and metrics tell it. */
export interface Ending {
  /** `error.type`; undefined if it succeeded. */
  readonly type?: string | undefined
  /** For people; never of a result, which may hold anything. */
  readonly message?: string | undefined
  /** `rpc.response.status_code`. */
  readonly code?: string | undefined
  /** The error that was thrown, with its cause. */
  readonly error?: Error | undefined
  /** The id of an error that client and server share. */
  readonly correlationId?: string | undefined
}

/** A tool that failed is an error too, though its result is one. */
export function endingOf(outcome: ObservedOutcome, problem?: RequestMetrics['fault']): Ending {
  if (outcome.kind === 'result') {
    const { isError } = (outcome.result ?? {}) as { readonly isError?: unknown } // read, not trusted
    if (isError !== true) return noFailure
    const { error, correlationId } = problem ?? {}
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
    correlationId: problem?.correlationId ?? toldId(error),
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

/** An error as the SDK takes it. */
export interface RecordedException {
  readonly name: string
  readonly message: string
  readonly stack: string
}

/** An error as it is recorded: its stack goes on with those of its causes, which the SDK would leave out. */
export function exceptionOf(error: Error): RecordedException {
  const stacks: string[] = []
  for (let at: unknown = error; at !== undefined && stacks.length < maxCauses; at = causeOf(at)) {
    stacks.push(describe(at))
  }
  return {
    name: error.name,
    message: withoutCredentials(error.message, maxMessageLength),
    stack: withoutCredentials(stacks.join('\nCaused by: '), maxStackLength),
  }
}

function causeOf(error: unknown): unknown {
  return error instanceof Error ? error.cause : undefined
}

/** Describes a thrown value; if it is not an error, only its type, since it may contain anything. */
function describe(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.stack ?? `${thrown.name}: ${thrown.message}`
  return typeof thrown === 'string' ? thrown : `a thrown ${typeof thrown}`
}

export const maxMessageLength = 1_000
const maxStackLength = 16_384
/** More is a ring. */
const maxCauses = 8

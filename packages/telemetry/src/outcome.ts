import type { ObservedOutcome } from '@parley/mcp'

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
}

/** A tool that failed is an error too, though its result is one. */
export function endingOf(outcome: ObservedOutcome): Ending {
  if (outcome.kind === 'result') {
    const { isError } = (outcome.result ?? {}) as { readonly isError?: unknown } // read, not trusted
    return isError === true ? { type: 'tool_error' } : {}
  }
  if (outcome.kind === 'cancelled') {
    return { type: 'cancelled', message: messageOf(outcome.reason) }
  }
  const { error } = outcome
  const { code, rpcCode } = codesOf(error)
  return {
    type: code,
    message: messageOf(error),
    code: rpcCode,
    error: error instanceof Error ? error : undefined,
  }
}

/** Our errors have a word for a code; those of the wire a number. */
function codesOf(error: unknown): { readonly code: string; readonly rpcCode?: string } {
  if (typeof error !== 'object' || error === null || !('code' in error)) return { code: '_OTHER' }
  const { code } = error
  if (typeof code === 'number') return { code: String(code), rpcCode: String(code) }
  return { code: typeof code === 'string' ? code : '_OTHER' }
}

function messageOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('message' in value)) return undefined
  return typeof value.message === 'string' ? value.message.slice(0, longestMessage) : undefined
}

const longestMessage = 1_000

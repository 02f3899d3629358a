import type { Problem } from '@parley/foundation/channel'
import { isMcpError, isRpcError } from '@parley/mcp'
import { errorMessage } from '@parley/mcp/json'

/** Answers the page with a problem. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError'
  readonly problem: Problem

  constructor(code: string, message: string, hint?: string) {
    super(message)
    this.problem = { code, message, ...(hint !== undefined && { hint }) }
  }
}

/** What the page is told about an error, with what to do where that is known. */
export function toProblem(error: unknown): Problem {
  if (error instanceof ProblemError) return error.problem
  if (isRpcError(error)) return { code: error.code, message: error.message }
  if (isMcpError(error)) {
    const { code, message, hint } = error
    return { code, message, ...(hint !== undefined && { hint }) }
  }
  return { code: 'failed', message: errorMessage(error) }
}

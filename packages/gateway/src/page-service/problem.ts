import type { Problem } from '@parley/foundation/channel'
import { errorMessage } from '@parley/mcp/json'

/** Answers the page with a problem. */
export class PageProblem extends Error {
  override readonly name = 'PageProblem'
  readonly code: string
  readonly hint: string | undefined

  constructor(code: string, message: string, hint?: string) {
    super(message)
    this.code = code
    this.hint = hint
  }
}

/** Converts an error for the page. */
export function toProblem(error: unknown): Problem {
  const message = errorMessage(error)
  if (!(error instanceof PageProblem)) return { code: 'failed', message }
  const { code, hint } = error
  return { code, message, ...(hint !== undefined && { hint }) }
}

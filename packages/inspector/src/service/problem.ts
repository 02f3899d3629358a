import { isAuthError } from '@parley/auth'
import { isMcpError, isRpcError, type McpError } from '@parley/mcp'
import { errorMessage } from '@parley/mcp/json'

import type { Problem, RunError } from '../protocol/index.ts'
import { readScopeChallenge } from './auth/step-up.ts'

/** Answers the page with a problem. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError'
  readonly problem: Problem

  constructor(code: string, message: string, more: Omit<Problem, 'code' | 'message'> = {}) {
    super(message)
    this.problem = { code, message, ...more }
  }
}

/** What the page is told about an error, with what to do where that is known. */
export function toProblem(error: unknown): Problem {
  if (error instanceof ProblemError) return error.problem
  const { code, message, hint, wireCode, data } = toRunError(error)
  const details = {
    ...(wireCode !== undefined && { wireCode }),
    ...(data !== undefined && { data }),
  }
  return {
    code,
    message,
    ...(hint !== undefined && { hint }),
    ...(Object.keys(details).length > 0 && { details }),
  }
}

/** The same for a request that failed, in the words of the protocol. */
export function toRunError(error: unknown): RunError {
  if (isRpcError(error)) {
    const { code, wireCode, message, data } = error
    return { code, wireCode, message, ...(data !== undefined && { data }) }
  }
  if (isMcpError(error)) {
    const { code, message, details } = error
    const hint = code === 'unauthorized' ? signInHint(error) : (error.hint ?? hintFrom(error.cause))
    const why = isAuthError(error.cause) ? `${message}: ${error.cause.message}` : message
    return {
      code,
      message: why,
      ...(details !== undefined && { data: details }),
      ...(hint !== undefined && { hint }),
    }
  }
  if (isAuthError(error)) {
    const { code, message, hint, step } = error
    return { code, message, data: { step }, ...(hint !== undefined && { hint }) }
  }
  if (error instanceof ProblemError) return error.problem
  const message = errorMessage(error)
  return { code: 'failed', message }
}

/** What a person at the page can do; the library's own words are for who writes programs. */
function signInHint({ details, cause }: McpError): string {
  if (isAuthError(cause) && cause.hint !== undefined) return cause.hint
  const challenge = details !== undefined && 'challenge' in details ? details.challenge : undefined
  const { isInsufficientScope, scopes } = readScopeChallenge(challenge)
  if (!isInsufficientScope) return 'Sign in: the Auth tab shows what it asks for.'
  return `It needs ${scopes?.join(' ') ?? 'more scopes'}: the Auth tab asks for them.`
}

function hintFrom(cause: unknown): string | undefined {
  if (isAuthError(cause)) return cause.hint
  const certificateProblem = certificateHint(cause)
  if (certificateProblem === undefined) return undefined
  return `Its certificate cannot be verified (${certificateProblem}). If you trust who signed it, start again with NODE_EXTRA_CA_CERTS=<file>.`
}

/** The word of the platform for what is wrong with a certificate, however deep it stands. */
function certificateHint(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { code } = error as NodeJS.ErrnoException // read, not trusted
  if (typeof code === 'string' && /CERT|SIGNATURE|ISSUER/.test(code)) return code
  return certificateHint(error.cause)
}

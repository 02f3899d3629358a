import { safeJson, safeText } from '@parley/foundation/terminal'
import type { TurnEnd } from '@parley/host'

import { CliError, exitCodes } from '../exit.ts'

/** How a command ends after a turn. */
export interface TurnExit {
  readonly code: number
  readonly reason: string
  /** What is thrown to end with that code. */
  readonly error?: CliError | undefined
}

/**
 * The exit code of a turn, and why. Questions of servers that nobody answered count like those about calls. A turn whose
 * audit is not whole is never a success: `auditProblem` says why it is not.
 */
export function turnExit(
  end: TurnEnd,
  unanswered: number,
  signal: AbortSignal,
  auditProblem?: string,
): TurnExit {
  const { message = end.reason } = end
  if (signal.aborted) {
    const isTerminated = signal.reason instanceof Error && signal.reason.message === 'terminated'
    return failed('interrupted', 'interrupted', 'interrupted', {
      code: isTerminated ? 143 : undefined,
    })
  }
  if (auditProblem !== undefined) {
    const hint =
      'Calls whose decision cannot be written are not made. Name another file with --audit.'
    return failed('error', 'audit', auditProblem, { hint })
  }
  switch (end.reason) {
    case 'answered': {
      if (unanswered === 0) return { code: exitCodes.ok, reason: 'answered' }
      const what = 'a server asked a question, and there is no terminal to answer it'
      return failed('input_required', 'unanswered', what)
    }
    case 'unanswered': {
      return failed('input_required', 'unanswered', message, { hint: howToAllow(end) })
    }
    case 'model-error':
      return failed('unreachable', 'model-error', message)
    case 'tool-error':
      return end.unreachable === undefined
        ? failed('tool_error', end.reason, message)
        : failed('unreachable', 'server-unreachable', message)
    case 'limit':
      return failed('tool_error', end.reason, message)
    case 'cancelled':
      return failed('interrupted', 'interrupted', message)
  }
}

function howToAllow({ rulesThatAllow = [], rulesThatAsk = [] }: TurnEnd): string {
  const rules = safeJson({ rules: rulesThatAllow })
  if (rulesThatAsk.length === 0) return `To allow it, put this into a file for --rules: ${rules}`
  const asking = safeText(rulesThatAsk.join('; '), { multiline: false })
  return `Ask wins over allow. Change what asks about this call (${asking}), and allow it with: ${rules}`
}

function failed(
  kind: ConstructorParameters<typeof CliError>[0],
  reason: string,
  message: string,
  more: { readonly hint?: string | undefined; readonly code?: number | undefined } = {},
): TurnExit {
  const { hint, code = exitCodes[kind] } = more
  return { code, reason, error: new CliError(kind, message, { hint }) }
}

import { errorMessage } from '@parley/mcp/json'
import { unlessAborted } from '@parley/mcp/signals'

import type { Consent, ConsentDecision, ProposedCall } from './consent.ts'

/** One decision for each call, in order. If consent fails, is stopped or leaves one out, that call is denied. Never rejects. */
export async function decideCalls(
  consent: Consent,
  calls: readonly ProposedCall[],
  signal: AbortSignal,
): Promise<readonly ConsentDecision[]> {
  let decisions: readonly (ConsentDecision | undefined)[] = []
  let why = 'no decision was made'
  try {
    if (calls.length > 0) {
      decisions = await unlessAborted(consent.decide(calls, signal), signal)
    }
  } catch (error) {
    const message = errorMessage(error)
    why = signal.aborted ? 'it was stopped' : `deciding failed: ${message}`
  }
  return calls.map(
    (_, at) => decisions[at] ?? { decision: 'deny', rule: why, message: `not called: ${why}` },
  )
}

import { unlessAborted } from '@parley/mcp/signals'

import type { Consent, ConsentDecision, ProposedCall } from './consent.ts'
import { decideCalls } from './decide-calls.ts'

interface Waiting {
  readonly call: ProposedCall
  readonly signal: AbortSignal
  readonly resolve: (decision: ConsentDecision) => void
}

/** Decides about one call. Rejects only if the signal is aborted. */
export type Decide = (call: ProposedCall, signal: AbortSignal) => Promise<ConsentDecision>

/** Calls that come in the same moment, as those of one answer do, are decided together: a person sees all of them. */
export function createConsentBatch(consent: Consent | 'allow'): Decide {
  if (consent === 'allow') return async () => ({ decision: 'allow', rule: 'consent: allow' })
  const decider = consent
  let waiting: Waiting[] = []

  async function decideAll(): Promise<void> {
    const batch = waiting
    waiting = []
    const { signal, dispose } = whenAllAborted(batch.map((item) => item.signal))
    const calls = batch.map(({ call }) => call)
    const decisions = await decideCalls(decider, calls, signal)
    dispose()
    for (const [index, decision] of decisions.entries()) batch[index]?.resolve(decision)
  }

  return async (call, signal) => {
    const decision = new Promise<ConsentDecision>((resolve) =>
      waiting.push({ call, signal, resolve }),
    )
    if (waiting.length === 1) setImmediate(() => void decideAll())
    return unlessAborted(decision, signal)
  }
}

/** One that goes away does not take the question of the others with it. */
function whenAllAborted(signals: readonly AbortSignal[]) {
  const controller = new AbortController()
  const check = () => {
    if (signals.every((signal) => signal.aborted)) controller.abort()
  }
  for (const signal of signals) signal.addEventListener('abort', check, { once: true })
  check()
  return {
    signal: controller.signal,
    dispose() {
      for (const signal of signals) signal.removeEventListener('abort', check)
    },
  }
}

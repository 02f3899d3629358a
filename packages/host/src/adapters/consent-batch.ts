import { unlessAborted } from '../connections/connection.ts'
import type { Consent, Decision, ProposedCall } from '../consent/consent.ts'

interface Waiting {
  readonly call: ProposedCall
  readonly signal: AbortSignal
  readonly settle: (decision: Decision) => void
}

/** Decides about one call. Rejects only if the signal is aborted. */
export type Decide = (call: ProposedCall, signal: AbortSignal) => Promise<Decision>

/** Calls that come in the same moment, as those of one answer do, are decided together: a person sees all of them. */
export function createConsentBatch(consent: Consent | 'allow'): Decide {
  let waiting: Waiting[] = []

  async function decideAll(): Promise<void> {
    const batch = waiting
    waiting = []
    const { signal, dispose } = whenAllAborted(batch.map((one) => one.signal))
    const decisions = await decideSafely(consent, batch, signal)
    dispose()
    for (const [index, { settle }] of batch.entries()) {
      settle(decisions[index] ?? denied('no decision was made'))
    }
  }

  return async (call, signal) => {
    if (consent === 'allow') return { decision: 'allow', rule: 'consent: allow' }
    const decision = new Promise<Decision>((settle) => waiting.push({ call, signal, settle }))
    if (waiting.length === 1) setImmediate(() => void decideAll())
    return unlessAborted(decision, signal)
  }
}

/** Who cannot decide allows nothing. */
async function decideSafely(
  consent: Consent | 'allow',
  batch: readonly Waiting[],
  signal: AbortSignal,
): Promise<readonly Decision[]> {
  if (consent === 'allow') return []
  try {
    const calls = batch.map(({ call }) => call)
    return await consent.decide(calls, signal)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return batch.map(() => denied(`deciding failed: ${why}`))
  }
}

function denied(why: string): Decision {
  return { decision: 'deny', rule: why, message: `not called: ${why}` }
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

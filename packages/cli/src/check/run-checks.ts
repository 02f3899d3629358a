import { broken, type Check, type Finding, type Subject, type Verdict } from './check.ts'
import { enduranceChecks } from './endurance-checks.ts'
import { httpChecks } from './http-checks.ts'
import { openLegacy } from './legacy-peer.ts'
import { lifecycleChecks } from './lifecycle-checks.ts'
import { listChecks } from './list-checks.ts'
import { loggingChecks } from './logging-checks.ts'
import { messageChecks } from './message-checks.ts'
import { modernChecks } from './modern-checks.ts'
import { openModern } from './modern-peer.ts'
import { promptChecks } from './prompt-checks.ts'
import { resourceChecks } from './resource-checks.ts'
import { resultChecks } from './result-checks.ts'
import { checkedRevisions, type SupportedRevisions } from './revisions.ts'
import { sessionChecks } from './session-checks.ts'
import { stdioChecks } from './stdio-checks.ts'
import { toolChecks } from './tool-checks.ts'
import { reached, reasonOf, whySilent } from './why-silent.ts'

const commonChecks = [
  ...lifecycleChecks,
  ...messageChecks,
  ...enduranceChecks,
  ...listChecks,
  ...resourceChecks,
  ...promptChecks,
  ...loggingChecks,
  ...toolChecks,
  ...resultChecks,
]

/** Tries every rule that concerns a server, one after the other. Yields as it goes; throws if nothing can be tried. */
export async function* checkServer(
  subject: Subject,
  { legacy, modern }: SupportedRevisions = checkedRevisions,
): AsyncGenerator<Finding> {
  let hasSent = false
  if (legacy !== undefined) {
    const peer = await reached(openLegacy(subject, legacy))
    if (peer !== undefined) {
      hasSent = true
      await using session = peer
      const own = subject.kind === 'http' ? [...httpChecks, ...sessionChecks] : stdioChecks
      for (const check of [...commonChecks, ...own]) yield await finding(check, session)
    }
  }
  if (modern !== undefined) {
    const peer = await reached(openModern(subject, modern))
    if (peer !== undefined) {
      hasSent = true
      await using requests = peer
      for (const check of modernChecks) yield await finding(check, requests)
    }
  }
  if (!hasSent) throw await whySilent(subject)
}

async function finding<Peer extends { readonly revision: string }>(
  check: Check<Peer>,
  peer: Peer,
): Promise<Finding> {
  const { ids, level, rule } = check
  return { ids, level, rule, revision: peer.revision, verdict: await attempt(check, peer) }
}

async function attempt<Peer>(check: Check<Peer>, peer: Peer): Promise<Verdict> {
  try {
    return await check.run(peer)
  } catch (error) {
    const fix = 'Check whether the server is still running.'
    return broken(`it could not be tried: ${reasonOf(error)}`, fix)
  }
}

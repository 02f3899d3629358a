import { baseChecks } from './base-checks.ts'
import { broken, type Check, type Finding, type Subject, type Verdict } from './check.ts'
import { featureChecks } from './feature-checks.ts'
import { openHandshake } from './handshake-peer.ts'
import { standaloneChecks } from './standalone-checks.ts'
import { openStandalone } from './standalone-peer.ts'
import { toolChecks } from './tool-checks.ts'
import { httpChecks, stdioChecks } from './transport-checks.ts'

/** What the checks speak: the newest revision of each era. */
export const checkedRevisions = { handshake: '2025-11-25', standalone: '2026-07-28' } as const

/** Tries every rule that concerns a server, one after the other. Yields as it goes; throws if nothing can be tried. */
export async function* checkServer(
  subject: Subject,
  { era = 'auto' }: { readonly era?: 'auto' | 'legacy' | 'modern' | undefined } = {},
): AsyncGenerator<Finding> {
  let hasSpoken = false
  if (era !== 'modern') {
    const peer = await openHandshake(subject, checkedRevisions.handshake)
    if (peer !== undefined) {
      hasSpoken = true
      await using session = peer
      const own = session.link.kind === 'http' ? httpChecks : stdioChecks
      for (const check of [...baseChecks, ...featureChecks, ...toolChecks, ...own]) {
        yield await finding(check, session)
      }
    }
  }
  if (era !== 'legacy') {
    const peer = await openStandalone(subject, checkedRevisions.standalone)
    if (peer !== undefined) {
      hasSpoken = true
      await using standalone = peer
      for (const check of standaloneChecks) yield await finding(check, standalone)
    }
  }
  if (!hasSpoken) throw new Error('it answers neither initialize nor server/discover')
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
    const why = error instanceof Error ? error.message : String(error)
    return broken(`it could not be tried: ${why}`, 'See whether the server is still there.')
  }
}

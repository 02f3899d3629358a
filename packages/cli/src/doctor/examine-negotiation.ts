import { revisions } from '@parley/mcp'

import type { Subject } from '../check/check.ts'
import { openStandalone } from '../check/modern-peer.ts'
import { checkedRevisions } from '../check/revisions.ts'
import { excerpt, member } from '../json.ts'
import type { Exchange } from '../probe/exchange.ts'
import type { Examining } from './examining.ts'
import { bad, good, warning, type Step } from './step.ts'

const title = 'negotiation'

/** Which revisions the server speaks, of those that are wanted; the first answer is there already. */
export async function examineNegotiation(
  first: Exchange,
  subject: Subject,
  { spoken = checkedRevisions }: Examining,
): Promise<Step> {
  const agreed = agreedRevision(first)
  const { handshake, standalone } = spoken
  const hasOther = standalone !== undefined && (await speaks(first, subject, standalone, handshake))
  const found = [
    ...(agreed === undefined ? [] : [`${agreed} by handshake`]),
    ...(hasOther ? [`${standalone} without${agreed === undefined ? ' a handshake' : ''}`] : []),
  ].join(', ')
  if (found === '') {
    const refusal = first.answer?.['error'] ?? 'no version'
    return bad(title, excerpt(refusal, 150), cureFor(handshake))
  }
  if (agreed !== undefined && !(revisions as readonly string[]).includes(agreed)) {
    return bad(
      title,
      `it answers with the revision ${excerpt(JSON.stringify(agreed), 60)}, which does not exist`,
      `Answer with the revision that was asked for, or with one of ${revisions.join(', ')} [VER-04].`,
    )
  }
  // A server may offer an older one; who asks for one of the older ones wants that one.
  const isPinned = handshake !== undefined && handshake !== checkedRevisions.handshake
  if (isPinned && agreed !== handshake) {
    return bad(title, `asked for ${handshake}, it answers with ${found}`, cureFor(handshake))
  }
  if (agreed !== undefined && agreed < '2025-03-26' && !isPinned) {
    const cure = 'That revision is old: newer clients lose features. Update the SDK of the server.'
    return warning(title, found, cure)
  }
  return good(title, found)
}

/** What a handshake agreed on. */
export function agreedRevision({ answer }: Exchange): string | undefined {
  const revision = member(answer?.['result'], 'protocolVersion')
  return typeof revision === 'string' ? revision : undefined
}

/** Whether requests may stand for themselves; a second process is started only where the first said no. */
async function speaks(
  first: Exchange,
  subject: Subject,
  standalone: string,
  handshake: string | undefined,
): Promise<boolean> {
  if (handshake === undefined) {
    const versions = member(first.answer?.['result'], 'supportedVersions')
    return Array.isArray(versions) && versions.includes(standalone)
  }
  if (subject.kind === 'stdio' && agreedRevision(first) !== undefined) return false
  await using peer = await openStandalone(subject, standalone)
  return peer !== undefined
}

function cureFor(handshake: string | undefined): string {
  return handshake === undefined
    ? 'Answer server/discover with supportedVersions, or use --era legacy.'
    : 'Answer initialize with a version that you support.'
}

import { revisions } from '@parley/mcp'

import type { Subject } from '../check/check.ts'
import { openModern } from '../check/modern-peer.ts'
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
  { supported = checkedRevisions }: Examining,
): Promise<Step> {
  const agreed = agreedRevision(first)
  const { legacy, modern } = supported
  const hasOther = modern !== undefined && (await speaks(first, subject, modern, legacy))
  const found = [
    ...(agreed === undefined ? [] : [`${agreed} by handshake`]),
    ...(hasOther ? [`${modern} without${agreed === undefined ? ' a handshake' : ''}`] : []),
  ].join(', ')
  if (found === '') {
    const rejection = first.answer?.['error'] ?? 'no version'
    return bad(title, excerpt(rejection, 150), fixFor(legacy))
  }
  if (agreed !== undefined && !(revisions as readonly string[]).includes(agreed)) {
    return bad(
      title,
      `it answers with the revision ${excerpt(JSON.stringify(agreed), 60)}, which does not exist`,
      `Answer with the revision that was asked for, or with one of ${revisions.join(', ')} [VER-04].`,
    )
  }
  // A server may offer an older one; who asks for one of the older ones wants that one.
  const isPinned = legacy !== undefined && legacy !== checkedRevisions.legacy
  if (isPinned && agreed !== legacy) {
    return bad(title, `asked for ${legacy}, it answers with ${found}`, fixFor(legacy))
  }
  if (agreed !== undefined && agreed < '2025-03-26' && !isPinned) {
    const fix = 'That revision is old: newer clients lose features. Update the SDK of the server.'
    return warning(title, found, fix)
  }
  return good(title, found)
}

/** What a handshake agreed on. */
export function agreedRevision({ answer }: Exchange): string | undefined {
  const revision = member(answer?.['result'], 'protocolVersion')
  return typeof revision === 'string' ? revision : undefined
}

/** Whether requests may stand for themselves; of a command, a second process is asked. */
async function speaks(
  first: Exchange,
  subject: Subject,
  modern: string,
  legacy: string | undefined,
): Promise<boolean> {
  if (legacy === undefined) {
    const versions = member(first.answer?.['result'], 'supportedVersions')
    return Array.isArray(versions) && versions.includes(modern)
  }
  await using peer = await openModern(subject, modern)
  return peer !== undefined
}

function fixFor(legacy: string | undefined): string {
  return legacy === undefined
    ? 'Answer server/discover with supportedVersions, or use --era legacy.'
    : 'Answer initialize with a version that you support.'
}

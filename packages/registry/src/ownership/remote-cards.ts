import { readServerCard } from '@parley/auth/network'

import type { ServerDocument } from '../document/server-document.ts'
import type { Outgoing } from '../network/outgoing.ts'

/** What the card at a remote's address said of it. */
export interface RemoteCheck {
  readonly kind: 'server-card'
  readonly url: string
  readonly isVerified: boolean
  /** Why it is not. */
  readonly why?: string
  readonly at: string
}

/** Looks at the remotes of a document, one by one. */
export type CheckRemotes = (document: ServerDocument) => Promise<readonly RemoteCheck[]>

const limits = { maxBytes: 64 * 1024, maxRedirects: 0, timeoutMs: 5_000 } as const

/**
 * Asks each remote for its card. One that names the server and the address shows that whoever serves the address agrees
 * to the entry. It proves nothing about what the server does.
 */
export function createRemoteCheck({
  outgoing,
  now,
}: {
  readonly outgoing: Outgoing
  readonly now: () => number
}): CheckRemotes {
  const fetchCard: typeof fetch = async (input) => {
    const url = input instanceof Request ? input.url : String(input)
    const headers = { accept: 'application/mcp-server-card+json' }
    const answer = await outgoing(url, { ...limits, headers })
    return new Response(answer.text === '' ? null : answer.text, { status: answer.status })
  }

  async function check(url: string, name: string): Promise<RemoteCheck> {
    const at = new Date(now()).toISOString()
    const failed = (why: string) =>
      ({ kind: 'server-card', url, isVerified: false, why, at }) as const
    if (/[{}]/.test(url)) return failed('the URL has variables')
    const found = await readServerCard(url, { fetch: fetchCard })
    if (found.kind === 'absent') return failed(found.why.slice(0, 300))
    if (!found.isOfServer) return failed('the card does not name this address')
    if (found.card.name !== name) return failed(`the card names ${found.card.name}`)
    return { kind: 'server-card', url, isVerified: true, at }
  }

  return async ({ name, remotes = [] }) => {
    const urls = new Set(remotes.flatMap(({ url }) => (url === undefined ? [] : [url])))
    const checks: RemoteCheck[] = []
    for (const url of urls) checks.push(await check(url, name))
    return checks
  }
}

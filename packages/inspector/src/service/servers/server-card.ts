import { createSafeFetch } from '@parley/auth'
import { readServerCard } from '@parley/auth/network'
import type { ServerEntry } from '@parley/mcp/client'

import type { ServerCardView } from '../../protocol/index.ts'

/** The user chose the address, so it may be a private one. No credentials are sent. */
export async function readCard(entry: ServerEntry): Promise<{ readonly card?: ServerCardView }> {
  if (!('url' in entry)) return {}
  const fetch = createSafeFetch({ network: 'any', maxBytes: 64 * 1024, timeoutMs: 5_000 })
  const found = await readServerCard(entry.url, { fetch })
  if (found.kind === 'absent') return {}
  const { url, isOfServer } = found
  const { name, version, description } = found.card
  return { card: { url, name, version, description, isOfServer } }
}

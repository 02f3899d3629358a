import { findChallenge, parseChallenges, type Challenge } from '../../shared/challenge.ts'
import type { AuthHttp } from '../wire.ts'

/** What the server says to a stranger; its challenge may name its metadata and the scopes it wants. */
export async function probe(server: URL, http: AuthHttp): Promise<Challenge | undefined> {
  const response = await http.fetch(server.href, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
    signal: http.signal,
  })
  await response.body?.cancel()
  if (response.status !== 401) return undefined
  const header = response.headers.get('www-authenticate') ?? undefined
  return findChallenge(parseChallenges(header), 'bearer', 'dpop')
}

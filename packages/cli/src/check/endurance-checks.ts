import type { JsonObject } from '../json.ts'
import { broken, kept, skipped, type Check, type LegacyPeer, type Verdict } from './check.ts'
import { describe, openLegacy } from './legacy-peer.ts'

/** What a server has to live through. Each on a connection of its own, since it may be the last thing that happens there. */
export const enduranceChecks: readonly Check[] = [
  {
    ids: ['BASE-21', 'BASE-03'],
    level: 'MUST',
    rule: 'invalid JSON is refused, and the server continues',
    async run(peer) {
      const sent = '{"jsonrpc":"2.0","id":1,'
      const fix = 'Answer -32700, over HTTP with 400, and keep reading.'
      const { found } = peer.link.kind === 'http' ? await peer.probe(sent) : {}
      const status = found?.http?.status ?? 400
      if (status >= 400 && status < 500) return outlives(peer, sent, fix)
      return broken(`HTTP ${status}`, fix, { sent, got: found?.http?.body })
    },
  },
  {
    ids: ['BASE-16'],
    level: 'MUST',
    rule: 'params that are not an object are refused',
    run: (peer) =>
      unserved(
        peer,
        { jsonrpc: '2.0', id: 'list', method: 'tools/list', params: [1] },
        'Answer -32602.',
      ),
  },
  {
    ids: ['BASE-06'],
    level: 'MUST',
    rule: 'a request whose id is null is not served',
    run: (peer) => unserved(peer, { jsonrpc: '2.0', id: null, method: 'ping' }, 'Answer -32600.'),
  },
  {
    ids: ['CANC-12', 'CANC-09'],
    level: 'SHOULD',
    rule: 'cancelling a request that is not running has no effect',
    async run(peer) {
      for (const params of [{ requestId: 'parley-none' }, { requestId: {} }, {}]) {
        const sent = { jsonrpc: '2.0', method: 'notifications/cancelled', params }
        const { found, after, goesOn } = await peer.probe(sent)
        const isCompleted = found.answer !== undefined && (found.http?.status ?? 200) < 400
        if (isCompleted)
          return broken('it was answered', 'Ignore it silently.', { sent, got: found.answer })
        if (!goesOn)
          return broken(`ping after it: ${describe(after)}`, 'Ignore it silently.', { sent })
      }
      return kept
    },
  },
  {
    ids: ['BASE-03'],
    level: 'SHOULD',
    rule: 'a message nested ten thousand levels deep does not stop the server',
    run: (peer) =>
      outlives(
        peer,
        `{"jsonrpc":"2.0","id":"deep","method":"ping","params":{"_meta":{"deep":${'['.repeat(10_000)}${']'.repeat(10_000)}}}}`,
        'Limit the depth of messages, and refuse deeper ones.',
      ),
  },
  {
    ids: ['BASE-03'],
    level: 'SHOULD',
    rule: 'a message of one megabyte is answered or refused, and does not stop the server',
    run: (peer) =>
      outlives(
        peer,
        `{"jsonrpc":"2.0","id":"long","method":"ping","params":{"_meta":{"long":"${'x'.repeat(1024 * 1024)}"}}}`,
        'Limit the size of messages, and refuse larger ones.',
      ),
  },
]

async function unserved(peer: LegacyPeer, sent: JsonObject, fix: string): Promise<Verdict> {
  const { answer } = (await peer.probe(sent)).found
  return 'result' in (answer ?? {}) ? broken('a result', fix, { sent, got: answer }) : kept
}

/** Kept if the next request is answered as ever; over HTTP, what is sent has to be answered too. */
async function outlives(
  { subject, revision }: LegacyPeer,
  sent: string,
  fix: string,
): Promise<Verdict> {
  const peer = await openLegacy(subject, revision)
  if (peer === undefined) return skipped('no second session was started')
  await using own = peer
  const { found, after, goesOn } = await own.probe(sent)
  const about = { sent: sent.slice(0, 100), got: found.messages[0] }
  const { http } = found
  if (http !== undefined && (http.status >= 500 || (http.status < 400 && http.body === ''))) {
    return broken(`HTTP ${http.status} without an answer`, fix, about)
  }
  return goesOn ? kept : broken(`ping after it: ${describe(after)}`, fix, about)
}

import { excerpt } from '../json.ts'
import { broken, kept, skipped, type Check } from './check.ts'
import { describe, initializeMessage } from './legacy-peer.ts'

/** Sessions over HTTP. */
export const sessionChecks: readonly Check[] = [
  {
    ids: ['HSESS-03'],
    level: 'MUST',
    rule: 'a session id is visible ASCII',
    run({ headers }) {
      const id = headers['mcp-session-id']
      if (id === undefined) return skipped('the server has no sessions')
      return /^[\x21-\x7e]+$/.test(id)
        ? kept
        : broken(excerpt(id), 'Use visible ASCII without spaces.')
    },
  },
  {
    ids: ['HSESS-02', 'SEC-05'],
    level: 'MUST',
    rule: 'session ids cannot be guessed',
    async run({ subject, revision, headers }) {
      const first = headers['mcp-session-id']
      if (first === undefined) return skipped('the server has no sessions')
      await using link = await subject.open()
      const opening = await link.exchange(initializeMessage(revision))
      const second = opening.http?.header('mcp-session-id') ?? ''
      const isGuessable = first.length < 16 || second === first || isNext(first, second)
      return isGuessable
        ? broken(`${excerpt(first, 60)}, then ${excerpt(second, 60)}`, 'Use crypto.randomUUID().')
        : kept
    },
  },
  {
    ids: ['HSESS-05'],
    level: 'SHOULD',
    rule: 'a request without its session id is refused with 400',
    async run(peer) {
      if (peer.headers['mcp-session-id'] === undefined) return skipped('the server has no sessions')
      const found = await peer.ask('tools/list', {}, { headers: { 'mcp-session-id': undefined } })
      return found.http?.status === 400 ? kept : broken(describe(found), 'Answer 400.')
    },
  },
  {
    ids: ['HSESS-07'],
    level: 'MUST',
    rule: 'a session that has ended is answered with 404',
    async run({ subject, revision }) {
      await using link = await subject.open()
      const opening = await link.exchange(initializeMessage(revision))
      const id = opening.http?.header('mcp-session-id')
      if (id === undefined) return skipped('the server has no sessions')
      const headers = { 'mcp-session-id': id, 'mcp-protocol-version': revision }
      const ended = await link.exchange('', { method: 'DELETE', headers })
      if (ended.http?.status === 405) return skipped('clients cannot end sessions')
      const found = await link.exchange({ jsonrpc: '2.0', id: 2, method: 'ping' }, { headers })
      return found.http?.status === 404
        ? kept
        : broken(
            `after DELETE: ${describe(found)}`,
            'Answer 404: it tells clients to start a new session.',
          )
    },
  },
]

/** Whether one id is the one after the other. */
function isNext(first: string, second: string): boolean {
  const [left, right] = [first, second].map((id) =>
    Number(/(\d{1,15})$/.exec(id)?.[1] ?? Number.NaN),
  )
  const isSameHead = first.replace(/\d+$/, '') === second.replace(/\d+$/, '')
  return isSameHead && left !== undefined && right !== undefined && Math.abs(left - right) <= 10
}

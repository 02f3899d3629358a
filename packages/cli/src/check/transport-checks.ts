import { excerpt } from '../json.ts'
import { broken, kept, skipped, type Check } from './check.ts'
import { clientInfo, describe, helloFor } from './handshake-peer.ts'

/** What only a process shows. */
export const stdioChecks: readonly Check[] = [
  {
    ids: ['STDIO-07', 'STDIO-03'],
    level: 'MUST',
    rule: 'standard output carries messages and nothing else',
    run({ link }) {
      const [first] = link.noise?.() ?? []
      return first === undefined
        ? kept
        : broken('something else was written there', 'Log to standard error.', { got: first })
    },
  },
  {
    ids: ['N07-STDIO-03', 'LIFE-11'],
    level: 'SHOULD',
    rule: 'the server ends when its input does',
    async run({ subject, revision }) {
      await using link = await subject.open()
      await link.exchange(helloFor(revision), { waitMs: 30_000 })
      const hasEnded = (await link.endInput?.(5_000)) ?? true
      return hasEnded
        ? kept
        : broken('it still ran five seconds later', 'Exit when standard input ends.')
    },
  },
]

const foreign = 'https://parley-check.example'

/** What only HTTP shows, in sessions. */
export const httpChecks: readonly Check[] = [
  {
    ids: ['HTTP-03', 'N07-HTTP-07'],
    level: 'MUST',
    rule: 'a web page of another origin is refused',
    async run({ subject, revision }) {
      await using link = await subject.open()
      const found = await link.exchange(helloFor(revision), { headers: { origin: foreign } })
      const status = found.http?.status ?? 0
      return status >= 400
        ? kept
        : broken(
            `Origin: ${foreign} was answered with ${status}`,
            'Answer 403 to an Origin you did not allow: any web page can reach this machine.',
          )
    },
  },
  {
    ids: ['HPOST-04'],
    level: 'MUST',
    rule: 'a notification is answered with 202 and nothing in it',
    async run(peer) {
      const { http } = await peer.tell('notifications/initialized')
      const isRight = http?.status === 202 && http.body === ''
      return isRight
        ? kept
        : broken(
            `HTTP ${http?.status} with ${excerpt(http?.body ?? '', 100)}`,
            'Answer 202 without a body.',
          )
    },
  },
  {
    ids: ['HPOST-07'],
    level: 'MUST',
    rule: 'a request is answered as application/json or text/event-stream',
    async run(peer) {
      const { http } = await peer.ask('ping')
      const type = http?.header('content-type') ?? ''
      return /^(?:application\/json|text\/event-stream)\b/.test(type)
        ? kept
        : broken(
            `Content-Type is ${excerpt(type, 80)}`,
            'Say application/json or text/event-stream.',
          )
    },
  },
  {
    ids: ['HSESS-03'],
    level: 'MUST',
    rule: 'a session id is visible ASCII',
    run({ headers }) {
      const id = headers['mcp-session-id']
      if (id === undefined) return skipped('there are no sessions')
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
      if (first === undefined) return skipped('there are no sessions')
      await using link = await subject.open()
      const hello = await link.exchange(helloFor(revision))
      const second = hello.http?.header('mcp-session-id') ?? ''
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
      if (peer.headers['mcp-session-id'] === undefined) return skipped('there are no sessions')
      const found = await peer.ask('tools/list', {}, { headers: { 'mcp-session-id': undefined } })
      return found.http?.status === 400 ? kept : broken(describe(found), 'Answer 400.')
    },
  },
  {
    ids: ['HSESS-07'],
    level: 'MUST',
    rule: 'a session that has ended is 404',
    async run({ subject, revision }) {
      await using link = await subject.open()
      const hello = await link.exchange(helloFor(revision))
      const id = hello.http?.header('mcp-session-id')
      if (id === undefined) return skipped('there are no sessions')
      const headers = { 'mcp-session-id': id, 'mcp-protocol-version': revision }
      const ended = await link.exchange('', { method: 'DELETE', headers })
      if (ended.http?.status === 405) return skipped('clients cannot end sessions')
      const found = await link.exchange({ jsonrpc: '2.0', id: 2, method: 'ping' }, { headers })
      return found.http?.status === 404
        ? kept
        : broken(
            `after DELETE: ${describe(found)}`,
            'Answer 404: it is how clients know to begin anew.',
          )
    },
  },
  {
    ids: ['HVER-04'],
    level: 'MUST',
    rule: 'a version header nobody knows is refused with 400',
    async run(peer) {
      const found = await peer.ask('ping', undefined, {
        headers: { 'mcp-protocol-version': 'parley-check' },
      })
      return found.http?.status === 400 ? kept : broken(describe(found), 'Answer 400.')
    },
  },
  {
    ids: ['HGET-03'],
    level: 'MUST',
    rule: 'GET is answered with an event stream or 405',
    async run(peer) {
      const found = await peer.send('', {
        method: 'GET',
        headers: { accept: 'text/event-stream' },
        waitMs: 2_000,
      })
      const { http } = found
      // Silence: the stream is open and nothing was said yet, which some servers do before their headers too.
      if (http === undefined || http.status === 405) return kept
      const isStream = http.header('content-type')?.startsWith('text/event-stream') === true
      return isStream
        ? kept
        : broken(
            `HTTP ${http.status}, ${excerpt(http.header('content-type') ?? '', 60)}`,
            'Answer an event stream, or 405.',
          )
    },
  },
  {
    ids: ['BASE-18', 'HPOST-03'],
    level: 'MUST',
    rule: 'a batch is refused where the revision has none',
    async run(peer) {
      if (peer.revision < '2025-06-18') return skipped(`${peer.revision} has batches`)
      const found = await peer.send(
        JSON.stringify([
          { jsonrpc: '2.0', id: 'a', method: 'ping' },
          { jsonrpc: '2.0', id: 'b', method: 'ping' },
        ]),
      )
      const isRefused = (found.http?.status ?? 0) >= 400 || found.answer?.['error'] !== undefined
      return isRefused
        ? kept
        : broken(describe(found), 'Answer 400: one message for each POST.', {
            got: found.http?.body,
          })
    },
  },
  {
    ids: ['HTTP-02'],
    level: 'MUST',
    rule: 'several clients are served at once, each with its own answers',
    async run({ subject, revision }) {
      const hellos = await Promise.all(
        ['one', 'two', 'three'].map(async (id) => {
          await using link = await subject.open()
          const params = { protocolVersion: revision, capabilities: {}, clientInfo }
          return link.exchange({ jsonrpc: '2.0', id, method: 'initialize', params })
        }),
      )
      const wrong = hellos.find(
        ({ answer }, index) => answer?.['id'] !== ['one', 'two', 'three'][index],
      )
      return wrong === undefined
        ? kept
        : broken(describe(wrong), 'Serve sessions side by side.', { got: wrong.answer })
    },
  },
]

/** Whether one id is the one after the other. */
function isNext(first: string, second: string): boolean {
  const [one, other] = [first, second].map((id) =>
    Number(/(\d{1,15})$/.exec(id)?.[1] ?? Number.NaN),
  )
  const isSameHead = first.replace(/\d+$/, '') === second.replace(/\d+$/, '')
  return isSameHead && one !== undefined && other !== undefined && Math.abs(one - other) <= 10
}

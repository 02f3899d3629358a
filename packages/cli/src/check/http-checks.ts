import { excerpt } from '../json.ts'
import { broken, kept, skipped, type Check } from './check.ts'
import { clientInfo, describe, initializeMessage } from './legacy-peer.ts'

const foreign = 'https://parley-check.example'

/** What only HTTP shows. */
export const httpChecks: readonly Check[] = [
  {
    ids: ['HTTP-03', 'N07-HTTP-07'],
    level: 'MUST',
    rule: 'a web page of another origin is refused',
    async run({ subject, revision }) {
      await using link = await subject.open()
      const found = await link.exchange(initializeMessage(revision), {
        headers: { origin: foreign },
      })
      const status = found.http?.status
      if (status === undefined) return skipped('there was no answer')
      return status >= 400
        ? kept
        : broken(
            `Origin: ${foreign} was answered with ${status}`,
            'Answer 403 to an Origin that is not allowed: any web page can reach this machine.',
          )
    },
  },
  {
    ids: ['HTTP-03'],
    level: 'SHOULD',
    rule: 'on the local machine, a request for another host name is refused',
    async run({ subject, revision }) {
      await using link = await subject.open()
      if (link.exchangeAs === undefined) return skipped('it is on another machine')
      const status = await link.exchangeAs('parley-check.example', initializeMessage(revision))
      return status >= 400
        ? kept
        : broken(
            `Host: parley-check.example was answered with ${status}`,
            'Answer 403 to a Host that is not your own: an attacker can point a name at this machine (DNS rebinding).',
          )
    },
  },
  {
    ids: ['HPOST-04'],
    level: 'MUST',
    rule: 'a notification is answered with 202 and an empty body',
    async run(peer) {
      const { http } = await peer.notify('notifications/initialized')
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
            'Send application/json or text/event-stream.',
          )
    },
  },
  {
    ids: ['HVER-04'],
    level: 'MUST',
    rule: 'an unknown version header is refused with 400',
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
        onlyHead: true,
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
    rule: 'a batch is refused in revisions without batches',
    async run(peer) {
      if (peer.revision < '2025-06-18') return skipped(`${peer.revision} has batches`)
      const found = await peer.send(
        JSON.stringify([
          { jsonrpc: '2.0', id: 'a', method: 'ping' },
          { jsonrpc: '2.0', id: 'b', method: 'ping' },
        ]),
      )
      const isRejected = (found.http?.status ?? 0) >= 400 || found.answer?.['error'] !== undefined
      return isRejected
        ? kept
        : broken(describe(found), 'Answer 400: one message for each POST.', {
            got: found.http?.body,
          })
    },
  },
  {
    ids: ['HTTP-02'],
    level: 'MUST',
    rule: 'several clients are served at once, and each gets its own answers',
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

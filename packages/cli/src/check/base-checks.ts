import { excerpt, isJsonObject, member, type JsonObject } from '../json.ts'
import type { Exchange } from '../probe/exchange.ts'
import { broken, kept, skipped, type Check, type HandshakePeer, type Verdict } from './check.ts'
import { codeOf, describe, helloFor } from './handshake-peer.ts'

/** Messages and lifecycle, in every revision that begins with a handshake. */
export const baseChecks: readonly Check[] = [
  {
    ids: ['LIFE-03', 'SCH-04'],
    level: 'MUST',
    rule: 'initialize is answered with protocolVersion, capabilities and serverInfo',
    run({ hello }) {
      const result = hello.answer?.['result']
      const missing = ['protocolVersion', 'capabilities', 'serverInfo'].filter(
        (name) => member(result, name) === undefined,
      )
      if (missing.length === 0) return kept
      return broken(`without ${missing.join(' and ')}`, 'Answer initialize with all three.', {
        got: result,
      })
    },
  },
  {
    ids: ['SCH-03'],
    level: 'MUST',
    rule: 'serverInfo has a name and a version',
    run({ hello }) {
      const info = member(hello.answer?.['result'], 'serverInfo')
      const isWhole = [member(info, 'name'), member(info, 'version')].every(
        (one) => typeof one === 'string',
      )
      return isWhole
        ? kept
        : broken('one is missing', 'Give serverInfo a name and a version.', { got: info })
    },
  },
  {
    ids: ['BASE-04'],
    level: 'MUST',
    rule: 'every message says jsonrpc 2.0',
    run({ hello }) {
      const wrong = hello.messages.find((message) => message['jsonrpc'] !== '2.0')
      return wrong === undefined
        ? kept
        : broken('one does not', 'Add "jsonrpc": "2.0".', { got: wrong })
    },
  },
  {
    ids: ['BASE-09'],
    level: 'MUST',
    rule: 'an answer repeats the id of its request, as text or as number',
    async run(peer) {
      for (const id of ['seven', '7', 700_001]) {
        const sent = { jsonrpc: '2.0', id, method: 'ping' }
        const { answer } = await peer.send(sent)
        if (answer === undefined) return broken('ping was not answered', 'Answer ping.', { sent })
        if (answer['id'] !== id) {
          return broken(
            `${JSON.stringify(id)} came back as ${JSON.stringify(answer['id'])}`,
            'Give the id back as it came, with its type.',
            { sent, got: answer },
          )
        }
      }
      return kept
    },
  },
  {
    ids: ['PING-01'],
    level: 'MUST',
    rule: 'ping is answered with an empty result',
    async run(peer) {
      const found = await peer.ask('ping')
      const result = found.answer?.['result']
      const isEmpty = isJsonObject(result) && Object.keys(result).every((name) => name === '_meta')
      return isEmpty ? kept : broken(describe(found), 'Answer ping with {}.', { got: found.answer })
    },
  },
  {
    ids: ['BASE-21'],
    level: 'MUST',
    rule: 'an unknown method is refused with -32601',
    run: async (peer) =>
      expectCode(
        await peer.ask('parley/no-such-method'),
        [-32601],
        'Answer -32601 to methods you do not have.',
      ),
  },
  {
    ids: ['BASE-15'],
    level: 'MUST',
    rule: 'a notification is never answered, not even an unknown one',
    async run(peer) {
      const sent = { jsonrpc: '2.0', method: 'notifications/parley-unknown', params: {} }
      const found = await peer.send(sent, { waitMs: 500 })
      const reply = found.messages.find((message) => 'result' in message || 'error' in message)
      if (reply !== undefined && (found.http?.status ?? 200) < 400) {
        return broken('it was answered', 'Drop notifications you do not know.', {
          sent,
          got: reply,
        })
      }
      return peer.link.kind === 'http' ? kept : stillAnswers(peer, sent)
    },
  },
  {
    ids: ['BASE-10', 'BASE-12', 'BASE-13'],
    level: 'MUST',
    rule: 'an error has an integer code and a message, and no result beside it',
    async run(peer) {
      const { answer } = await peer.ask('parley/no-such-method')
      const error = answer?.['error']
      if (!isJsonObject(error)) return skipped('no error was seen')
      const isWhole = Number.isInteger(error['code']) && typeof error['message'] === 'string'
      if (isWhole && !('result' in (answer ?? {}))) return kept
      return broken('it has not', 'Errors are { code, message } with an integer code.', {
        got: answer,
      })
    },
  },
  {
    ids: ['VER-04'],
    level: 'MUST',
    rule: 'a version nobody has is answered with one the server has',
    async run({ subject }) {
      await using link = await subject.open()
      const sent = helloFor('1999-01-01')
      const found = await link.exchange(sent, { waitMs: 30_000 })
      const said = member(found.answer?.['result'], 'protocolVersion')
      if (typeof said === 'string' && said !== '1999-01-01') return kept
      const supported = member(member(found.answer?.['error'], 'data'), 'supported')
      if (Array.isArray(supported)) return kept // LIFE-19 allows to refuse and to say which there are
      return broken(
        said === undefined ? describe(found) : `it claims to speak ${excerpt(said, 40)}`,
        'Answer with your newest version; the client decides whether to go on.',
        { sent, got: found.answer },
      )
    },
  },
  {
    ids: ['BASE-21', 'BASE-03'],
    level: 'MUST',
    rule: 'what is no JSON is refused, and the server goes on',
    async run({ subject, revision }) {
      await using link = await subject.open()
      const hello = await link.exchange(helloFor(revision), { waitMs: 30_000 })
      const session = hello.http?.header('mcp-session-id')
      const headers = { 'mcp-protocol-version': revision, 'mcp-session-id': session }
      const sent = '{"jsonrpc":"2.0","id":1,'
      const found = await link.exchange(sent, { headers, waitMs: 1_000 })
      if (link.kind === 'http') {
        const status = found.http?.status ?? 0
        return status >= 400 && status < 500
          ? kept
          : broken(`HTTP ${status}`, 'Answer 400 with error -32700.', {
              sent,
              got: found.http?.body,
            })
      }
      if (found.ended === 'closed') {
        return broken('the server ended', 'Answer -32700 and read on.', { sent })
      }
      const after = await link.exchange(
        { jsonrpc: '2.0', id: 'after', method: 'ping' },
        { waitMs: 5_000 },
      )
      return after.answer === undefined
        ? broken('it answers nothing any more', 'Answer -32700 and read on.', { sent })
        : kept
    },
  },
  {
    ids: ['LIFE-01'],
    level: 'MUST',
    rule: 'nothing is served before initialize',
    async run({ subject, capabilities }) {
      if (!('tools' in capabilities)) return skipped('there are no tools to ask for')
      await using link = await subject.open()
      const sent = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
      const found = await link.exchange(sent, { waitMs: 3_000 })
      const isStateless = link.kind === 'http'
      if (!('result' in (found.answer ?? {})) || isStateless) return kept // without sessions nobody can know
      return broken('tools/list was', 'Refuse requests before initialize.', {
        sent,
        got: found.answer,
      })
    },
  },
  {
    ids: ['LIFE-09'],
    level: 'MUST',
    rule: 'a client that can nothing is asked nothing',
    run({ hello }) {
      const asked = hello.messages.find(
        (message) => 'method' in message && 'id' in message && message['method'] !== 'ping',
      )
      return asked === undefined
        ? kept
        : broken(
            `the server sent ${excerpt(asked['method'], 60)}`,
            'Ask only what the client declared.',
            { got: asked },
          )
    },
  },
  {
    ids: ['BASE-23'],
    level: 'SHOULD',
    rule: 'members nobody knows are ignored',
    async run(peer) {
      const sent: JsonObject = {
        jsonrpc: '2.0',
        id: 'extra',
        method: 'ping',
        params: { extra: 1 },
      }
      const found = await peer.send(sent)
      return 'result' in (found.answer ?? {})
        ? kept
        : broken(describe(found), 'Ignore what you do not know.', { sent, got: found.answer })
    },
  },
]

/** Kept if the answer is an error with one of these numbers. */
export function expectCode(found: Exchange, codes: readonly number[], cure: string): Verdict {
  const code = codeOf(found)
  return code !== undefined && codes.includes(code)
    ? kept
    : broken(describe(found), cure, { got: found.answer })
}

async function stillAnswers(peer: HandshakePeer, sent: unknown): Promise<Verdict> {
  const after = await peer.ask('ping', undefined, { waitMs: 5_000 })
  return after.answer === undefined
    ? broken('the server answers nothing any more', 'Go on after notifications you do not know.', {
        sent,
      })
    : kept
}

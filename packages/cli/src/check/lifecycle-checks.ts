import { excerpt, member } from '../json.ts'
import { broken, kept, skipped, type Check } from './check.ts'
import { describe, initializeMessage } from './legacy-peer.ts'

/** The handshake, and what may happen around it. */
export const lifecycleChecks: readonly Check[] = [
  {
    ids: ['LIFE-03', 'SCH-04'],
    level: 'MUST',
    rule: 'initialize is answered with protocolVersion, capabilities and serverInfo',
    run({ opening }) {
      const result = opening.answer?.['result']
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
    run({ opening }) {
      const info = member(opening.answer?.['result'], 'serverInfo')
      const isWhole = [member(info, 'name'), member(info, 'version')].every(
        (candidate) => typeof candidate === 'string',
      )
      return isWhole
        ? kept
        : broken('the name or the version is missing', 'Give serverInfo a name and a version.', {
            got: info,
          })
    },
  },
  {
    ids: ['VER-04'],
    level: 'MUST',
    rule: 'an unknown version is answered with one that the server supports',
    async run({ subject }) {
      await using link = await subject.open()
      const sent = initializeMessage('1999-01-01')
      const found = await link.exchange(sent, { waitMs: 30_000 })
      const reportedVersion = member(found.answer?.['result'], 'protocolVersion')
      if (typeof reportedVersion === 'string' && reportedVersion !== '1999-01-01') return kept
      const supported = member(member(found.answer?.['error'], 'data'), 'supported')
      if (Array.isArray(supported)) return kept // LIFE-19 allows to refuse and to say which there are
      return broken(
        reportedVersion === undefined
          ? describe(found)
          : `it claims to support ${excerpt(reportedVersion, 40)}`,
        'Answer with your newest version; the client decides whether to go on.',
        { sent, got: found.answer },
      )
    },
  },
  {
    ids: ['LIFE-01'],
    level: 'MUST',
    rule: 'nothing is served before initialize',
    async run({ subject, capabilities }) {
      if (!('tools' in capabilities)) return skipped('the server has no tools')
      if (subject.kind === 'http') return skipped('it cannot be determined without a session')
      await using link = await subject.open()
      const sent = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
      const found = await link.exchange(sent, { waitMs: 3_000 })
      if (!('result' in (found.answer ?? {}))) return kept
      return broken('tools/list was answered', 'Refuse requests before initialize.', {
        sent,
        got: found.answer,
      })
    },
  },
  {
    ids: ['LIFE-09'],
    level: 'MUST',
    rule: 'a client without capabilities gets no requests',
    run({ opening, subject }) {
      if (subject.clientCapabilities !== undefined) return skipped('--root declares a capability')
      const request = opening.messages.find(
        (message) => 'method' in message && 'id' in message && message['method'] !== 'ping',
      )
      return request === undefined
        ? kept
        : broken(
            `the server sent ${excerpt(request['method'], 60)}`,
            'Send only requests that the client declared.',
            { got: request },
          )
    },
  },
]

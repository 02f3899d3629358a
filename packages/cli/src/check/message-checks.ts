import { isJsonObject } from '@parley/mcp/json'

import { type JsonObject } from '../json.ts'
import { broken, kept, skipped, type Check } from './check.ts'
import { expectCode } from './expect-code.ts'
import { describe, isLike } from './legacy-peer.ts'

/** The form of messages, and which are answered how. */
export const messageChecks: readonly Check[] = [
  {
    ids: ['BASE-04'],
    level: 'MUST',
    rule: 'every message says jsonrpc 2.0',
    run({ opening }) {
      const wrong = opening.messages.find((message) => message['jsonrpc'] !== '2.0')
      return wrong === undefined
        ? kept
        : broken('one message does not', 'Add "jsonrpc": "2.0".', { got: wrong })
    },
  },
  {
    ids: ['BASE-09'],
    level: 'MUST',
    rule: 'an answer has the id of its request, with the same type',
    async run(peer) {
      for (const id of ['seven', '7', 700_001]) {
        const sent = { jsonrpc: '2.0', id, method: 'ping' }
        const { answer } = await peer.send(sent)
        if (answer === undefined) return broken('ping was not answered', 'Answer ping.', { sent })
        if (answer['id'] !== id) {
          return broken(
            `${JSON.stringify(id)} was returned as ${JSON.stringify(answer['id'])}`,
            'Return the id unchanged, with its type.',
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
        'Answer -32601 to unknown methods.',
      ),
  },
  {
    ids: ['BASE-15'],
    level: 'MUST',
    rule: 'a notification is never answered, not even an unknown one',
    async run(peer) {
      const sent = { jsonrpc: '2.0', method: 'notifications/parley-unknown', params: {} }
      const { found, after, goesOn } = await peer.probe(sent)
      const isCompleted = found.answer !== undefined && (found.http?.status ?? 200) < 400
      if (isCompleted) {
        const fix = 'Ignore unknown notifications.'
        return broken('it was answered', fix, { sent, got: found.answer })
      }
      return goesOn
        ? kept
        : broken(`ping after it: ${describe(after)}`, 'Go on after it.', { sent })
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
      return broken('one has not', 'Errors are { code, message } with an integer code.', {
        got: answer,
      })
    },
  },
  {
    ids: ['BASE-23'],
    level: 'SHOULD',
    rule: 'unknown members are ignored',
    async run(peer) {
      const sent: JsonObject = {
        jsonrpc: '2.0',
        id: 'extra',
        method: 'ping',
        params: { extra: 1 },
      }
      const found = await peer.send(sent)
      return isLike(found, await peer.usualPing())
        ? kept
        : broken(describe(found), 'Ignore unknown members.', { sent, got: found.answer })
    },
  },
]

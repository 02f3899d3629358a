import { isJsonObject } from '@parley/mcp/json'

import { excerpt, member, objectsOf } from '../json.ts'
import { broken, kept, skipped, type Check } from './check.ts'
import { expectCode } from './expect-code.ts'
import { describe } from './legacy-peer.ts'

/** Resources, as far as they are declared. */
export const resourceChecks: readonly Check[] = [
  {
    ids: ['RES-17'],
    level: 'SHOULD',
    rule: 'an unknown resource is refused with -32002',
    async run(peer) {
      if (!('resources' in peer.capabilities)) return skipped('the server has no resources')
      const found = await peer.ask('resources/read', { uri: 'parley-check://no/such/resource' })
      return expectCode(found, [-32002, -32602], 'Answer -32002 with data.uri.')
    },
  },
  {
    ids: ['SCH-10', 'RES-16'],
    level: 'MUST',
    rule: 'resources have a name and a URI',
    async run(peer) {
      for (const resource of await peer.list('resources')) {
        const { uri, name } = resource
        if (
          typeof name !== 'string' ||
          typeof uri !== 'string' ||
          !/^[a-z][a-z\d+.-]*:/i.test(uri)
        ) {
          return broken(
            `${excerpt(uri, 100)} is not a URI`,
            'Give each resource a name and an absolute URI.',
            { got: resource },
          )
        }
      }
      return kept
    },
  },
  {
    ids: ['RES-04', 'SCH-09', 'RES-21'],
    level: 'MUST',
    rule: 'a resource that is listed can be read, as text or as base64',
    async run(peer) {
      const resources = (await peer.list('resources')).slice(0, 5)
      for (const { uri } of resources) {
        const found = await peer.ask('resources/read', { uri: uri ?? '' }, { waitMs: 2_000 })
        if (found.ended === 'silence') continue // it takes its time, which is no fault
        const contents = objectsOf(member(found.answer?.['result'], 'contents'))
        const isBad = contents.some(
          (content) => typeof content['text'] !== 'string' && !isBase64(content['blob']),
        )
        if (contents.length === 0 || isBad) {
          return broken(
            `${excerpt(uri, 100)}: ${describe(found)}`,
            'Answer with contents that have uri and text, or blob.',
            { got: found.answer },
          )
        }
      }
      return resources.length === 0 ? skipped('no resource is listed') : kept
    },
  },
  {
    ids: ['RES-07'],
    level: 'MUST',
    rule: 'subscribing to a resource and unsubscribing are answered with an empty result',
    async run(peer) {
      const canSubscribe = member(peer.capabilities['resources'], 'subscribe') === true
      const [resource] = canSubscribe ? await peer.list('resources') : []
      if (resource === undefined) return skipped('the server has no subscriptions')
      for (const method of ['resources/subscribe', 'resources/unsubscribe']) {
        const found = await peer.ask(method, { uri: resource['uri'] ?? '' })
        const result = found.answer?.['result']
        const isEmpty =
          isJsonObject(result) && Object.keys(result).every((name) => name === '_meta')
        if (!isEmpty)
          return broken(`${method}: ${describe(found)}`, 'Answer {}.', { got: found.answer })
      }
      return kept
    },
  },
]

function isBase64(value: unknown): boolean {
  return typeof value === 'string' && value.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(value)
}

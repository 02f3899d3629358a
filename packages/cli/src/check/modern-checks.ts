import { isJsonObject } from '@parley/mcp/json'

import { member, objectsOf, type JsonObject } from '../json.ts'
import type { Exchange } from '../probe/exchange.ts'
import { broken, kept, skipped, type Check, type ModernPeer, type Verdict } from './check.ts'
import { expectCode } from './expect-code.ts'
import { codeOf, describe } from './legacy-peer.ts'

const prefix = 'io.modelcontextprotocol/'

/** Requests that stand for themselves, since 2026-07-28. */
export const modernChecks: readonly Check<ModernPeer>[] = [
  {
    ids: ['N07-DISC-01'],
    level: 'MUST',
    rule: 'server/discover has supportedVersions, capabilities, ttlMs, cacheScope and resultType',
    run({ discovered }) {
      const result = discovered.answer?.['result']
      const names = ['supportedVersions', 'capabilities', 'ttlMs', 'cacheScope', 'resultType']
      const missing = names.filter((name) => member(result, name) === undefined)
      return missing.length === 0
        ? kept
        : broken(`without ${missing.join(', ')}`, 'Answer with all of them.', { got: result })
    },
  },
  {
    ids: ['N07-RES-01'],
    level: 'MUST',
    rule: 'every result has a resultType',
    async run(peer) {
      for (const method of declaredLists(peer)) {
        const { answer } = await peer.ask(method)
        const result = answer?.['result']
        if (isJsonObject(result) && typeof result['resultType'] !== 'string') {
          return broken(`that of ${method} does not`, 'Add resultType: "complete".', {
            got: result,
          })
        }
      }
      return kept
    },
  },
  {
    ids: ['N07-CACHE-01'],
    level: 'MUST',
    rule: 'lists have ttlMs and cacheScope',
    async run(peer) {
      for (const method of declaredLists(peer)) {
        const result = (await peer.ask(method)).answer?.['result']
        if (!isJsonObject(result)) continue
        const { ttlMs, cacheScope } = result
        const isFine =
          Number.isInteger(ttlMs) &&
          Number(ttlMs) >= 0 &&
          (cacheScope === 'public' || cacheScope === 'private')
        if (!isFine)
          return broken(`${method} does not`, 'Add ttlMs and cacheScope.', {
            got: { ttlMs, cacheScope },
          })
      }
      return kept
    },
  },
  ...(['protocolVersion', 'clientCapabilities'] as const).map((key): Check<ModernPeer> => ({
    ids: ['N07-ENV-03'],
    level: 'MUST',
    rule: `a request without ${key} is refused with -32602`,
    async run(peer) {
      const found = await discover(peer, ({ [`${prefix}${key}`]: _dropped, ...rest }) => rest)
      const verdict = expectCode(found, [-32602], 'Answer -32602, over HTTP with 400.')
      return verdict.kind === 'kept' ? expectStatus(peer, found.http?.status, 400) : verdict
    },
  })),
  {
    ids: ['N07-VER-01'],
    level: 'MUST',
    rule: 'an unknown version is refused with -32022 and the list of supported ones',
    async run(peer) {
      const version = '1900-01-01'
      const found = await discover(
        peer,
        (meta) => ({ ...meta, [`${prefix}protocolVersion`]: version }),
        { 'mcp-protocol-version': version },
      )
      const supported = member(member(found.answer?.['error'], 'data'), 'supported')
      const isRight = codeOf(found) === -32022 && Array.isArray(supported)
      return isRight
        ? kept
        : broken(describe(found), 'Answer -32022 with data { supported, requested }.', {
            got: found.answer,
          })
    },
  },
  {
    ids: ['N07-HDR-02'],
    level: 'MUST',
    rule: 'headers that contradict the body are refused with -32020',
    async run(peer) {
      if (peer.link.kind !== 'http') return skipped('stdio has no headers')
      const { message, headers } = peer.request('server/discover')
      const found = await peer.link.exchange(message, {
        headers: { ...headers, 'mcp-method': 'tools/list' },
      })
      const verdict = expectCode(
        found,
        [-32020],
        'Compare Mcp-Method and the version header with the body; answer 400 with -32020.',
      )
      return verdict.kind === 'kept' ? expectStatus(peer, found.http?.status, 400) : verdict
    },
  },
  {
    ids: ['N07-DISC-03'],
    level: 'MUST',
    rule: 'a method that is not declared is refused with -32601',
    async run(peer) {
      const found = await peer.ask('parley/no-such-method')
      const verdict = expectCode(found, [-32601], 'Answer -32601, over HTTP with 404.')
      return verdict.kind === 'kept' ? expectStatus(peer, found.http?.status, 404) : verdict
    },
  },
  {
    ids: ['N07-ERR-01'],
    level: 'MUST',
    rule: 'an unknown resource is refused with -32602, no longer -32002',
    async run(peer) {
      if (!('resources' in peer.capabilities)) return skipped('the server has no resources')
      const found = await peer.ask('resources/read', { uri: 'parley-check://no/such/resource' })
      return expectCode(found, [-32602], 'Answer -32602 with data.uri.')
    },
  },
  {
    ids: ['N07-ENV-04'],
    level: 'MUST',
    rule: 'a client without clientInfo is served too',
    async run(peer) {
      const found = await discover(peer, ({ [`${prefix}clientInfo`]: _name, ...rest }) => rest)
      return 'result' in (found.answer ?? {})
        ? kept
        : broken(describe(found), 'clientInfo is optional.', { got: found.answer })
    },
  },
  {
    ids: ['N07-TOOL-01'],
    level: 'SHOULD',
    rule: 'tools come in the same order every time',
    async run(peer) {
      if (!('tools' in peer.capabilities)) return skipped('the server has no tools')
      const names = async () => {
        const { answer } = await peer.ask('tools/list')
        return objectsOf(member(answer?.['result'], 'tools')).map(({ name }) => name)
      }
      const [first, second] = [await names(), await names()]
      return JSON.stringify(first) === JSON.stringify(second)
        ? kept
        : broken(
            'the order differed',
            'Sort them: models and caches compare the text of the list.',
            {
              got: [first, second],
            },
          )
    },
  },
]

/** `server/discover` with another envelope than it should have. */
function discover(
  { request, link }: ModernPeer,
  change: (meta: JsonObject) => JsonObject,
  more: { readonly [name: string]: string } = {},
): Promise<Exchange> {
  const { message, headers } = request('server/discover')
  const { _meta: meta, ...params } = message.params
  const changed = change(isJsonObject(meta) ? meta : {})
  const sent = { ...message, params: { ...params, _meta: changed } }
  return link.exchange(sent, { headers: { ...headers, ...more } })
}

const listsByCapability: readonly (readonly [string, string])[] = [
  ['tools', 'tools/list'],
  ['resources', 'resources/list'],
  ['prompts', 'prompts/list'],
]

function declaredLists({ capabilities }: ModernPeer): readonly string[] {
  return listsByCapability.flatMap(([capability, method]) =>
    capability in capabilities ? [method] : [],
  )
}

function expectStatus(peer: ModernPeer, status: number | undefined, wanted: number): Verdict {
  if (peer.link.kind !== 'http' || status === wanted) return kept
  return broken(`HTTP ${status ?? 0}`, `Answer it with HTTP ${wanted}.`)
}

import { excerpt, isJsonObject, member, objectsOf } from '../json.ts'
import { expectCode } from './base-checks.ts'
import { broken, kept, skipped, type Check } from './check.ts'
import { codeOf, describe, listMethods, type ListKind } from './handshake-peer.ts'

/** Lists, resources, prompts and the rest, as far as they are declared. */
export const featureChecks: readonly Check[] = [
  ...(Object.keys(listMethods) as ListKind[]).map(listCheck), // its own keys
  {
    ids: ['CAP-01', 'LIFE-09'],
    level: 'MUST',
    rule: 'what is not declared is not there',
    async run(peer) {
      for (const [capability, method] of undeclared) {
        if (capability in peer.capabilities) continue
        const found = await peer.ask(method, {})
        const items = Object.values(
          isJsonObject(found.answer?.['result']) ? found.answer['result'] : {},
        ).filter(Array.isArray)
        if (items.some((list) => list.length > 0)) {
          return broken(
            `${method} has items, but ${capability} is not declared`,
            `Declare ${capability}.`,
            { got: peer.capabilities },
          )
        }
      }
      return kept
    },
  },
  {
    ids: ['RES-17'],
    level: 'SHOULD',
    rule: 'a resource that is not there is -32002',
    async run(peer) {
      if (!('resources' in peer.capabilities)) return skipped('there are no resources')
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
            `${excerpt(uri, 100)} is none`,
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
        const found = await peer.ask('resources/read', { uri: uri ?? '' })
        const contents = objectsOf(member(found.answer?.['result'], 'contents'))
        const isBad = contents.some(
          (one) => typeof one['text'] !== 'string' && !isBase64(one['blob']),
        )
        if (contents.length === 0 || isBad) {
          return broken(
            `${excerpt(uri, 100)}: ${describe(found)}`,
            'Answer with contents that have uri and text, or blob.',
            { got: found.answer },
          )
        }
      }
      return resources.length === 0 ? skipped('none is listed') : kept
    },
  },
  {
    ids: ['PROMPT-10'],
    level: 'SHOULD',
    rule: 'an unknown prompt is refused with -32602',
    async run(peer) {
      if (!('prompts' in peer.capabilities)) return skipped('there are no prompts')
      const found = await peer.ask('prompts/get', { name: 'parley_no_such_prompt' })
      return expectCode(found, [-32602], 'Answer -32602.')
    },
  },
  {
    ids: ['PROMPT-11'],
    level: 'SHOULD',
    rule: 'a prompt without an argument it needs is refused with -32602',
    async run(peer) {
      const prompts = await peer.list('prompts')
      const prompt = prompts.find(({ arguments: given }) =>
        objectsOf(given).some(({ required }) => required === true),
      )
      if (prompt === undefined) return skipped('no prompt needs an argument')
      const found = await peer.ask('prompts/get', { name: prompt['name'] ?? '' })
      return expectCode(found, [-32602], 'Answer -32602 and name the argument.')
    },
  },
  {
    ids: ['COMP-04'],
    level: 'MUST',
    rule: 'completions are at most 100 texts',
    async run(peer) {
      if (!('completions' in peer.capabilities)) return skipped('nothing completes')
      const prompt = (await peer.list('prompts')).find(
        ({ arguments: given }) => objectsOf(given).length > 0,
      )
      if (prompt === undefined) return skipped('no prompt has an argument')
      const [argument] = objectsOf(prompt['arguments'])
      const found = await peer.ask('completion/complete', {
        ref: { type: 'ref/prompt', name: prompt['name'] ?? '' },
        argument: { name: argument?.['name'] ?? '', value: '' },
      })
      const values = member(member(found.answer?.['result'], 'completion'), 'values')
      const isFine =
        Array.isArray(values) &&
        values.length <= 100 &&
        values.every((one) => typeof one === 'string')
      return isFine
        ? kept
        : broken(
            Array.isArray(values) ? `${values.length} values` : describe(found),
            'Answer completion.values with at most 100 texts.',
            { got: found.answer },
          )
    },
  },
  {
    ids: ['LOG-07'],
    level: 'SHOULD',
    rule: 'a level nobody knows is refused with -32602',
    async run(peer) {
      if (!('logging' in peer.capabilities)) return skipped('there are no logs')
      return expectCode(
        await peer.ask('logging/setLevel', { level: 'loud' }),
        [-32602],
        'Answer -32602.',
      )
    },
  },
  {
    ids: ['PAGE-10', 'PAGE-06'],
    level: 'SHOULD',
    rule: 'a cursor the server never gave is refused with -32602',
    async run(peer) {
      if (!('tools' in peer.capabilities)) return skipped('there are no tools to list')
      const found = await peer.ask('tools/list', { cursor: 'parley-no-such-cursor' })
      return expectCode(found, [-32602], 'Answer -32602 to cursors you do not know.')
    },
  },
]

const undeclared = [
  ['tools', 'tools/list'],
  ['resources', 'resources/list'],
  ['prompts', 'prompts/list'],
] as const

/** A declared list can be listed, in the form it should have. */
function listCheck(kind: ListKind): Check {
  const capability = kind === 'resourceTemplates' ? 'resources' : kind
  const ids = {
    tools: 'TOOL-06',
    resources: 'RES-02',
    resourceTemplates: 'RES-05',
    prompts: 'PROMPT-02',
  }[kind]
  return {
    ids: [ids, 'PAGE-03'],
    level: 'MUST',
    rule: `${listMethods[kind]} answers with ${kind}`,
    async run(peer) {
      if (!(capability in peer.capabilities)) return skipped(`${capability} is not declared`)
      const found = await peer.ask(listMethods[kind], {})
      if (kind === 'resourceTemplates' && codeOf(found) === -32601) return kept
      const result = found.answer?.['result']
      if (!Array.isArray(member(result, kind))) {
        return broken(describe(found), `Answer { ${kind}: [ … ] }.`, { got: found.answer })
      }
      const next = member(result, 'nextCursor')
      return next === undefined || typeof next === 'string'
        ? kept
        : broken(`nextCursor is ${excerpt(next)}`, 'Leave nextCursor out on the last page.', {
            got: next,
          })
    },
  }
}

function isBase64(value: unknown): boolean {
  return typeof value === 'string' && value.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(value)
}

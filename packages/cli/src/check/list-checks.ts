import { isJsonObject } from '@parley/mcp/json'

import { excerpt, member } from '../json.ts'
import { broken, kept, skipped, type Check } from './check.ts'
import { expectCode } from './expect-code.ts'
import { codeOf, describe, listMethods, type ListKind } from './legacy-peer.ts'

/** Lists, and what is declared of them. */
export const listChecks: readonly Check[] = [
  ...(Object.keys(listMethods) as ListKind[]).map(listCheck), // its own keys
  {
    ids: ['CAP-01', 'LIFE-09'],
    level: 'MUST',
    rule: 'capabilities that are not declared are not used',
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
    ids: ['PAGE-10', 'PAGE-06'],
    level: 'SHOULD',
    rule: 'an unknown cursor is refused with -32602',
    async run(peer) {
      if (!('tools' in peer.capabilities)) return skipped('the server has no tools')
      const found = await peer.ask('tools/list', { cursor: 'parley-no-such-cursor' })
      return expectCode(found, [-32602], 'Answer -32602 to unknown cursors.')
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

import { compileJsonSchema } from '@parley/mcp'
import { isJsonObject, errorMessage } from '@parley/mcp/json'

import { excerpt, member } from '../json.ts'
import type { Exchange } from '../probe/exchange.ts'
import { broken, kept, skipped, type Check, type LegacyPeer, type Verdict } from './check.ts'
import { harmlessTools, onlyReads, requiredOf } from './harmless-calls.ts'
import { codeOf, describe } from './legacy-peer.ts'

/** Tools. None is called that could change anything. */
export const toolChecks: readonly Check[] = [
  {
    ids: ['TOOL-06'],
    level: 'MUST',
    rule: 'names of tools are unique',
    run: uniqueNames,
  },
  {
    ids: ['TOOL-07', 'SCH-13'],
    level: 'MUST',
    rule: 'schemas of tools are JSON Schemas of objects',
    async run(peer) {
      for (const tool of await peer.list('tools')) {
        const problem =
          schemaProblem(tool['inputSchema'], true) ?? schemaProblem(tool['outputSchema'], false)
        if (problem !== undefined) {
          const fix =
            'Give every tool an inputSchema that is { "type": "object", … } and valid JSON Schema.'
          return broken(`${excerpt(tool['name'], 60)}: ${problem}`, fix, { got: tool })
        }
      }
      return kept
    },
  },
  {
    ids: ['TOOL-18'],
    level: 'MUST',
    rule: 'an unknown tool is refused',
    async run(peer) {
      if (!('tools' in peer.capabilities)) return skipped('the server has no tools')
      const found = await peer.ask('tools/call', { name: 'parley_no_such_tool', arguments: {} })
      return isRejected(found)
        ? kept
        : broken(describe(found), 'Answer -32602 to an unknown tool.', { got: found.answer })
    },
  },
  {
    ids: ['TOOL-20'],
    level: 'MUST',
    rule: 'arguments that do not match the schema do not reach a tool',
    async run(peer) {
      const tools = await peer.list('tools')
      const tool = tools.find(
        (candidate) => onlyReads(candidate) && requiredOf(candidate).length > 0,
      )
      if (tool === undefined) return skipped('no read-only tool has a required argument')
      const found = await peer.ask('tools/call', { name: tool['name'] ?? '', arguments: {} })
      return isRejected(found)
        ? kept
        : broken(
            `${excerpt(tool['name'], 60)} ran without ${requiredOf(tool).join(', ')}`,
            'Check arguments before the tool runs.',
            { got: found.answer },
          )
    },
  },
  {
    ids: ['TOOL-20', 'TOOL-08'],
    level: 'MUST',
    rule: 'arguments that are not an object do not reach a tool',
    async run(peer) {
      const [tool] = await harmlessTools(peer)
      if (tool === undefined) return skipped('no read-only tool can be called without arguments')
      const found = await peer.ask('tools/call', { name: tool['name'] ?? '', arguments: 'text' })
      return isRejected(found)
        ? kept
        : broken(`${excerpt(tool['name'], 60)}: ${describe(found)}`, 'Answer -32602.', {
            got: found.answer,
          })
    },
  },
]

async function uniqueNames(peer: LegacyPeer): Promise<Verdict> {
  const names = (await peer.list('tools')).map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  return twice === undefined
    ? kept
    : broken(`${excerpt(twice, 60)} is listed twice`, 'Give each its own name.')
}

function schemaProblem(schema: unknown, isNeeded: boolean): string | undefined {
  if (schema === undefined) return isNeeded ? 'it has no inputSchema' : undefined
  if (!isJsonObject(schema)) return 'its schema is not an object'
  if (schema['type'] !== 'object') return `its schema is of type ${excerpt(schema['type'], 40)}`
  try {
    compileJsonSchema(schema)
    return undefined
  } catch (error) {
    return `its schema is not valid: ${errorMessage(error)}`
  }
}

function isRejected(found: Exchange): boolean {
  return codeOf(found) !== undefined || member(found.answer?.['result'], 'isError') === true
}

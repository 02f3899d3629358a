import { compileJsonSchema } from '@parley/mcp'

import { excerpt, isJsonObject, member, type JsonObject } from '../json.ts'
import { broken, kept, skipped, type Check, type HandshakePeer, type Verdict } from './check.ts'
import { codeOf, describe } from './handshake-peer.ts'

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
        const fault =
          schemaFault(tool['inputSchema'], true) ?? schemaFault(tool['outputSchema'], false)
        if (fault !== undefined) {
          const cure =
            'Give every tool an inputSchema that is { "type": "object", … } and valid JSON Schema.'
          return broken(`${excerpt(tool['name'], 60)}: ${fault}`, cure, { got: tool })
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
      if (!('tools' in peer.capabilities)) return skipped('there are no tools')
      const found = await peer.ask('tools/call', { name: 'parley_no_such_tool', arguments: {} })
      const isToolError = member(found.answer?.['result'], 'isError') === true
      return isToolError || codeOf(found) !== undefined
        ? kept
        : broken(describe(found), 'Answer -32602 to a tool you do not have.', { got: found.answer })
    },
  },
  {
    ids: ['TOOL-20'],
    level: 'MUST',
    rule: 'arguments that do not fit the schema do not reach a tool',
    async run(peer) {
      const tools = await peer.list('tools')
      const tool = tools.find(({ inputSchema, annotations }) => {
        const isHarmless = member(annotations, 'readOnlyHint') === true
        return isHarmless && requiredOf(inputSchema).length > 0
      })
      if (tool === undefined) return skipped('no tool that only reads needs an argument')
      const found = await peer.ask('tools/call', { name: tool['name'] ?? '', arguments: {} })
      const isRefused =
        codeOf(found) !== undefined || member(found.answer?.['result'], 'isError') === true
      return isRefused
        ? kept
        : broken(
            `${excerpt(tool['name'], 60)} ran without ${requiredOf(tool['inputSchema']).join(', ')}`,
            'Check arguments before the tool runs.',
            { got: found.answer },
          )
    },
  },
  {
    ids: ['TOOL-09', 'TOOL-16', 'SCH-15'],
    level: 'MUST',
    rule: 'results of tools have content, and fit the outputSchema',
    async run(peer) {
      const tools = (await peer.list('tools')).filter(({ inputSchema, annotations }) => {
        return member(annotations, 'readOnlyHint') === true && requiredOf(inputSchema).length === 0
      })
      for (const tool of tools.slice(0, 20)) {
        const found = await peer.ask(
          'tools/call',
          { name: tool['name'] ?? '', arguments: {} },
          { waitMs: 3_000 },
        )
        if (found.ended === 'silence') continue // it takes its time, which is no fault
        const fault = resultFault(found.answer?.['result'], tool)
        if (fault !== undefined)
          return broken(
            `${excerpt(tool['name'], 60)}: ${fault}`,
            'Return content, and structuredContent that fits the outputSchema.',
            { got: found.answer },
          )
      }
      return tools.length === 0 ? skipped('no tool only reads and needs nothing') : kept
    },
  },
]

async function uniqueNames(peer: HandshakePeer): Promise<Verdict> {
  const names = (await peer.list('tools')).map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  return twice === undefined
    ? kept
    : broken(`${excerpt(twice, 60)} is there twice`, 'Give each its own name.')
}

function schemaFault(schema: unknown, isNeeded: boolean): string | undefined {
  if (schema === undefined) return isNeeded ? 'it has no inputSchema' : undefined
  if (!isJsonObject(schema)) return 'its schema is no object'
  if (schema['type'] !== 'object') return `its schema is of type ${excerpt(schema['type'], 40)}`
  try {
    compileJsonSchema(schema)
    return undefined
  } catch (error) {
    return `its schema is not valid: ${error instanceof Error ? error.message : String(error)}`
  }
}

function resultFault(result: unknown, tool: JsonObject): string | undefined {
  if (!isJsonObject(result)) return 'it answers by an error'
  if (!Array.isArray(result['content'])) return 'its result has no content'
  const { outputSchema } = tool
  if (!isJsonObject(outputSchema) || result['isError'] === true) return undefined
  if (result['structuredContent'] === undefined) return 'its result has no structuredContent'
  const issues = compileJsonSchema(outputSchema)(result['structuredContent'])
  const [first] = issues ?? []
  return first === undefined ? undefined : `structuredContent ${first.message}`
}

function requiredOf(schema: unknown): readonly string[] {
  const required = member(schema, 'required')
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []
}

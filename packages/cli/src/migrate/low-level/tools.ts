import { rewriteHandler } from '../handler.ts'
import type { Source } from '../source.ts'
import { parts } from '../tree.ts'
import { hasOnly, listingOf, memberNames, writtenObject, type Listing } from './listing.ts'
import {
  areNeighbours,
  asListOf,
  freeName,
  replaceStatements,
  typesOf,
  workOf,
  type RequestHandler,
} from './request-handlers.ts'

/** The list becomes a constant, and each of its tools a tool that is called as before. Says why not, if not. */
export function moveTools(
  source: Source,
  list: RequestHandler,
  call: RequestHandler,
): string | undefined {
  if (!areNeighbours(source, [list, call])) return 'register tools one by one'
  const listing = listingOf(source, list, 'tools')
  if (typeof listing === 'string') return `register tools one by one: ${listing}`
  const shape = shapeOf(source, listing)
  const json = source.use('jsonSchema', '@parley/mcp')
  const tools = listing.name ?? freeName(source, 'tools', 'listedTools')
  const callTool = freeName(source, 'callTool', 'callListedTool')
  const hasContext = rewriteHandler(source, workOf(call.handler), {
    kind: 'tool',
    hasInput: true,
    types: typesOf(
      source,
      '{ name: string; arguments: Record<string, unknown> }',
      'CallToolResult',
    ),
  })
  const asResult = shape.hasOutput ? source.use('toolResult', '@parley/mcp/server') : undefined
  const type = source.tree.isTyped ? '<Record<string, unknown>>' : ''
  const options = [
    ...shape.options,
    `inputSchema: ${json}${type}(inputSchema)`,
    ...(shape.hasOutput ? [`...(outputSchema && { outputSchema: ${json}(outputSchema) })`] : []),
  ].join(', ')
  const last = hasContext ? ', context' : ''
  const called = `${callTool}({ params: { name, arguments: input } }${last})`
  const of = shape.isKnown ? tools : asListOf(source, tools, 'Tool')
  replaceStatements(
    source,
    [
      [list, listing.name === undefined ? () => `const ${tools} = ${listing.text()}` : undefined],
      [call, () => `const ${callTool} = ${source.render(call.handler)}`],
    ],
    (indent, end) =>
      [
        `for (const { ${shape.taken.join(', ')} } of ${of}) {`,
        `  ${call.server}.tool(name, { ${options} }, ${asResult === undefined ? '' : 'async '}(input${last}) =>`,
        `    ${asResult === undefined ? called : `${asResult}(await ${called})`},`,
        `  )${end}`,
        `}`,
      ].join(`\n${indent}`),
  )
  return undefined
}

interface ToolShape {
  /** Whether every tool is written in this file, with nothing that a tool does not have. */
  readonly isKnown: boolean
  readonly hasOutput: boolean
  readonly taken: readonly string[]
  readonly options: readonly string[]
}

const optionNames = ['title', 'description', 'annotations', 'icons', '_meta']

/** What a tool of the list has; of tools from elsewhere, what a tool can have. */
function shapeOf(source: Source, listing: Listing): ToolShape {
  const isKnown = hasOnly(source, listing, [...optionNames, 'name', 'inputSchema', 'outputSchema'])
  const entries = parts(listing.array, 'elements').map((part) => writtenObject(source, part))
  const hasOutput = !isKnown || memberNames(entries).includes('outputSchema')
  const schemas = ['inputSchema', ...(hasOutput ? ['outputSchema'] : [])]
  return isKnown
    ? { isKnown, hasOutput, taken: ['name', ...schemas, '...options'], options: ['...options'] }
    : { isKnown, hasOutput, taken: ['name', ...schemas, ...optionNames], options: optionNames }
}

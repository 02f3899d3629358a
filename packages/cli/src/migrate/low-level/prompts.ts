import { rewriteHandler, rewriteProtocolErrors } from '../handler.ts'
import type { Source } from '../source.ts'
import { listingOf } from './listing.ts'
import {
  areNeighbours,
  asListOf,
  freeName,
  replaceStatements,
  typesOf,
  workOf,
  type RequestHandler,
} from './request-handlers.ts'

/** Each prompt of the list becomes one that is got as before. Says why not, if not. */
export function movePrompts(
  source: Source,
  list: RequestHandler,
  get: RequestHandler,
): string | undefined {
  if (!areNeighbours(source, [list, get])) return 'register prompts one by one'
  const listing = listingOf(source, list, 'prompts')
  if (typeof listing === 'string') return `register prompts one by one: ${listing}`
  const json = source.use('jsonSchema', '@parley/mcp')
  const prompts = listing.name ?? freeName(source, 'prompts', 'listedPrompts')
  const getPrompt = freeName(source, 'getPrompt', 'getListedPrompt')
  const work = workOf(get.handler)
  const hasContext = rewriteHandler(source, work, {
    kind: 'prompt',
    hasInput: true,
    types: typesOf(
      source,
      '{ name: string; arguments: Record<string, unknown> }',
      'GetPromptResult',
    ),
  })
  rewriteProtocolErrors(source, work)
  const of = asListOf(source, prompts, 'Prompt')
  const last = hasContext ? ', context' : ''
  replaceStatements(
    source,
    [
      [list, listing.name === undefined ? () => `const ${prompts} = ${listing.text()}` : undefined],
      [get, () => `const ${getPrompt} = ${source.render(get.handler)}`],
    ],
    (indent, end) =>
      [
        `for (const { name, title, description, arguments: list = [] } of ${of}) {`,
        `  const properties = Object.fromEntries(`,
        `    list.map((one) => [one.name, { type: 'string', ...(one.description && { description: one.description }) }]),`,
        `  )${end}`,
        `  const required = list.filter((one) => one.required).map((one) => one.name)${end}`,
        `  const argumentsSchema = ${json}({ type: 'object', properties, required })${end}`,
        `  ${get.server}.prompt(name, { title, description, argumentsSchema }, (input${last}) =>`,
        `    ${getPrompt}({ params: { name, arguments: input } }${last}),`,
        `  )${end}`,
        `}`,
      ].join(`\n${indent}`),
  )
  return undefined
}

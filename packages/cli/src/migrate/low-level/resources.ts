import { rewriteProtocolErrors, rewriteHandler } from '../handler.ts'
import type { Source } from '../source.ts'
import { isFunction, parts } from '../tree.ts'
import { hasOnly, listingOf, type Listing } from './listing.ts'
import {
  areNeighbours,
  asListOf,
  freeName,
  replaceStatements,
  typesOf,
  workOf,
  type RequestHandler,
} from './request-handlers.ts'

/** The handlers of resources; only that which reads them must be there. */
export interface ResourceHandlers {
  readonly list?: RequestHandler | undefined
  readonly templates?: RequestHandler | undefined
  readonly read: RequestHandler
}

/** Resources that are written become resources, others are listed when they are asked for. Says why not, if not. */
export function moveResources(source: Source, handlers: ResourceHandlers): string | undefined {
  const { list, templates, read } = handlers
  const all = [list, templates, read].filter((candidate) => candidate !== undefined)
  if (!areNeighbours(source, all)) return 'register resources and templates one by one'
  const written = templates && listingOf(source, templates, 'resourceTemplates')
  if (typeof written === 'string') return `register templates one by one: ${written}`
  const readResource = freeName(source, 'readResource', 'readListedResource')
  const listResources = freeName(source, 'listResources', 'listAllResources')
  const work = workOf(read.handler)
  const hasContext = rewriteHandler(source, work, {
    kind: 'prompt',
    hasInput: true,
    types: typesOf(source, '{ uri: string }', 'ReadResourceResult'),
  })
  rewriteProtocolErrors(source, work)
  const listing = list && listingOf(source, list, 'resources')
  const isWritten = typeof listing === 'object' && listing.kind !== 'made'
  const isEmpty = isWritten && listing.kind === 'empty'
  const last = hasContext ? ', context' : ''
  const registrations: string[] = []
  if (isWritten && !isEmpty)
    registrations.push(
      `for (const { uri, ${membersOf(source, listing, 'uri')} } of ${asListOf(source, listing.text(), 'Resource')}) {`,
      `  ${read.server}.resource(uri, ${optionsOf(source, listing, 'uri')}, (_${last}) => ${readResource}({ params: { uri } }${last}))`,
      `}`,
    )
  if (list !== undefined && !isWritten) {
    const hasParams = !isFunction(list.handler) || parts(list.handler, 'params').length > 0
    const listed = `(await ${listResources}(${hasParams ? '{ params: {} }' : ''})).resources`
    registrations.push(
      `${read.server}.resource('{+uri}', { name: 'resource', list: async () => ${listed} }, (_, context) =>`,
      `  ${readResource}({ params: { uri: context.uri } }${last}),`,
      `)`,
    )
    source.leave(
      read.call,
      'every URI is read here: write the template of yours instead of {+uri}',
      'low-level-server',
    )
  }
  if (written !== undefined && written.kind !== 'empty')
    registrations.push(
      `for (const { uriTemplate, ${membersOf(source, written, 'uriTemplate')} } of ${asListOf(source, written.text(), 'ResourceTemplate')}) {`,
      `  ${read.server}.resource(uriTemplate, ${optionsOf(source, written, 'uriTemplate')}, (_, context) => ${readResource}({ params: { uri: context.uri } }${last}))`,
      `}`,
    )
  const listText = () => `const ${listResources} = ${list && source.render(list.handler)}`
  const readText = () => `const ${readResource} = ${source.render(read.handler)}`
  replaceStatements(
    source,
    [
      ...(list === undefined ? [] : [[list, isWritten ? undefined : listText] as const]),
      ...(templates === undefined ? [] : [[templates, undefined] as const]),
      [read, registrations.length === 0 ? undefined : readText],
    ],
    (indent, end) =>
      registrations
        .map((line) => (line.endsWith(')') ? `${line}${end}` : line))
        .join(`\n${indent}`),
  )
  return undefined
}

const memberNames = ['name', 'title', 'description', 'mimeType', 'annotations', 'icons', '_meta']

/** What is taken of each entry: all of it, or of entries from elsewhere what a resource can have. */
function membersOf(source: Source, listing: Listing, key: string): string {
  const isKnown = hasOnly(source, listing, [...memberNames, key])
  return isKnown ? '...options' : memberNames.join(', ')
}

function optionsOf(source: Source, listing: Listing, key: string): string {
  const members = membersOf(source, listing, key)
  return members === '...options' ? 'options' : `{ ${members} }`
}

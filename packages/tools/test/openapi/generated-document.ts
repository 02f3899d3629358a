import type { JsonObject } from '@parley/mcp'

import { bodies, cookies, headers, paths, queries, securities, type Piece } from './constructs.ts'
import { componentsFor, responses } from './generated-components.ts'

/** An operation of the document, with a call of it and the request that this must become. */
export interface Expected {
  readonly method: string
  readonly path: string
  readonly args: JsonObject
  /** Behind the address of the server. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/** A document of an OpenAPI version that has every construct, each in many operations and beside every other. */
export function generateDocument(openapi: string, count: number) {
  const expected: Expected[] = []
  const items: { [path: string]: { [method: string]: object } } = {}
  for (let at = 0; at < count; at += 1) {
    const method = pick(methods, at)
    const canSend = method !== 'get' && method !== 'head'
    // Lists of different lengths go through all pairs of their members.
    const pieces = [
      pick(paths, at),
      pick(queries, at),
      pick(headers, at),
      pick(cookies, at),
      ...(canSend ? [pick(bodies, at)] : []),
    ]
    const security = pick(securities, at)
    const whole = [...pieces, security]
    const path = `/v${at}/things${joinedOf(pieces, 'template')}`
    const query = whole.flatMap((piece) => piece.query ?? []).join('&')
    const cookie = whole.flatMap((piece) => piece.cookie ?? []).join('; ')
    const body = pieces.find((piece) => piece.requestBody !== undefined)
    const parameters = pieces.flatMap((piece) => piece.parameters ?? [])
    const shared = at % 5 === 0 // said of the whole path
    items[path] = {
      ...(shared && { parameters }),
      ...(at % 11 === 0 && { servers: [{ url: 'https://files.example.com/up' }] }),
      [method]: {
        ...idOf(at),
        summary: `Operation ${at}`,
        description: 'It does what it says. '.repeat(at % 7 === 0 ? 60 : 1),
        tags: [`tag-${at % 13}`],
        ...(at % 17 === 0 && { deprecated: true }),
        ...(!shared && { parameters }),
        ...(body && { requestBody: body.requestBody }),
        ...(security.security && { security: security.security }),
        responses: pick(responses, at),
        'x-own': { any: ['thing'] },
      },
    }
    const base = at % 11 === 0 ? 'https://files.example.com/up' : 'https://api.example.com/base'
    expected.push({
      method: method.toUpperCase(),
      path,
      args: Object.assign({}, ...pieces.map(({ args }) => args)) as JsonObject, // JSON in, JSON out
      url: `${base}/v${at}/things${joinedOf(pieces, 'sentPath')}${query && `?${query}`}`,
      headers: Object.assign(
        {},
        ...whole.map((piece) => piece.headers),
        cookie === '' ? {} : { cookie },
      ) as Record<string, string>, // of pieces that have only such
      body: body?.sentBody,
    })
  }
  const document = {
    openapi,
    info: { title: 'Everything', version: '1.0.0' },
    servers: [
      { url: 'https://api.example.com/{stage}', variables: { stage: { default: 'base' } } },
    ],
    security: [{ bearer: [] }],
    paths: items,
    components: componentsFor(openapi),
  }
  return { document, expected }
}

const methods = ['get', 'post', 'put', 'delete', 'patch', 'head', 'options'] as const

/** Some have none, some share one, some are too long or have characters that models refuse. */
function idOf(at: number): { readonly operationId?: string } {
  switch (at % 6) {
    case 0:
      return {}
    case 1:
      return { operationId: 'things/do it' }
    case 2:
      return { operationId: `things.${'of_the_long_kind_'.repeat(5)}${at}` }
    case 3:
      return { operationId: `Dinge/ändern#${at}` }
    default:
      return { operationId: `operation-${at}` }
  }
}

function pick<T>(list: readonly T[], at: number): T {
  const found = list[at % list.length]
  if (found === undefined) throw new RangeError('the list is empty')
  return found
}

function joinedOf(pieces: readonly Piece[], part: 'template' | 'sentPath'): string {
  return pieces.map((piece) => piece[part] ?? '').join('')
}

import type { JsonObject } from '@parley/mcp'

/** A part of an operation, the arguments for it, and how they must be sent, by the tables of the specification. */
export interface Piece {
  readonly parameters?: readonly object[]
  readonly args?: JsonObject
  /** At the end of the path: in the document, and as it is sent. */
  readonly template?: string
  readonly sentPath?: string
  readonly query?: readonly string[]
  readonly headers?: Readonly<Record<string, string>>
  readonly cookie?: readonly string[]
  readonly requestBody?: object
  readonly sentBody?: string
  readonly security?: readonly object[]
}

const list = { type: 'array', items: { type: 'string' } }
const text = { type: 'string' }
const color = { type: 'object', properties: { R: { type: 'integer' }, G: { type: 'integer' } } }

/** `explode` and the value, as in the table of styles: https://spec.openapis.org/oas/v3.1.1#style-examples */
function inPath(style: object, schema: object, value: unknown, sentPath: string): Piece {
  return {
    parameters: [{ name: 'color', in: 'path', required: true, schema, ...style }],
    args: { color: value } as JsonObject, // JSON, as each of the table is
    template: '/{color}',
    sentPath: `/${sentPath}`,
  }
}

const three = ['blue', 'black', 'brown']
const rgb = { R: 100, G: 200 }

export const paths: readonly Piece[] = [
  {},
  inPath({}, text, 'blue green', 'blue%20green'),
  inPath({}, list, three, 'blue,black,brown'),
  inPath({ explode: true }, list, three, 'blue,black,brown'),
  inPath({}, color, rgb, 'R,100,G,200'),
  inPath({ style: 'simple', explode: true }, color, rgb, 'R=100,G=200'),
  inPath({ style: 'label' }, text, 'blue', '.blue'),
  inPath({ style: 'label' }, list, three, '.blue,black,brown'),
  inPath({ style: 'label', explode: true }, list, three, '.blue.black.brown'),
  inPath({ style: 'label' }, color, rgb, '.R,100,G,200'),
  inPath({ style: 'label', explode: true }, color, rgb, '.R=100.G=200'),
  inPath({ style: 'matrix' }, text, 'blue', ';color=blue'),
  inPath({ style: 'matrix' }, list, three, ';color=blue,black,brown'),
  inPath({ style: 'matrix', explode: true }, list, three, ';color=blue;color=black;color=brown'),
  inPath({ style: 'matrix' }, color, rgb, ';color=R,100,G,200'),
  inPath({ style: 'matrix', explode: true }, color, rgb, ';R=100;G=200'),
  {
    parameters: [
      { $ref: '#/components/parameters/Owner' },
      { name: 'id', in: 'path', required: true, schema: { type: 'integer', format: 'int64' } },
    ],
    args: { owner: 'ann/bob', id: 7 },
    template: '/{owner}/of-{id}.json',
    sentPath: '/ann%2Fbob/of-7.json',
  },
]

function inQuery(style: object, schema: object, value: unknown, ...query: string[]): Piece {
  return {
    parameters: [{ name: 'q', in: 'query', schema, ...style }],
    args: { q: value } as JsonObject, // JSON, as each of the table is
    query,
  }
}

export const queries: readonly Piece[] = [
  {},
  inQuery({}, text, 'a&b=c', 'q=a%26b%3Dc'),
  inQuery({}, { type: 'boolean' }, false, 'q=false'),
  inQuery({}, { type: 'number', minimum: 0 }, 0.5, 'q=0.5'),
  inQuery({}, list, three, 'q=blue', 'q=black', 'q=brown'),
  inQuery({ explode: false }, list, three, 'q=blue%2Cblack%2Cbrown'),
  inQuery({ style: 'spaceDelimited', explode: false }, list, three, 'q=blue%20black%20brown'),
  inQuery({ style: 'pipeDelimited', explode: false }, list, three, 'q=blue%7Cblack%7Cbrown'),
  inQuery({}, color, rgb, 'R=100', 'G=200'),
  inQuery({ explode: false }, color, rgb, 'q=R%2C100%2CG%2C200'),
  inQuery({ style: 'deepObject', explode: true }, color, rgb, 'q%5BR%5D=100', 'q%5BG%5D=200'),
  inQuery({ allowReserved: true }, text, '/a:b', 'q=/a:b'),
  {
    parameters: [
      {
        name: 'filter',
        in: 'query',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Filter' } } },
      },
      { $ref: '#/components/parameters/PageSize' },
    ],
    args: { filter: { not: { name: 'x' } }, per_page: 10 },
    query: [`filter=${encodeURIComponent('{"not":{"name":"x"}}')}`, 'per_page=10'],
  },
]

export const headers: readonly Piece[] = [
  {},
  {
    parameters: [{ name: 'X-Trace', in: 'header', schema: text }],
    args: { 'X-Trace': 'a b' },
    headers: { 'x-trace': 'a b' },
  },
  {
    parameters: [
      { name: 'X-Ids', in: 'header', schema: list },
      { name: 'X-Color', in: 'header', explode: true, schema: color },
      { name: 'Authorization', in: 'header', schema: text }, // a document cannot describe these
      { name: 'Accept', in: 'header', schema: text },
    ],
    args: { 'X-Ids': three, 'X-Color': rgb },
    headers: { 'x-ids': 'blue,black,brown', 'x-color': 'R=100,G=200' },
  },
]

export const cookies: readonly Piece[] = [
  {},
  {
    parameters: [{ name: 'lang', in: 'cookie', schema: text }],
    args: { lang: 'de; x' },
    cookie: ['lang=de%3B%20x'],
  },
  {},
  {
    parameters: [{ name: 'seen', in: 'cookie', explode: false, schema: list }],
    args: { seen: three },
    cookie: ['seen=blue%2Cblack%2Cbrown'],
  },
]

function asBody(type: string, schema: object, value: unknown, sentBody: string): Piece {
  return {
    requestBody: { required: true, content: { [type]: { schema } } },
    args: { body: value } as JsonObject, // JSON, as each of these is
    sentBody,
    headers: { 'content-type': type },
  }
}

const pet = { $ref: '#/components/schemas/Pet' }
const cat = { kind: 'cat', name: 'Tom', tags: ['a'], parent: { kind: 'dog', name: 'Rex' } }

export const bodies: readonly Piece[] = [
  {},
  asBody('application/json', pet, cat, JSON.stringify(cat)),
  asBody('application/merge-patch+json', pet, cat, JSON.stringify(cat)),
  asBody(
    'application/json; charset=utf-8',
    { type: 'array', items: pet },
    [cat],
    JSON.stringify([cat]),
  ),
  asBody('text/plain', text, 'some\nlines', 'some\nlines'),
  asBody(
    'application/x-www-form-urlencoded',
    { type: 'object' },
    { a: 'x y', list: ['1', '2'], deep: { b: { c: 3 } } },
    'a=x+y&list=1&list=2&deep%5Bb%5D%5Bc%5D=3',
  ),
  {
    requestBody: { $ref: '#/components/requestBodies/Tree' },
    args: { body: { label: 'root', children: [{ label: 'leaf' }] } },
    sentBody: '{"label":"root","children":[{"label":"leaf"}]}',
    headers: { 'content-type': 'application/json' },
  },
  {
    // Not required, and of a kind that cannot be written: it is left out.
    requestBody: { content: { 'application/octet-stream': { schema: text } } },
  },
]

/** What `credentials` of the test has. */
export const securities: readonly Piece[] = [
  { headers: { authorization: 'Bearer token' } }, // of the whole document
  { security: [] },
  { security: [{ headerKey: [] }], headers: { 'x-key': 'key' } },
  { security: [{ queryKey: [] }], query: ['api_key=key'] },
  { security: [{ cookieKey: [] }], cookie: ['sid=key'] },
  { security: [{ basic: [] }], headers: { authorization: `Basic ${btoa('ann:pass')}` } },
  { security: [{ oauth: ['read'] }], headers: { authorization: 'Bearer oauth-token' } },
  { security: [{ openid: [] }], headers: { authorization: 'Bearer id-token' } },
  {
    security: [{ unknownToUs: [] }, { headerKey: [], queryKey: [] }],
    headers: { 'x-key': 'key' },
    query: ['api_key=key'],
  },
  { security: [{}, { bearer: [] }] },
]

import { describe, expect, test } from 'vitest'

import type { JsonObject } from '../../src/schema/json.ts'
import type { JsonSchema } from '../../src/schema/standard-schema.ts'
import { headerMismatch, mirroredHeaders, mirroredName } from '../../src/wire/headers.ts'
import {
  headerAnnotations,
  paramHeaders,
  paramMismatch,
  type HeaderAnnotation,
} from '../../src/wire/param-headers.ts'

const version = '2026-07-28'

/** Reads headers as a server does: by names in lower case. */
function reader(headers: Record<string, string>): (name: string) => string | undefined {
  const given = new Headers(headers)
  return (name) => given.get(name) ?? undefined
}

function annotationsOf(schema: JsonSchema): readonly HeaderAnnotation[] {
  const read = headerAnnotations(schema)
  if ('problem' in read) throw new Error(read.problem)
  return read.annotations
}

describe('what a request names', () => {
  test.each<[string, JsonObject, string | undefined]>([
    ['tools/call', { name: 'add', uri: 'a:b' }, 'add'],
    ['prompts/get', { name: 'review' }, 'review'],
    ['resources/read', { uri: 'a:b', name: 'no' }, 'a:b'],
    ['tasks/get', { taskId: 't1' }, 't1'],
    ['tasks/update', { taskId: 't1' }, 't1'],
    ['tasks/cancel', { taskId: 't1' }, 't1'],
    ['tasks/result', { taskId: 't1' }, undefined],
    ['tools/list', { name: 'add' }, undefined],
    ['subscriptions/listen', { uri: 'a:b' }, undefined],
    ['tools/call', { name: 7 }, undefined],
    ['tools/call', {}, undefined],
    ['toString', { name: 'add' }, undefined],
  ])('%s %j', (method, params, name) => {
    expect(mirroredName(method, params)).toBe(name)
  })
})

describe('the headers of a request [N07-HDR-01]', () => {
  test('repeat its revision, its method and its name', () => {
    expect(mirroredHeaders({ method: 'tools/call', params: { name: 'größe' } }, version)).toEqual({
      'mcp-protocol-version': version,
      'mcp-method': 'tools/call',
      'mcp-name': '=?base64?Z3LDtsOfZQ==?=',
    })
    expect(mirroredHeaders({ method: 'tools/list', params: { name: 'x' } }, version)).toEqual({
      'mcp-protocol-version': version,
      'mcp-method': 'tools/list',
    })
  })

  test('agree with it, whatever it is', () => {
    for (const name of ['add', '', ' a', 'é', '=?base64?x?=', 'a\nb']) {
      const request = { method: 'tools/call', params: { name } }
      const headers = mirroredHeaders(request, version)
      expect(headerMismatch(request, (header) => headers[header])).toBeUndefined()
    }
  })
})

describe('a request and its headers [N07-HDR-02]', () => {
  const request = { method: 'tools/call', params: { name: 'add' } }
  const headers = {
    'Mcp-Method': 'tools/call',
    'Mcp-Name': 'add',
  }

  test.each<[string, Record<string, string>]>([
    ['as they are', {}],
    ['with a name in base64', { 'Mcp-Name': '=?base64?YWRk?=' }],
    ['with blanks around a value [N07-HDR-06]', { 'Mcp-Method': '  tools/call ' }],
  ])('agree %s', (_, changed) => {
    expect(headerMismatch(request, reader({ ...headers, ...changed }))).toBeUndefined()
  })

  test('names of headers are the same in any case [N07-HDR-03]', () => {
    const shouted = Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value])
    expect(headerMismatch(request, reader(Object.fromEntries(shouted)))).toBeUndefined()
  })

  test.each<[string, string, string | undefined]>([
    ['another method', 'Mcp-Method', 'tools/list'],
    ['the method in another case [N07-HDR-03]', 'Mcp-Method', 'TOOLS/CALL'],
    ['no method', 'Mcp-Method', undefined],
    ['another name', 'Mcp-Name', 'sub'],
    ['the name in another case [N07-HDR-03]', 'Mcp-Name', 'ADD'],
    ['no name', 'Mcp-Name', undefined],
    ['a name in bad base64 [N07-HDR-05]', 'Mcp-Name', '=?base64?YWRk=?='],
  ])('do not agree with %s', (_, header, value) => {
    const { [header]: _replaced, ...rest } = headers as Record<string, string>
    const given = value === undefined ? rest : { ...rest, [header]: value }

    expect(headerMismatch(request, reader(given))).toMatchObject({
      code: 'header_mismatch',
      data: { header },
      message: expect.stringContaining(header),
    })
  })

  test('a name is not asked for where there is none', () => {
    const list = { method: 'tools/list', params: {} }
    const given = { ...headers, 'Mcp-Method': 'tools/list' }
    expect(headerMismatch(list, reader(given))).toBeUndefined()
  })
})

const object = (properties: object, more: object = {}): JsonSchema => ({
  type: 'object',
  properties,
  ...more,
})
const region = { type: 'string', 'x-mcp-header': 'Region' }

describe('annotations of arguments [N07-XHDR-01] [N07-XHDR-02]', () => {
  test('are found on properties, however deep', () => {
    const schema = object({
      region,
      count: { type: 'integer', 'x-mcp-header': 'Count' },
      plain: { type: 'string' },
      tenant: object({ flags: object({ dry: { type: 'boolean', 'x-mcp-header': "D!y'" } }) }),
    })

    expect(headerAnnotations(schema)).toEqual({
      annotations: [
        { header: 'Region', path: ['region'], type: 'string' },
        { header: 'Count', path: ['count'], type: 'integer' },
        { header: "D!y'", path: ['tenant', 'flags', 'dry'], type: 'boolean' },
      ],
    })
  })

  test('are none in names and examples', () => {
    const schema = object({
      'x-mcp-header': { type: 'string' },
      properties: object({ items: { type: 'number' } }),
      sample: { default: region, examples: [region], enum: [region], const: region },
      any: true,
    })

    expect(headerAnnotations(schema)).toEqual({ annotations: [] })
    expect(headerAnnotations({ type: 'object' })).toEqual({ annotations: [] })
  })

  test.each<[string, JsonSchema]>([
    ['an empty name', object({ a: { ...region, 'x-mcp-header': '' } })],
    ['a blank', object({ a: { ...region, 'x-mcp-header': 'My Region' } })],
    ['a colon', object({ a: { ...region, 'x-mcp-header': 'a:b' } })],
    ['a letter that is not ASCII', object({ a: { ...region, 'x-mcp-header': 'Größe' } })],
    ['a control character', object({ a: { ...region, 'x-mcp-header': 'a\nb' } })],
    ['a name that is no string', object({ a: { ...region, 'x-mcp-header': true } })],
    ['null for a name', object({ a: { ...region, 'x-mcp-header': null } })],
    ['one name twice', object({ a: region, b: region })],
    ['one name in two cases', object({ a: region, b: { ...region, 'x-mcp-header': 'REGION' } })],
    ['one name on two levels', object({ a: region, b: object({ c: region }) })],
    ['a number', object({ a: { ...region, type: 'number' } })],
    ['an object', object({ a: { ...region, type: 'object' } })],
    ['an array', object({ a: { ...region, type: 'array' } })],
    ['null', object({ a: { ...region, type: 'null' } })],
    ['a union [N07-T-11]', object({ a: { ...region, type: ['string', 'null'] } })],
    ['a union of one [N07-T-11]', object({ a: { ...region, type: ['string'] } })],
    ['no type', object({ a: { 'x-mcp-header': 'Region', enum: ['eu'] } })],
    ['a reference', object({ a: { $ref: '#/$defs/a', 'x-mcp-header': 'Region' } })],
    ['the root', object({}, { 'x-mcp-header': 'Region' })],
    ['items', object({ a: { type: 'array', items: region } })],
    ['properties of items', object({ a: { type: 'array', items: object({ b: region }) } })],
    ['prefixItems', object({ a: { type: 'array', prefixItems: [region] } })],
    ['contains', object({ a: { type: 'array', contains: region } })],
    ['oneOf', object({}, { oneOf: [object({ a: region })] })],
    ['anyOf', object({ a: { anyOf: [region, { type: 'null' }] } })],
    ['allOf', object({}, { allOf: [object({ a: region })] })],
    ['not', object({}, { not: object({ a: region }) })],
    ['if', object({}, { if: object({ a: region }) })],
    ['then', object({}, { ['then' as string]: object({ a: region }) })],
    ['else', object({}, { else: object({ a: region }) })],
    ['$defs', object({ a: { $ref: '#/$defs/r' } }, { $defs: { r: region } })],
    ['definitions', object({ a: { $ref: '#/definitions/r' } }, { definitions: { r: region } })],
    ['additionalProperties', object({}, { additionalProperties: region })],
    ['patternProperties', object({}, { patternProperties: { '^a': region } })],
    ['dependentSchemas', object({}, { dependentSchemas: { a: object({ b: region }) } })],
  ])('are refused with or on %s', (_, schema) => {
    expect(headerAnnotations(schema)).toEqual({ problem: expect.stringContaining('x-mcp-header') })
  })
})

describe('headers of arguments [N07-XHDR-03]', () => {
  const annotations = annotationsOf(
    object({
      region,
      count: { type: 'integer', 'x-mcp-header': 'Count' },
      dry: { type: 'boolean', 'x-mcp-header': 'Dry-Run' },
      tenant: object({ name: { type: 'string', 'x-mcp-header': 'Tenant' } }),
      constructor: object({ name: { type: 'string', 'x-mcp-header': 'Inherited' } }),
    }),
  )
  const args = { region: 'eu', count: 42, dry: false, tenant: { name: 'Ä' }, other: 'not said' }
  const headers = {
    'mcp-param-region': 'eu',
    'mcp-param-count': '42',
    'mcp-param-dry-run': 'false',
    'mcp-param-tenant': '=?base64?w4Q=?=',
  }

  test('repeat each annotated one, nested ones too', () => {
    expect(paramHeaders(annotations, args)).toEqual(headers)
    expect(paramMismatch(annotations, args, reader(headers))).toBeUndefined()
  })

  test.each<[string, JsonObject]>([
    ['absent', {}],
    ['null', { region: null, count: null, tenant: null }],
    ['null inside', { tenant: { name: null } }],
    ['something else', { region: ['eu'], count: {}, tenant: 'acme' }],
  ])('are none for what is %s', (_, given) => {
    expect(paramHeaders(annotations, given)).toEqual({})
    expect(paramMismatch(annotations, given, reader({}))).toBeUndefined()
  })

  test('are there for an empty text', () => {
    expect(paramHeaders(annotations, { region: '' })).toEqual({ 'mcp-param-region': '' })
    expect(
      paramMismatch(annotations, { region: '' }, reader({ 'mcp-param-region': '' })),
    ).toBeUndefined()
  })

  test('an integer is compared as a number, and names of headers in any case', () => {
    const other = { ...headers, 'mcp-param-count': '42.0' }
    expect(paramMismatch(annotations, args, reader(other))).toBeUndefined()
  })

  test.each<[string, string, Record<string, string>, JsonObject?]>([
    ['another value', 'Mcp-Param-Region', { 'mcp-param-region': 'us' }],
    ['another case', 'Mcp-Param-Region', { 'mcp-param-region': 'EU' }],
    ['another number', 'Mcp-Param-Count', { 'mcp-param-count': '43' }],
    ['no number', 'Mcp-Param-Count', { 'mcp-param-count': 'many' }],
    ['another truth', 'Mcp-Param-Dry-Run', { 'mcp-param-dry-run': 'true' }],
    ['bad base64', 'Mcp-Param-Tenant', { 'mcp-param-tenant': '=?base64?w4Q?=' }],
    ['a header for what is absent', 'Mcp-Param-Region', {}, { ...args, region: null }],
  ])('%s is found [N07-XHDR-05]', (_, wrong, changed, given = args) => {
    expect(paramMismatch(annotations, given, reader({ ...headers, ...changed }))).toBe(wrong)
  })

  test.each(Object.keys(headers))('%s may not be missing [N07-XHDR-05]', (missing) => {
    const rest = Object.fromEntries(Object.entries(headers).filter(([name]) => name !== missing))
    expect(paramMismatch(annotations, args, reader(rest))?.toLowerCase()).toBe(missing)
  })

  test('those that no annotation asks for are passed over', () => {
    const more = { ...headers, 'mcp-param-unknown': 'x' }
    expect(paramMismatch(annotations, args, reader(more))).toBeUndefined()
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { RpcError, wireCodes, type RpcErrorCode } from '../../src/rpc/errors/rpc-error.ts'
import type { ContentBlock } from '../../src/schema/content.ts'
import type { CallToolResult } from '../../src/schema/tools.ts'
import { decodeWireError, encodeWireError } from '../../src/wire/error-codes.ts'
import { codecFor, newestLegacy, legacyRevisions } from '../../src/wire/revisions.ts'

const contentTypes: Record<string, readonly string[]> = {
  '2024-11-05': ['text', 'image', 'resource'],
  '2025-03-26': ['text', 'image', 'audio', 'resource'],
  '2025-06-18': ['text', 'image', 'audio', 'resource', 'resource_link'],
  '2025-11-25': ['text', 'image', 'audio', 'resource', 'resource_link'],
}

const meta = fc.record({ 'com.example/a': fc.string() })
const annotations = fc.record(
  { priority: fc.double({ min: 0, max: 1 }), lastModified: fc.constant('2025-06-18T00:00:00Z') },
  { requiredKeys: [] },
)
const extras = { annotations, _meta: meta }
const media = { data: fc.base64String(), mimeType: fc.constant('audio/wav'), ...extras }
const optional = (...keys: string[]) => ({ requiredKeys: keys as never[] })

const block = fc.oneof(
  fc.record({ type: fc.constant('text'), text: fc.string(), ...extras }, optional('type', 'text')),
  fc.record({ type: fc.constant('image'), ...media }, optional('type', 'data', 'mimeType')),
  fc.record({ type: fc.constant('audio'), ...media }, optional('type', 'data', 'mimeType')),
  fc.record(
    {
      type: fc.constant('resource'),
      resource: fc.record({ uri: fc.webUrl(), text: fc.string(), _meta: meta }),
      ...extras,
    },
    optional('type', 'resource'),
  ),
  fc.record(
    {
      type: fc.constant('resource_link'),
      uri: fc.webUrl(),
      name: fc.string(),
      title: fc.string(),
      description: fc.string(),
      ...extras,
    },
    optional('type', 'uri', 'name'),
  ),
) as fc.Arbitrary<ContentBlock>

const toolResult = fc.record(
  {
    content: fc.array(block),
    structuredContent: fc.jsonValue(),
    isError: fc.boolean(),
    _meta: meta,
  },
  { requiredKeys: ['content'] },
)

describe.each(legacyRevisions)('the codec of %s', (revision) => {
  const codec = codecFor(revision)
  const encode = (result: object): CallToolResult =>
    codec?.encodeResult('tools/call', result) as CallToolResult

  test('writes only what the revision has, and loses no block [XREV-05, XREV-06]', () => {
    fc.assert(
      fc.property(toolResult, (result) => {
        const { content, structuredContent } = encode(result)
        const blocks = content.slice(0, result.content.length)

        expect(blocks).toHaveLength(result.content.length)
        for (const { type } of content) expect(contentTypes[revision]).toContain(type)
        if (revision >= '2025-06-18') return
        expect(structuredContent).toBeUndefined()
        expect(JSON.stringify(content)).not.toMatch(/"(_meta|lastModified)":/)
      }),
    )
  })

  test('keeps every structured value, as itself or as text [XREV-07]', () => {
    fc.assert(
      fc.property(toolResult, (result) => {
        fc.pre(result.structuredContent !== undefined)
        const { content, structuredContent } = encode(result)

        const said = JSON.stringify(result.structuredContent)
        const texts = content.flatMap((one) => (one.type === 'text' ? [one.text] : []))
        const values = [JSON.stringify(structuredContent), ...texts.map(normalized)]
        expect(values).toContain(said)
      }),
    )
  })

  test('changes nothing the second time [XREV-08]', () => {
    fc.assert(
      fc.property(toolResult, (result) => {
        const once = encode(result)

        expect(encode(once)).toEqual(once)
      }),
    )
  })

  test('leaves a result alone that needs no change', () => {
    const result = { content: [] }

    expect(encode(result)).toBe(result)
  })
})

describe('the codes of errors', () => {
  const codes = Object.keys(wireCodes) as RpcErrorCode[] // the table's own keys

  test.each(codes)('%s survives the way there and back', (code) => {
    const error = new RpcError(code, 'why')

    const decoded = decodeWireError(encodeWireError(error))

    const isNamed = code !== 'other' // which has the number of an internal error unless given one
    expect(decoded.code).toBe(isNamed ? code : 'internal_error')
    expect(decoded.message).toBe('why')
  })

  test.each([401, 403, 404, 413, 503, -32000, -32001, -32019, 7])(
    'do not take %i from a stranger for one of ours',
    (code) => {
      expect(decodeWireError({ code, message: '' })).toMatchObject({
        code: 'other',
        wireCode: code,
      })
    },
  )

  test('keep what a stranger sends with them', () => {
    const data = { reason: 'overloaded', more: [1] }

    expect(decodeWireError({ code: -32000, message: 'x', data })).toMatchObject({
      code: 'other',
      data,
    })
  })
})

test('revisions we do not speak, or may not, have no codec [XREV-01]', () => {
  expect(codecFor('2099-01-01')).toBeUndefined()
  expect(codecFor('2025-06-18', ['2024-11-05'])).toBeUndefined()
  expect(newestLegacy(['2024-11-05', '2025-03-26'])?.revision).toBe('2025-03-26')
  expect(newestLegacy(['1999-01-01'])).toBeUndefined()
})

function normalized(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    return text
  }
}

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { repeatsValue, decodeHeaderValue, encodeHeaderValue } from '../../src/wire/headers.ts'

const wrap = (text: string): string => `=?base64?${Buffer.from(text).toString('base64')}?=`

describe('a value becomes a header [N07-HDR-04]', () => {
  test.each<[string | number | boolean, string]>([
    ['eu', 'eu'],
    ['', ''],
    [42, '42'],
    [-7, '-7'],
    [0, '0'],
    [true, 'true'],
    [false, 'false'],
    ['a b', 'a b'],
    ['file:///path/to/file%20name.txt', 'file:///path/to/file%20name.txt'],
    ['=?base64?x', '=?base64?x'],
    ['x?=', 'x?='],
    ['=?BASE64?x?=', '=?BASE64?x?='],
  ])('as it is: %j', (value, header) => {
    expect(encodeHeaderValue(value)).toBe(header)
  })

  test.each([
    ' a',
    'a ',
    ' ',
    '\ta',
    'a\tb',
    'é',
    '世界',
    '😀',
    'a\nb',
    'a\r\nx-admin: 1',
    '\0',
    '\x7f',
    '\ufeffa',
    '\u00a0a',
    '=?base64?x?=',
    '=?base64??=',
    '=?base64?=',
  ])('by base64: %j', (value) => {
    expect(encodeHeaderValue(value)).toBe(wrap(value))
  })
})

describe('a header is read [N07-HDR-05]', () => {
  test.each([
    ['eu', 'eu'],
    ['', ''],
    ['a b', 'a b'],
    ['a\tb', 'a\tb'],
    ['=?base64?SGVsbG8=?=', 'Hello'],
    ['=?base64??=', ''],
    ['=?base64?77u/YQ==?=', '\ufeffa'],
  ])('%j says %j', (header, value) => {
    expect(decodeHeaderValue(header)).toBe(value)
  })

  test.each(['SGVsbG8=', '=?base64?SGVsbG8=', 'SGVsbG8=?=', '=?BASE64?SGVsbG8=?=', '=?base64?='])(
    'literally where a mark is missing or in another case: %j',
    (header) => {
      expect(decodeHeaderValue(header)).toBe(header)
    },
  )

  test.each([
    ['no padding', '=?base64?SGVsbG8?='],
    ['too much padding', '=?base64?SGVsbG8==?='],
    ['padding in the middle', '=?base64?SG=sbG8=?='],
    ['another alphabet', '=?base64?SGVs!!!bG8=?='],
    ['the alphabet of URLs', '=?base64?-_8=?='],
    ['blanks inside', '=?base64?SGVs bG8=?='],
    ['bits left over', '=?base64?SGVsbG9=?='],
    ['no UTF-8', '=?base64?/w==?='],
    ['a raw letter that is not ASCII', 'é'],
    ['a raw control character', 'a\x01b'],
  ])('not at all with %s', (_, header) => {
    expect(decodeHeaderValue(header)).toBeUndefined()
  })

  test('without the blanks around it [N07-HDR-06]', () => {
    expect(decodeHeaderValue(' \teu \t')).toBe('eu')
    expect(decodeHeaderValue(' =?base64?IGE=?= ')).toBe(' a')
  })
})

test('any text survives the way, in printable ASCII', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const header = encodeHeaderValue(text)
      expect(header).toMatch(/^[\x20-\x7e]*$/)
      expect(header.trim()).toBe(header)
      expect(decodeHeaderValue(header)).toBe(text)
    }),
  )
})

test('any header is read or refused, and never throws', () => {
  const almost = fc.string().map((inner) => `=?base64?${inner}?=`)
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), almost), (header) => {
      const value = decodeHeaderValue(header)
      if (value !== undefined) expect(repeatsValue(header, value)).toBe(true)
    }),
  )
})

describe('a header repeats the body', () => {
  test.each<[string, string | number | boolean]>([
    ['eu', 'eu'],
    ['=?base64?ZXU=?=', 'eu'],
    ['', ''],
    ['42', 42],
    ['42.0', 42],
    ['4.2e1', 42],
    ['=?base64?NDI=?=', 42],
    ['-0', 0],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
    ['true', true],
    ['42', '42'],
    [encodeHeaderValue('\ud800'), '\ud800'],
  ])('%j that of %j [N07-HDR-05]', (header, value) => {
    expect(repeatsValue(header, value)).toBe(true)
  })

  test.each<[string | undefined, string | number | boolean | undefined]>([
    ['EU', 'eu'],
    ['eu', 'us'],
    [undefined, 'eu'],
    [undefined, ''],
    ['eu', undefined],
    ['', undefined],
    ['43', 42],
    ['042', 42],
    ['0x2a', 42],
    ['', 0],
    [' ', 0],
    ['9007199254740993', 2 ** 53],
    ['9007199254740992', 2 ** 53],
    ['TRUE', true],
    ['1', true],
    ['false', true],
    ['42.0', '42'],
    ['=?base64?ZXU?=', 'eu'],
    ['é', 'é'],
  ])('%j not that of %j [N07-HDR-03] [N07-XHDR-05]', (header, value) => {
    expect(repeatsValue(header, value)).toBe(false)
  })
})

import { decodeText } from '@parley/server-kit/fetch'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const latin = (text: string) => Buffer.from(text, 'latin1')

test.each([
  ['the header', latin('caf\u00e9'), 'text/plain; charset=ISO-8859-1', 'café'],
  ['the header, quoted', latin('caf\u00e9'), 'text/html;charset="windows-1252"', 'café'],
  ['nothing: UTF-8', Buffer.from('café'), 'text/html', 'café'],
  ['nothing at all: UTF-8', Buffer.from('café'), undefined, 'café'],
  ['a byte order mark of UTF-8', Buffer.from('\ufeffcafé'), 'text/html; charset=latin1', 'café'],
  ['a byte order mark of UTF-16', Buffer.from('\ufeffcafé', 'utf16le'), 'text/html', 'café'],
  [
    'a byte order mark of UTF-16, the other way round',
    Buffer.from('\ufeffcafé', 'utf16le').swap16(),
    '',
    'café',
  ],
  [
    'a meta element',
    latin('<html><meta charset="iso-8859-1">caf\u00e9'),
    'text/html',
    '<html><meta charset="iso-8859-1">café',
  ],
  [
    'a meta element of the older form',
    latin('<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">\u00c1'),
    '',
    '<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">а',
  ],
  [
    'the declaration of XML',
    latin('<?xml version="1.0" encoding="latin1"?><a>\u00e9</a>'),
    'application/xml',
    '<?xml version="1.0" encoding="latin1"?><a>é</a>',
  ],
  [
    'a meta element in what is no page',
    Buffer.from('<meta charset="latin1">é'),
    'text/plain',
    '<meta charset="latin1">é',
  ],
  [
    'the header before a meta element',
    Buffer.from('<meta charset="latin1">é'),
    'text/html; charset=utf-8',
    '<meta charset="latin1">é',
  ],
  [
    'a meta element that cannot be true',
    Buffer.from('<meta charset="utf-16">é'),
    'text/html',
    '<meta charset="utf-16">é',
  ],
  ['an encoding nobody knows', Buffer.from('café'), 'text/html; charset=klingon', 'café'],
  ['japanese', Buffer.from([0x93, 0xfa, 0x96, 0x7b]), 'text/html; charset=Shift_JIS', '日本'],
])('reads by %s', (_, bytes, contentType, text) => {
  expect(decodeText(bytes, contentType)).toBe(text)
})

test('never throws, whatever a host sends', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.string(), (bytes, contentType) => {
      expect(typeof decodeText(bytes, contentType)).toBe('string')
    }),
  )
})

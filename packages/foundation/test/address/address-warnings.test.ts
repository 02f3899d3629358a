import { domainToUnicode } from 'node:url'

import { addressWarnings } from '@parley/foundation/address'
import { parseUrl } from '@parley/mcp/address'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { decodeLabel } from '../../src/address/punycode.ts'

describe('warnings about an address', () => {
  it.each([
    'https://example.com/authorize?client_id=a',
    'http://127.0.0.1:3000/callback',
    'http://[::1]/mcp',
    'not an address',
    'mailto:someone@example.com',
  ])('has none about %s', (url) => {
    expect(addressWarnings(url)).toEqual([])
  })

  it('names both spellings of a host in Punycode, however often it is asked', () => {
    for (let times = 0; times < 20_000; times++) addressWarnings('https://münchen.example/')

    const [first, ...others] = addressWarnings('https://münchen.example/')
    expect(first).toContain('xn--mnchen-3ya.example')
    expect(first).toContain('"münchen.example"')
    expect(others).toEqual([])
  })

  it('names the scripts that a word mixes', () => {
    const url = 'https://p\u0430ypal.example/' // a Cyrillic a
    expect(addressWarnings(url).join('\n')).toMatch(/mixes letters of Latin and Cyrillic/)
  })

  it('warns of letters of one script that look like others', () => {
    expect(addressWarnings('https://xn--80ak6aa92e.com/')).toHaveLength(1)
  })

  it('takes scripts that are written together as ordinary', () => {
    expect(addressWarnings('https://東京タワーtokyo.example/')).toHaveLength(1)
  })

  it('says where an address with a user name leads', () => {
    expect(addressWarnings('https://bank.example@evil.test:8443/')).toEqual([
      'The part before "@" is a user name: the address leads to evil.test:8443.',
    ])
  })

  it('says so where Punycode cannot be decoded', () => {
    // Parsers of URLs refuse these; other schemes are not parsed so far.
    expect(addressWarnings('app://xn--0000000000/')).toEqual([
      'The host xn--0000000000 is written in Punycode, and "xn--0000000000" cannot be decoded.',
    ])
  })

  it('decodes what the platform decodes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }), (text) => {
        const url = `https://${text}.example/`
        const ascii = parseUrl(url)?.hostname ?? ''
        const decoded = ascii.split('.').map((label) => decodeLabel(label))
        expect(decoded.join('.')).toBe(domainToUnicode(ascii))
      }),
    )
  })
})

import { canonicalUri } from '@parley/mcp/address'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

describe('one spelling for each URI', () => {
  test.each([
    ['file:///etc/passwd', 'file:///etc/passwd'],
    ['file:///%65tc/passwd', 'file:///etc/passwd'],
    ['file:////etc/passwd', 'file:///etc/passwd'],
    ['file:///srv/..///etc/./passwd', 'file:///etc/passwd'],
    ['file:///srv/%2e%2E/etc/passwd', 'file:///etc/passwd'],
    ['FILE:///etc/passwd', 'file:///etc/passwd'],
    ['file://localhost/etc/passwd', 'file:///etc/passwd'],
    ['file:/etc/passwd', 'file:///etc/passwd'],
    ['file:///a%3ab/c%20d/%c3%a4', 'file:///a:b/c%20d/%C3%A4'],
    ['file:///a\u0308', 'file:///%C3%A4'],
    ['file:///100%25', 'file:///100%25'],
    ['file:///srv/', 'file:///srv/'],
    ['https://Example.com.:443/%61?q=%61%2f#%7e', 'https://example.com/a?q=a%2F#~'],
    ['https://example.com:8443//x', 'https://example.com:8443/x'],
    ['http://[::1]:80/x', 'http://[::1]/x'],
    ['notes://%64aily/a/../b', 'notes://daily/b'],
    ['urn:isbn:%30', 'urn:isbn:0'],
    ['mem:a//b', 'mem:a/b'],
  ])('%s is %s', (uri, expected) => {
    expect(canonicalUri(uri)).toBe(expected)
  })

  test.each([
    'file:///etc%2fpasswd',
    'file:///srv/..%2fetc/passwd',
    'file:///srv/..%5cetc',
    'file:///srv//../etc/passwd',
    'file:///a%00b',
    'file:///a\nb',
    'file:///a\\b',
    'file://elsewhere/etc/passwd',
    'file:///%ff',
    'file:///100%',
    'https://user@example.com/',
    'notes://a%40b/c',
    'mem:a/../b',
    'no uri',
    '',
  ])('%j has none', (uri) => {
    expect(canonicalUri(uri)).toBeUndefined()
  })

  test('the canonical form of a canonical form is the same', () => {
    const piece = fc.constantFrom(
      'a',
      '/',
      '.',
      '..',
      '%2e',
      '%65',
      '%2F',
      '%25',
      'ä',
      ':',
      '?',
      '@',
    )
    fc.assert(
      fc.property(
        fc.constantFrom('file:///', 'https://h/', 'x://h/', 'x:'),
        fc.array(piece, { maxLength: 12 }),
        (start, pieces) => {
          const once = canonicalUri(start + pieces.join(''))
          if (once !== undefined) expect(canonicalUri(once)).toBe(once)
        },
      ),
    )
  })
})

import { safeJson, safeText } from '@parley/foundation/terminal'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const escape = '\u001b'

test.each([
  ['colours', `${escape}[31mred${escape}[0m`, '\\e[31mred\\e[0m'],
  [
    'a link',
    `${escape}]8;;https://evil.example${escape}\\click`,
    '\\e]8;;https://evil.example\\e\\click',
  ],
  ['the clipboard', `${escape}]52;c;cm0gLXJm\u0007`, '\\e]52;c;cm0gLXJm\\x07'],
  ['one-byte sequences', '\u009b2J\u009d0;title\u009c', '\\x9b2J\\x9d0;title\\x9c'],
  ['going back', 'safe\rEVIL\b\b', 'safe\\rEVIL\\x08\\x08'],
  ['turned text', 'user\u202Etxt.exe\u2066', 'user\\u{202e}txt.exe\\u{2066}'],
  ['hidden letters', 'a\u200Bb\uFEFFc\u{E0041}', 'a\\u{200b}b\\u{feff}c\\u{e0041}'],
  ['half a letter', 'a\uD800b', 'a\\u{d800}b'],
])('shows %s as what it is', (_, text, shown) => {
  expect(safeText(text)).toBe(shown)
})

test('keeps lines, tabs, letters of every script and emoji', () => {
  const text = 'a\tb\nשלום नमस्ते 👩‍👩‍👧 日本語'

  expect(safeText(text)).toBe(text)
  expect(safeText('a\nb', { multiline: false })).toBe('a\\nb')
})

test('cuts huge lines and says so', () => {
  expect(safeText(`${'x'.repeat(1_000_000)}\nnext`, { lineLength: 10 })).toBe(
    'xxxxxxxxxx… (999990 more characters)\nnext',
  )
})

// oxlint-disable-next-line no-control-regex
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/

test('nothing that a terminal would act on comes through', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(safeText(text)).not.toMatch(controls)
    }),
  )
})

test('JSON stays the same value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string({ unit: 'binary' }), (value, text) => {
      const shown = safeJson({ value, text }, 2)
      expect(JSON.parse(shown)).toEqual(JSON.parse(JSON.stringify({ value, text })))
      expect(shown).not.toMatch(controls)
    }),
  )
})

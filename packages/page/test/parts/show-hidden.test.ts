import { describe, expect, test } from 'vitest'

import { showHidden } from '../../src/parts/text/show-hidden.ts'

describe('text of strangers', () => {
  test.each([
    ['turned around', 'safe\u202Etxt.exe', 'safe‹U+202E›txt.exe'],
    ['without width', 'git\u200Bhub', 'git‹U+200B›hub'],
    ['of a second alphabet', 'a\u{E0041}b', 'a‹U+E0041›b'],
    ['for terminals', '\u001B[31mred', '‹U+001B›[31mred'],
  ])('shows what is %s', (_, text, expected) => {
    expect(showHidden(text)).toBe(expected)
  })

  test.each(['plain text\nwith\ttabs', 'Météo 天気 طقس', '👩‍🚀 and 👨‍👩‍👧', 'می‌خواهم'])(
    'leaves %j as it is',
    (text) => {
      expect(showHidden(text)).toBe(text)
    },
  )
})

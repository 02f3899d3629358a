import { expect, test } from 'vitest'

import { composerLines } from '../../src/terminal/composer-lines.ts'
import {
  editText,
  emptyComposer,
  moveLine,
  wholeText,
  type Composer,
} from '../../src/terminal/composer.ts'
import type { Key, KeyName } from '../../src/terminal/key-reader.ts'

function typed(...keys: readonly (string | Key)[]): Composer {
  return keys.reduce<Composer>((composer, key) => {
    const pressed = typeof key === 'string' ? ({ kind: 'text', text: key } as const) : key
    return editText(composer, pressed) ?? composer
  }, emptyComposer)
}

const press = (name: KeyName): Key => ({ kind: 'key', name })

test('letters go where the cursor is, and whole letters are deleted', () => {
  expect(typed('helo', press('left'), 'l').text).toBe('hello')
  expect(typed('a👩‍👩‍👧b', press('left'), press('backspace')).text).toBe('ab')
  expect(typed('one two three', press('ctrl-w'), press('ctrl-a'), press('delete')).text).toBe(
    'ne two ',
  )
  expect(typed('one', press('newline'), 'two', press('ctrl-u')).text).toBe('one\n')
})

test('a long paste is one mark that is sent as what it was, and deleted in one', () => {
  const long = 'row\n'.repeat(500)
  const composer = typed('see: ', { kind: 'paste', text: long }, ' ok')

  expect(composer.text).toBe('see: [pasted 1: 501 lines, 2000 characters] ok')
  expect(wholeText(composer)).toBe(`see: ${long} ok`)
  expect(typed('see: ', { kind: 'paste', text: long }, press('backspace')).text).toBe('see: ')
  expect(typed({ kind: 'paste', text: 'short' }).text).toBe('short')
})

test('lines up and down keep the column as far as they can', () => {
  const composer = typed('abcdef', press('newline'), 'gh', press('newline'), 'ijkl')

  const up = moveLine(composer, -1)
  const twice = up && moveLine(up, -1)

  expect([up?.cursor, twice?.cursor]).toEqual([9, 2])
  expect(twice && moveLine(twice, -1)).toBeUndefined()
  expect(moveLine(composer, 1)).toBeUndefined()
})

test('the cursor is on exactly one line, whatever the width, and nothing typed is obeyed', () => {
  const text = 'a long line of words\u001b[31m\n\nend 漢字漢字漢字漢字漢字'
  for (const width of [20, 33, 80]) {
    for (let cursor = 0; cursor <= text.length; cursor += 1) {
      const lines = composerLines({ text, cursor, pastes: new Map() }, width, '> ')
      const cursors = lines.flat().filter(({ look }) => look === 'cursor')
      expect(cursors, `cursor ${cursor} at width ${width}`).toHaveLength(1)
      expect(
        lines
          .flat()
          .map((span) => span.text)
          .join(''),
      ).not.toContain('\u001b')
    }
  }
})

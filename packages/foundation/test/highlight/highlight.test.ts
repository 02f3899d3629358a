import { highlight } from '@parley/foundation/highlight'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { tries } from '../../../../test-support/thorough.ts'

function kinds(text: string, language: string): Record<string, string> {
  return Object.fromEntries(
    highlight(text, language).map((piece) => [piece.text.trim(), piece.kind]),
  )
}

describe('colours of code', () => {
  test('words, strings, numbers and comments of TypeScript', () => {
    const found = kinds('const port = listen(8080) // "not a string"', 'ts')

    expect(found).toMatchObject({
      const: 'keyword',
      listen: 'name',
      '8080': 'number',
      '// "not a string"': 'comment',
    })
  })

  test('members of JSON and YAML are keys, and their values are not', () => {
    expect(kinds('{"name": "a"}', 'json')).toMatchObject({ '"name"': 'key', '"a"': 'string' })
    expect(kinds('max-calls: 12 # each', 'yaml')).toMatchObject({
      'max-calls': 'key',
      '12': 'number',
      '# each': 'comment',
    })
  })

  test('a # within a word of a shell is no comment, and an apostrophe ends with its line', () => {
    expect(kinds('curl example.com/#top', 'sh')['#top']).toBeUndefined()
    expect(kinds("it's\nif true", 'sh')).toMatchObject({ if: 'keyword' })
  })

  test('plain text stays plain, and an unknown language has colours all the same', () => {
    expect(highlight('if (a) return 1', 'text')).toEqual([
      { text: 'if (a) return 1', kind: 'plain' },
    ])
    expect(kinds('return 1', 'nonsense')).toMatchObject({ return: 'keyword', '1': 'number' })
  })

  test('any text comes out as it went in', () => {
    const languages = ['ts', 'py', 'sh', 'json', 'yaml', 'css', 'html', 'sql', 'rs', '']
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom(...Array.from('ab1"\'`/*#<>!-:=\\ \n.é')),
          maxLength: 200,
        }),
        fc.constantFrom(...languages),
        (text, language) => {
          const joined = highlight(text, language)
            .map((piece) => piece.text)
            .join('')
          expect(joined).toBe(text)
        },
      ),
      { numRuns: tries(1_000) },
    )
  })
})

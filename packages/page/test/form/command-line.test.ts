import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { splitCommandLine, unclosedQuote } from '../../src/form/command-line.ts'

describe('a command line', () => {
  test.each([
    ['npx -y server', ['npx', '-y', 'server']],
    ['  node   "two words" ', ['node', 'two words']],
    [`echo 'a "b" \\n' ""`, ['echo', 'a "b" \\n', '']],
    ['a\\ b "c\\"d"', ['a b', 'c"d']],
    ['$HOME `id` ; rm', ['$HOME', '`id`', ';', 'rm']],
    ['', []],
  ])('%j is split into words, and nothing is expanded', (line, words) => {
    expect(splitCommandLine(line)).toEqual(words)
  })

  test('words that were quoted come back as they were', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (words) => {
        const line = words.map((word) => `'${word.replaceAll("'", `'"'"'`)}'`).join(' ')
        expect(splitCommandLine(line)).toEqual(words)
      }),
    )
  })

  test('a quote that is not closed is found', () => {
    expect(unclosedQuote(`node "a b`)).toBe('"')
    expect(unclosedQuote(`node 'a "b`)).toBe("'")
    expect(unclosedQuote(`node "a \\" b" 'c' \\'`)).toBeUndefined()
  })
})

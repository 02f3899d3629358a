import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { readPairs, splitCommandLine } from '../../../page/shell/command-line.ts'

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

  test('pairs are read a line each; a line without a separator is left out', () => {
    expect(readPairs('A=1\n\nB = x=y\nnothing\n=3', '=')).toEqual({ A: '1', B: 'x=y' })
    expect(readPairs('Authorization: Bearer a:b', ':')).toEqual({ Authorization: 'Bearer a:b' })
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { splitCommandLine, unclosedQuote } from '../../../page/shell/servers/command-line.ts'
import { readPairs } from '../../../page/shell/servers/read-pairs.ts'

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

  test('pairs are read a line each; a line that is none is a fault, not dropped', () => {
    expect(readPairs('A=1\n\nB = x=y\nnothing\n=3\nA=2\nexport C=4', '=')).toEqual({
      pairs: { A: '1', B: 'x=y' },
      faults: [
        'Line 4 has no “=”: write NAME=value',
        'Line 5 has no name: write NAME=value',
        'Line 6: A is given twice',
        'Line 7: “export C” is not a name',
      ],
    })
    expect(readPairs('Authorization: Bearer a:b\nX Y: 1', ':')).toEqual({
      pairs: { Authorization: 'Bearer a:b' },
      faults: ['Line 2: “X Y” is not a name'],
    })
  })
})

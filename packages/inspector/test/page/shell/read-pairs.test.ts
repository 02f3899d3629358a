import { expect, test } from 'vitest'

import { readPairs } from '../../../page/shell/servers/read-pairs.ts'

test('pairs are read a line each; a line that is none is a fault, not dropped', () => {
  expect(readPairs('A=1\n\nB = x=y\nnothing\n=3\nA=2\nexport C=4', '=')).toEqual({
    pairs: { A: '1', B: 'x=y' },
    problems: [
      'Line 4 has no “=”: write NAME=value',
      'Line 5 has no name: write NAME=value',
      'Line 6: A is given twice',
      'Line 7: “export C” is not a name',
    ],
  })
  expect(readPairs('Authorization: Bearer a:b\nX Y: 1', ':')).toEqual({
    pairs: { Authorization: 'Bearer a:b' },
    problems: ['Line 2: “X Y” is not a name'],
  })
})

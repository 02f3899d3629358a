import { expect, test } from 'vitest'

import { readArguments } from '../src/arguments.ts'

test('serves stdio when nothing is said', () => {
  expect(readArguments([])).toEqual(readArguments(['stdio']))
  expect(readArguments([])).toMatchObject({ kind: 'serve', slowStartMs: 0 })
})

test('reads its options', () => {
  const command = readArguments([
    '--extras',
    '--numbered',
    '9',
    '--page-size',
    '3',
    '--slow-start',
    '20',
  ])

  expect(command).toEqual({
    kind: 'serve',
    options: { extras: true, numberedResources: 9, pageSize: 3 },
    slowStartMs: 20,
  })
})

test.each([
  [['sse'], 'This version serves stdio.'],
  [['streamableHttp'], 'This version serves stdio.'],
  [['stdio', 'twice'], 'This version serves stdio.'],
  [['--page-size', '0'], '--page-size'],
  [['--slow-start', 'soon'], '--slow-start'],
  [['--unknown'], '--unknown'],
])('refuses %o', (args, why) => {
  expect(readArguments(args)).toEqual({
    kind: 'refused',
    why: expect.stringContaining(why) as string,
  })
})

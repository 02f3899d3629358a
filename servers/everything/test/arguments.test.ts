import { expect, test } from 'vitest'

import { readArguments } from '../src/arguments.ts'

test('serves stdio when nothing is said', () => {
  expect(readArguments([])).toEqual(readArguments(['stdio']))
  expect(readArguments([])).toMatchObject({ kind: 'serve', slowStartMs: 0 })
})

test.each(['stdio', 'sse', 'streamableHttp'])('serves %s when told to', (channel) => {
  expect(readArguments([channel])).toMatchObject({ kind: 'serve', channel })
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
    channel: 'stdio',
    options: { extras: true, numberedResources: 9, pageSize: 3 },
    slowStartMs: 20,
    auth: false,
  })
})

test.each([
  [['http'], 'Unknown: http.'],
  [['stdio', 'twice'], 'Unknown: stdio twice.'],
  [['--page-size', '0'], '--page-size'],
  [['--slow-start', 'soon'], '--slow-start'],
  [['--unknown'], '--unknown'],
  [['stdio', '--auth'], '--auth needs'],
])('refuses %o', (args, why) => {
  expect(readArguments(args)).toEqual({
    kind: 'refused',
    why: expect.stringContaining(why) as string,
  })
})

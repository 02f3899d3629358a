import { expect, test } from 'vitest'

import { requireHonestText } from '../../src/paths/path-text.ts'

test.each([
  ['C:\\data\\file.txt:stream', 'alternate data stream'],
  ['C:\\data\\file.txt::$DATA', 'alternate data stream'],
  ['folder:$I30:$INDEX_ALLOCATION\\x', 'alternate data stream'],
  ['C:\\data\\NUL', 'device name'],
  ['C:/data/com1.txt', 'device name'],
  ['C:\\data\\NUL .txt', 'device name'],
  ['con .a.b', 'device name'],
  ['clock$', 'device name'],
  ['\\\\.\\PhysicalDrive0', 'device path'],
  ['\\\\?\\C:\\x', 'device path'],
  ['C:\\data\\file.txt.', 'dot or a space'],
  ['C:\\data\\file.txt ', 'dot or a space'],
])('on Windows %j is refused', (path, why) => {
  expect(() => requireHonestText(path, 'win32')).toThrow(why)
})

test.each([
  ['C:\\data\\file.txt'],
  ['..\\file.txt'],
  ['.\\a.b\\c'],
  ['console.log'],
  ['nul and void.txt'],
  ['clock.txt'],
  ['común.txt'],
])('on Windows %j is a path', (path) => {
  expect(() => requireHonestText(path, 'win32')).not.toThrow()
})

test.each([['a:b'], ['nul'], ['x.'], ['c:file'], ['x\\y'], ['שלום.txt']])(
  'elsewhere %j is a name like any other',
  (path) => {
    expect(() => requireHonestText(path, 'linux')).not.toThrow()
  },
)

test('what reverses the reading direction is written out in the refusal', () => {
  expect(() => requireHonestText('a\u202eb', 'linux')).toThrow('a\\u202eb')
})

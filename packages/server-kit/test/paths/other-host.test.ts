import { isOnOtherHost } from '@parley/server-kit/paths'
import { expect, test } from 'vitest'

import { rootPath } from '../../src/paths/roots-jail.ts'

const known = [String.raw`C:\work`, String.raw`\\Files\team`]

test.each([
  String.raw`\\evil\share`,
  '//evil/share',
  String.raw`\/evil\share`,
  String.raw`\\?\UNC\evil\share`,
  '//./unc/evil/share',
  String.raw`\??\UNC\evil\share`,
  String.raw`\\?\GLOBALROOT\Device\Mup\evil\share`,
  String.raw`\\files@SSL@443\team`,
])('%s is on another host', (path) => {
  expect(isOnOtherHost(path, known, 'win32')).toBe(true)
})

test.each([
  String.raw`\\files\other`,
  String.raw`\\?\UNC\FILES\team`,
  String.raw`C:\work`,
  'C:/work',
  String.raw`\work`,
  'folder/file',
])('%s is not', (path) => {
  expect(isOnOtherHost(path, known, 'win32')).toBe(false)
})

test('elsewhere such names are those of files', () => {
  expect(isOnOtherHost('//evil/share', [], 'linux')).toBe(false)
})

test('a root on another host has no path that could be looked at', () => {
  const named = known.map((path) => ({ path, realPath: path, isReadOnly: false }))
  const pathOf = (uri: string) => rootPath(uri, named, 'win32')

  expect(pathOf('file://evil.example/share')).toBeUndefined()
  expect(pathOf(String.raw`\\evil.example\share`)).toBeUndefined()
  expect(pathOf('ro://evil.example/share')).toBeUndefined()
  expect(pathOf('file://files/team/a')).toBe(String.raw`\\files\team\a`)
  expect(pathOf('FILE:///C:/work')).toBe(String.raw`C:\work`)
})

import { expect, test } from 'vitest'

import { describePatch } from '../src/patch.ts'

const part = (name: string, line: string) =>
  `diff --git a/${name} b/${name}\nindex 1..2 100644\n--- a/${name}\n+++ b/${name}\n@@ -1 +1 @@\n${line}\n`
const text = part('a', '+one') + part('b', '+two')

test('every part of a patch stands under the name of its file', () => {
  expect(describePatch({ text, isCut: false }, [{ path: 'a' }, { path: 'b', oldPath: 'c' }])).toBe(
    '\n--- a\n+++ a\n@@ -1 +1 @@\n+one\n\n--- c\n+++ b\n@@ -1 +1 @@\n+two\n',
  )
})

test('a patch of other files than these is not described', () => {
  expect(describePatch({ text, isCut: false }, [{ path: 'a' }])).toBeUndefined()
  expect(describePatch({ text, isCut: true }, [{ path: 'a' }])).toBeUndefined()
  expect(
    describePatch({ text, isCut: false }, [{ path: 'a' }, { path: 'b' }, { path: 'c' }]),
  ).toBeUndefined()
})

test('of a patch that is cut, the files that are left are described', () => {
  expect(
    describePatch({ text: text.slice(0, -3), isCut: true }, [
      { path: 'a' },
      { path: 'b' },
      { path: 'c' },
    ]),
  ).toBe('\n--- a\n+++ a\n@@ -1 +1 @@\n+one\n\n--- b\n+++ b\n@@ -1 +1 @@\n+t\n')
})

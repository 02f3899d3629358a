import { open } from 'node:fs/promises'
import { join } from 'node:path'

import {
  compileLineMatcher,
  createTurns,
  formatSize,
  mediaTypeOf,
  readBytes,
  readHead,
  readLines,
  readTail,
  readText,
} from '@parley/server-kit/files'
import fc from 'fast-check'
import { expect, test } from 'vitest'

import { folderWith } from '../../../../test-support/temporary-folder.ts'
import { tries } from '../../../../test-support/thorough.ts'

async function openFile(content: string) {
  return open(join(folderWith({ 'file.txt': content }), 'file.txt'))
}

const lines = fc.array(
  fc.oneof(
    fc.string({ unit: fc.constantFrom('a', 'ä', '😀', ' '), maxLength: 20 }),
    fc.integer({ min: 60_000, max: 70_000 }).map((length) => 'x'.repeat(length)),
  ),
  { minLength: 1, maxLength: 8 },
)
const options = { path: 'file.txt', maxBytes: 1_000_000 }

test('the first and last lines are those of the whole, wherever chunks end', async () => {
  await fc.assert(
    fc.asyncProperty(lines, fc.integer({ min: 1, max: 9 }), async (given, count) => {
      await using handle = await openFile(given.join('\n'))

      // A newline at the end of the first lines is not shown.
      const head = given.slice(0, count).join('\n').replace(/\n$/, '')
      expect(await readHead(handle, count, options)).toBe(head)
      expect(await readTail(handle, count, options)).toBe(given.slice(-count).join('\n'))
    }),
    { numRuns: tries(30) },
  )
})

test('lines are read a chunk at a time, without their ends', async () => {
  await using handle = await openFile('one\r\ntwo\n\nthree')

  const found: string[] = []
  for await (const some of readLines(handle)) found.push(...some)

  expect(found).toEqual(['one', 'two', '', 'three'])
})

test('a file that is too large is not read, and the message says what to do', async () => {
  await using handle = await openFile('x'.repeat(100))
  const small = { path: 'file.txt', maxBytes: 99, ifLarge: 'Take a part.' }

  await expect(readBytes(handle, small)).rejects.toThrow(
    'file.txt has 100 bytes, the limit is 99. Take a part.',
  )
  await expect(readHead(handle, 1, small)).rejects.toThrow('longer than 99 bytes')
})

test('what is no text is not given as one, and the message says what to do', async () => {
  const binary = { ...options, ifBinary: 'Take its bytes.' }
  await using handle = await openFile('PNG\0')

  await expect(readText(handle, binary)).rejects.toThrow(
    'Not a text file: file.txt. Take its bytes.',
  )
  await expect(readTail(handle, 1, binary)).rejects.toThrow('Take its bytes.')
})

test('lines that fit are found as text, in any case, or by an expression', () => {
  const some = ['One', 'a.b', 'ONE two']

  expect(compileLineMatcher('One')(some)).toEqual([0])
  expect(compileLineMatcher('one', { ignoreCase: true })(some)).toEqual([0, 2])
  expect(compileLineMatcher('a.b', { ignoreCase: true })(['axb', 'A.B'])).toEqual([1])
  expect(compileLineMatcher('^.{3}$', { isRegex: true })(some)).toEqual([0, 1])
  expect(() => compileLineMatcher('(', { isRegex: true })).toThrow('plain text instead')
})

test('work on one thing runs in turn, on different things at once', async () => {
  const inTurn = createTurns()
  const seen: string[] = []
  async function work(key: string, name: string, waitFor: Promise<unknown>) {
    return inTurn(key, async () => {
      await waitFor
      seen.push(name)
    })
  }
  const other = work('b', 'other', Promise.resolve())
  const first = work('a', 'first', other)
  const second = work('a', 'second', Promise.resolve())
  await Promise.all([first, second, other])

  expect(seen).toEqual(['other', 'first', 'second'])
})

test('sizes and media types are as people write them', () => {
  expect([0, 12, 3_000, 5 * 1024 ** 2].map(formatSize)).toEqual([
    '0 B',
    '12 B',
    '2.93 KB',
    '5.00 MB',
  ])
  expect(['a.PNG', 'b.mp3', 'c.txt'].map(mediaTypeOf)).toEqual([
    'image/png',
    'audio/mpeg',
    'application/octet-stream',
  ])
})

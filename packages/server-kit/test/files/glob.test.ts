import { compileGlob } from '@parley/server-kit/files'
import fc from 'fast-check'
import picomatch from 'picomatch'
import { expect, test } from 'vitest'

import { tries } from '../../../../test-support/thorough.ts'
import { expandBraces } from '../../src/files/expand-braces.ts'

test.each([
  ['*.txt', ['a.txt', '.txt', '.a.txt'], ['a/b.txt', 'a.txt.md']],
  ['**/*.txt', ['a.txt', 'a/b/c.txt', '.x/y.txt'], ['a.md']],
  ['a/**', ['a/b', 'a/b/c'], ['a', 'b/a']],
  ['a/**/b', ['a/b', 'a/x/y/b'], ['a/b/c']],
  ['**', ['a', 'a/b'], []],
  ['**/a/**', ['a/b', 'x/a/b/c'], ['a', 'x/a']],
  ['[a-c]?.md', ['ax.md', 'cy.md'], ['dx.md', 'a.md']],
  ['[!a]*', ['b', 'ba'], ['a', 'ab']],
  ['[]x]', [']', 'x'], ['a']],
  ['{a,b}.{ts,js}', ['a.ts', 'b.js'], ['c.ts', 'a.md']],
  ['{a,b/{c,d}}', ['a', 'b/c', 'b/d'], ['b', 'c']],
  ['f{1..3}', ['f1', 'f3'], ['f4', 'f{1..3}']],
  ['a{b', ['a{b'], ['ab']],
  ['\\*.txt', ['*.txt'], ['a.txt']],
  ['!*.txt', ['a.md', 'x/a.txt'], ['a.txt']],
  ['!!*.txt', ['a.txt'], ['a.md']],
  ['#*', [], ['#a']],
  ['./a', ['a'], ['b']],
  ['@(a|b)?(c)', ['a', 'bc'], ['c', 'ab']],
])('%s', (pattern, fitting, others) => {
  const matches = compileGlob(pattern)

  expect(fitting.filter((path) => !matches(path))).toEqual([])
  expect(others.filter((path) => matches(path))).toEqual([])
})

test('means the same as elsewhere', () => {
  const part = fc.constantFrom('a', 'b', '*', '?', '[ab]', '.', 'ab', '{a,b}', '**')
  const name = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => {
    const joined = parts.join('')
    return joined === '**' ? joined : joined.replaceAll(/\*{2,}/g, '*')
  })
  const pattern = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'))
  const path = fc
    .array(fc.stringMatching(/^[ab.]{1,3}$/), { minLength: 1, maxLength: 4 })
    .filter((names) => names.every((one) => !/^\.+$/.test(one)))
    .map((names) => names.join('/'))
  fc.assert(
    fc.property(pattern, path, (glob, text) => {
      // `a/**` is taken for `a` itself there, and a name of dots for something else.
      fc.pre(!glob.endsWith('**') && !/(^|\/)[.*?]+(\/|$)/.test(glob.replaceAll('**', '')))
      expect(compileGlob(glob)(text)).toBe(picomatch(glob, { dot: true, nonegate: true })(text))
    }),
    { numRuns: tries(2_000) },
  )
})

test('no pattern takes long', () => {
  const name = 'a'.repeat(255)
  for (const pattern of ['*a'.repeat(100) + 'b', '**/'.repeat(300) + 'b', '?*'.repeat(120) + 'b']) {
    expect(compileGlob(pattern)(`${name}/`.repeat(15) + name)).toBe(false)
  }
})

test('no pattern becomes very many', () => {
  expect(expandBraces('{a,b}{a,b}')).toHaveLength(4)
  expect(() => expandBraces('{a,b}'.repeat(20))).toThrow('alternatives')
  expect(() => expandBraces('{1..100000}')).toThrow('alternatives')
  expect(() => compileGlob('!(a)b+(c)')).toThrow('use {a,b}')
})

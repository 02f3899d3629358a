import { createHash } from 'node:crypto'

import { exposedToolName } from '@parley/tools'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { tries } from '../../../../test-support/thorough.ts'
import { sha256 } from '../../src/naming/sha256.ts'

type Pair = readonly [string, string]

const modelSafe = /^[A-Za-z0-9_-]{1,64}$/

describe('exposedToolName', () => {
  test('joins server and tool with two underscores', () => {
    expect(exposedToolName('git', 'git_status')).toBe('git__git_status')
    expect(exposedToolName('my-server', '_private')).toBe('my-server___private')
  })

  test.each([
    ['other characters', 'google drive', 'files.list'],
    ['a name that is too long', 'a'.repeat(40), 'b'.repeat(40)],
    ['a border that could be elsewhere', 'a__b', 'c'],
    ['an underscore at the border', 'a_', 'b'],
    ['an empty server', '', 'tool'],
    ['an empty tool', 'server', ''],
    ['a tool that ends like a changed name', 'a', 'b_0123456789abcdef'],
  ])('adds a hash for %s', (_, server, tool) => {
    const name = exposedToolName(server, tool)

    expect(name).toMatch(modelSafe)
    expect(name).toMatch(/__.*_[0-9a-f]{16}$/)
    expect(exposedToolName(server, tool)).toBe(name)
  })

  test('keeps what people recognise', () => {
    expect(exposedToolName('google drive', 'files.list')).toMatch(/^google_drive__files_list_/)
    expect(exposedToolName('s'.repeat(60), 'create_issue')).toMatch(/^s{33}__create_issue_/)
    expect(exposedToolName('github', 't'.repeat(60))).toMatch(/^github__t{39}_/)
  })

  test('a tool cannot take the name of one that was changed', () => {
    const changed = exposedToolName('git', 'commit all')
    const forged = changed.slice('git__'.length)

    expect(exposedToolName('git', forged)).not.toBe(changed)
  })

  test('different pairs have different, model-safe names', () => {
    const lookalikes = fc
      .array(
        fc.constantFrom(
          'a',
          'а',
          'á',
          'a\u0301',
          'A',
          '_',
          '__',
          '-',
          '.',
          '/',
          '\u200b',
          '\ud800',
          'ﬁ',
          'fi',
          '0',
          'x'.repeat(30),
        ),
        { maxLength: 6 },
      )
      .map((parts) => parts.join(''))
    const text = fc.oneof(lookalikes, fc.string({ unit: 'binary', maxLength: 80 }))
    // One name from which several pairs can be cut.
    const cuts = fc.tuple(lookalikes, fc.nat(), fc.nat()).map(([whole, first, second]) => {
      const cut = (at: number) => [whole.slice(0, at), whole.slice(at)] as const
      return [cut(first % (whole.length + 1)), cut(second % (whole.length + 1))] as const
    })
    const pair = fc.tuple(text, text)
    fc.assert(
      fc.property(
        fc.oneof<fc.Arbitrary<readonly [Pair, Pair]>[]>(fc.tuple(pair, pair), cuts),
        ([one, other]) => {
          const [first, second] = [exposedToolName(...one), exposedToolName(...other)]
          const isSame = one[0] === other[0] && one[1] === other[1]
          return modelSafe.test(first) && modelSafe.test(second) && (first === second) === isSame
        },
      ),
      { numRuns: tries(5_000) },
    )
  })

  test('pairs whose plain forms are equal stay apart', () => {
    const parts = ['a', 'a_', 'a__b', 'b', '_b', '__b', 'a__', '_', '__', '___', 'c', 'b__c']
    const pairs = parts.flatMap((server) => parts.map((tool) => [server, tool] as const))

    const names = new Set(pairs.map(([server, tool]) => exposedToolName(server, tool)))

    expect(names.size).toBe(pairs.length)
  })
})

test('the hash is SHA-256', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
      expect(sha256(text)).toBe(createHash('sha256').update(text).digest('hex'))
    }),
  )
})

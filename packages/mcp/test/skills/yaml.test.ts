import type { JsonObject, JsonValue } from '@parley/mcp'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'

import { readFrontmatter } from '../../src/schema/skills/frontmatter.ts'
import { readYaml } from '../../src/schema/skills/yaml.ts'

function fieldsOf(text: string): JsonObject {
  const reading = readYaml(text)
  if (reading.kind === 'problem') throw new Error(reading.problem)
  return reading.fields
}

function problemOf(text: string): string {
  const reading = readYaml(text)
  return reading.kind === 'problem' ? reading.problem : 'none'
}

describe('frontmatter is read as YAML', () => {
  test.each<readonly [text: string, value: JsonValue]>([
    ['k: text', 'text'],
    ['k: a:b http://c#d', 'a:b http://c#d'],
    ['k: text # a comment', 'text'],
    ['k:', null],
    ['k: ~', null],
    ['k: "1.0"', '1.0'],
    ['k: 1.0', 1],
    ['k: -12', -12],
    ['k: 0x1F', 31],
    ['k: 1e3', 1000],
    ['k: true', true],
    ['k: yes', 'yes'],
    ["k: 'it''s'", "it's"],
    ['k: "a\\tb\\u00e9\\\\"', 'a\tbé\\'],
    ['k: one\n  two\n\n  three', 'one two\nthree'],
    ['k:\n  one\n  two', 'one two'],
    ['k: >\n  one\n  two\n\n  three\n', 'one two\nthree\n'],
    ['k: >-\n  one\n  two', 'one two'],
    ['k: >\n  one\n    two\n  three', 'one\n  two\nthree\n'],
    ['k: |\n  one\n    two', 'one\n  two\n'],
    ['k: |-\n\n  one\n\n', '\none'],
    ['k: [a, "b, c", 3, true]', ['a', 'b, c', 3, true]],
    ['k: []', []],
    ['k:\n  - a\n  - b', ['a', 'b']],
    ['k:\n- a\n- b', ['a', 'b']],
    ['k:\n  a: 1\n\n  # a comment\n  b:\n    c: 2', { a: 1, b: { c: 2 } }],
    ['k:\r\n  a: 1\r\n', { a: 1 }],
  ])('%j', (text, value) => {
    expect(fieldsOf(text)).toEqual({ k: value })
  })

  test('a key that is the name of a prototype is a key like others', () => {
    const fields = fieldsOf('__proto__: 1\nconstructor:\n  __proto__: 2')

    expect(Object.entries(fields)).toEqual([
      ['__proto__', 1],
      ['constructor', expect.anything()],
    ])
    expect(Object.entries(fields['constructor'] as JsonObject)).toEqual([['__proto__', 2]])
  })
})

describe('what is not understood is said, with its line', () => {
  test.each([
    ['a: 1\nk: &x y', 'line 2 has an anchor or an alias, which are not understood'],
    ['k: Use when: asked', 'line 1 has a colon inside a value: quote the value'],
    ['k: *x', 'line 1 has an anchor or an alias, which are not understood'],
    ['k: !tag y', 'line 1 has a tag, which is not understood'],
    ['<<: {a: 1}', 'line 1 has a merge key, which is not understood'],
    ['? a\n: b', 'line 1 has a key that is not plain text'],
    ['1: a', 'line 1 has a key that is not text: quote 1'],
    ['k: [a,\n  b]', 'line 1 has a bracket that is not closed in it'],
    ['k: [a,,b]', 'line 1 has nothing between two commas or brackets'],
    ['k: [a', 'line 1 has a bracket that is not closed in it'],
    ['k: |+\n  a', 'line 1 has something behind | that is not understood'],
    ['k: "a', 'line 1 has quotes that do not end in it'],
    ['k: "a\n  b"', 'line 1 has quotes that do not end in it'],
    ['k: {a: 1}', 'line 1 has braces, which are not understood'],
    ['k:\n  - a: 1', 'line 2 has a list or keys within a list, which are not understood'],
    ['k:\n  - - a', 'line 2 has a list or keys within a list, which are not understood'],
    ['k: [[a]]', 'line 1 has nothing between two commas or brackets'],
    ['k: "\\q"', 'line 1 has an escape that is not understood'],
    ['k: "\\ud800"', 'line 1 has an escape that is not understood'],
    ['k: "a" b', 'line 1 has text behind the end of a value'],
    ['k: @a', 'line 1 has a value that begins with @: quote it'],
    ['k: .inf', 'line 1 has a number that JSON cannot say'],
    ['k: 1\nk: 2', 'line 2 has the key k again'],
    ['a: 1\n  b: 2', 'line 2 has a colon inside a value: quote the value'],
    ['a:\n  b: 1\n c: 2', 'line 3 is indented too far'],
    ['a:\n\tb: 1', 'line 2 is indented with a tab'],
    ['a: 1\n...\nb: 2', 'line 2 begins or ends a document, and only one is understood'],
    ['a: \u0000', 'line 1 has a control character'],
    ['a line', 'it has no lines of the form "key: value"'],
    ['- a', 'it has no lines of the form "key: value"'],
    ['', 'it has no lines of the form "key: value"'],
    [
      Array.from({ length: 20 }, (_, depth) => `${' '.repeat(depth)}k:`).join('\n'),
      'line 18 is nested more than 16 deep',
    ],
  ])('%j: %s', (text, problem) => {
    expect(problemOf(text)).toBe(problem)
  })

  test('any text is read or refused, and nothing is thrown', () => {
    const part = fc.constantFrom(...': -#"\'[]{},|>\\\n \tab1&*!?%@~'.split(''), '\n  ', ': ', '- ')
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
        expect(['fields', 'problem']).toContain(readYaml(`k: ${parts.join('')}`).kind)
      }),
    )
  })
})

test('JSON is YAML: values, and lists of values, are read as what they are', () => {
  const value = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
  )
  fc.assert(
    fc.property(fc.oneof(value, fc.array(value, { maxLength: 4 })), (written) => {
      expect(fieldsOf(`k: ${JSON.stringify(written).replaceAll('\u007f', '\\u007f')}`)).toEqual({
        k: written,
      })
    }),
  )
})

describe('a parser of the author', () => {
  const text = '---\nname: one\ndescription: all of YAML\nlist: [{ a: 1 }]\n---\n'

  test('reads what is not understood here', () => {
    expect(readFrontmatter(text)).toMatchObject({ kind: 'problem' })
    expect(readFrontmatter(text, parse)).toEqual({
      kind: 'frontmatter',
      frontmatter: { name: 'one', description: 'all of YAML', list: [{ a: 1 }] },
    })
  })

  test('may fail, or return what is not an object', () => {
    const fail = (): never => {
      throw new TypeError('line 3')
    }

    expect(readFrontmatter(text, fail)).toMatchObject({
      problem: expect.stringContaining('line 3'),
    })
    expect(readFrontmatter(text, () => 'text')).toMatchObject({ kind: 'problem' })
    expect(readFrontmatter(text, () => undefined)).toMatchObject({ kind: 'problem' })
  })
})
